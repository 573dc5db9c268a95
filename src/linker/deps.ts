import type { CatalogStore } from '../catalog/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import type { Provider } from './provider.ts'

/** What the verbs and loops of this room work with. */
export type LinkerDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Log
  readonly catalog: CatalogStore
  readonly provider: Provider
  /** The service's public address, without a slash at the end. */
  readonly baseUrl: string
}

/** Where the provider tells us that something has changed. */
export function webhookAddress(deps: LinkerDeps): string {
  return `${deps.baseUrl}/linker/webhooks`
}
