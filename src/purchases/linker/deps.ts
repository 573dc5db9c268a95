import type { CatalogStore } from '../../catalog/catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Environment } from '../../tenants/publishers/index.ts'
import type { Providers } from './environments.ts'

/** The dependencies of this module's functions and loops. */
export type LinkerDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
  readonly catalog: CatalogStore
  readonly providers: Providers
  /** The service's public URL, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * Returns the URL for the provider's webhooks; null if the provider cannot reach it, in which case every feed is
 * polled.
 */
export function findWebhookAddress({ baseUrl, providers }: LinkerDeps, environment: Environment): string | null {
  const address = `${baseUrl}/linker/webhooks`
  return providers[environment]?.canReach(address) === true ? address : null
}
