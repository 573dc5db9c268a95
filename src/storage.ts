import { hostname } from 'node:os'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/database.ts'
import { migrate } from './platform/migrate.ts'
import { openPools, type Pools } from './platform/pools.ts'
import { startEmbeddedPostgres } from './postgres/index.ts'
import { openSecrets, type Secrets, type Vault } from './secrets/index.ts'

/** The migrated database of this installation and the vault of its secrets. */
export type Storage = {
  readonly pools: Pools
  /** For the work of a command. */
  readonly db: Database
  readonly vault: Vault
  readonly secrets: Secrets
  close(): Promise<void>
}

/** Opens DATABASE_URL, or the embedded server of the data folder, and migrates the database. */
export async function openStorage(
  config: Config,
  log: (message: string) => void = () => undefined,
  /**
   * Called when the process of PostgreSQL exists and continues to start on its own, which leaves time for other work.
   */
  onLaunch: () => void = () => undefined,
): Promise<Storage> {
  const server =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, account: config.databaseAccount, onLaunch })
      : null
  const url = config.databaseUrl ?? server?.url ?? ''
  try {
    await migrate(url, { log })
    const pools = openPools(url, config.connections)
    const close = () => Promise.all(Object.values(pools).map((pool) => pool.close()))
    const name = `process ${process.pid} on ${hostname()}`
    const { background: db, commands } = pools
    const secrets = await openSecrets({ db, keys: config.masterKeys, dataDir: config.dataDir, name, log }).catch(
      async (error: unknown) => {
        await close()
        throw error
      },
    )
    return {
      pools,
      db: commands,
      vault: secrets.vault,
      secrets,
      close: async () => {
        await secrets.close()
        await close()
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}
