import { hostname } from 'node:os'
import type { Config } from './platform/config/config.ts'
import type { Database } from './platform/db/database.ts'
import { checkMigrated, migrate } from './platform/db/migrate.ts'
import { openPools, type Pools } from './platform/db/pools.ts'
import { startEmbeddedPostgres } from './platform/postgres/index.ts'
import { openSecrets, type Secrets, type Vault } from './platform/vault/index.ts'

/** The installation's database and the vault for its secrets. */
export type Storage = {
  readonly pools: Pools
  /** The pool for commands. */
  readonly db: Database
  readonly vault: Vault
  readonly secrets: Secrets
  close(): Promise<void>
}

type WriteLine = (message: string, level?: 'info' | 'debug') => void

type Options = {
  readonly log?: WriteLine
  /**
   * Called once the PostgreSQL process exists but is still starting up, so that other work can be done in the meantime.
   */
  readonly onLaunch?: () => void
  /**
   * True to migrate the database first. If false, the database must already be migrated, because only the service and
   * `laurel migrate` change tables.
   */
  readonly migrates?: boolean
  /** The role of this process; undefined for a command. */
  readonly role?: Config['role']
}

/**
 * Opens DATABASE_URL, or the data folder's embedded server, under the service's account.
 * @throws MigrationError if the database lacks migrations
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

/** Returns true if the process with this name runs the worker. */
export function isWorker(name: string): boolean {
  return /^(worker|all) /.test(name)
}

async function migrateAsOwner(url: string, ownerUrl: string, log: WriteLine): Promise<void> {
  const [service, owner] = [parseAccount(url), parseAccount(ownerUrl)]
  await migrate(ownerUrl, { log, ...(service === owner ? {} : { service }) })
}

function parseAccount(url: string): string {
  return decodeURIComponent(new URL(url).username)
}
