import { hostname } from 'node:os'
import type { Config } from './platform/config.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { migrate } from './platform/migrate.ts'
import { startEmbeddedPostgres } from './postgres/index.ts'
import { openSecrets, type Secrets, type Vault } from './secrets/index.ts'

/** The migrated database of this installation and the vault of its secrets. */
export type Storage = {
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
    const db = openDatabase(url)
    const name = `process ${process.pid} on ${hostname()}`
    const secrets = await openSecrets({ db, keys: config.masterKeys, dataDir: config.dataDir, name, log }).catch(
      async (error: unknown) => {
        await db.close()
        throw error
      },
    )
    return {
      db,
      vault: secrets.vault,
      secrets,
      close: async () => {
        await secrets.close()
        await db.close()
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}
