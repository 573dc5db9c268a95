import { hostname } from 'node:os'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/database.ts'
import { checkMigrated, migrate } from './platform/migrate.ts'
import { openPools, type Pools } from './platform/pools.ts'
import { startEmbeddedPostgres } from './postgres/index.ts'
import { openSecrets, type Secrets, type Vault } from './secrets/index.ts'

/** The database of this installation and the vault of its secrets. */
export type Storage = {
  readonly pools: Pools
  /** For the work of a command. */
  readonly db: Database
  readonly vault: Vault
  readonly secrets: Secrets
  close(): Promise<void>
}

type WriteLine = (message: string, level?: 'info' | 'debug') => void

type Options = {
  readonly log?: WriteLine
  /**
   * Called when the process of PostgreSQL exists and continues to start on its own, which leaves time for other work.
   */
  readonly onLaunch?: () => void
  /** Migrates the database first. Otherwise it must be migrated: only the service and `laurel migrate` change tables. */
  readonly migrates?: boolean
  /** What this process does; missing for a command. */
  readonly role?: Config['role']
}

/**
 * Opens DATABASE_URL, or the embedded server of the data folder, under the service's account.
 * @throws MigrationError when the database lacks migrations
 */
export async function openStorage(
  config: Config,
  { log = () => undefined, onLaunch = () => undefined, migrates = false, role }: Options = {},
): Promise<Storage> {
  const server =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({
          dataDir: config.dataDir,
          log,
          account: config.databaseAccount,
          onLaunch,
          creates: migrates,
        })
      : null
  const url = config.databaseUrl ?? server?.serviceUrl ?? ''
  try {
    const direct = config.databaseDirectUrl ?? url
    if (migrates) await migrateAsOwner(direct, server?.url ?? config.databaseOwnerUrl ?? direct, log)
    else await checkMigrated(direct)
    const pools = openPools(url, config.connections, config.databaseDirectUrl)
    const close = () => Promise.all(Object.values(pools).map((pool) => pool.close()))
    const name = `${role ?? COMMAND} (process ${process.pid} on ${hostname()})`
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

const COMMAND = 'command'

/** Whether a process with this name does the work of a worker. */
export function isWorker(name: string): boolean {
  return /^(worker|all) /.test(name)
}

async function migrateAsOwner(url: string, ownerUrl: string, log: WriteLine): Promise<void> {
  const [service, owner] = [accountOf(url), accountOf(ownerUrl)]
  await migrate(ownerUrl, { log, ...(service === owner ? {} : { service }) })
}

function accountOf(url: string): string {
  return decodeURIComponent(new URL(url).username)
}
