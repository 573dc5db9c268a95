import type { CatalogStore } from '../catalog/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../secrets/index.ts'
import type { Provider } from './provider.ts'

/** What the verbs and loops of this room need. */
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

/** The address for the provider's webhooks; null when the provider cannot reach it, and every feed is polled. */
export function webhookAddress(deps: LinkerDeps): string | null {
  const address = `${deps.baseUrl}/linker/webhooks`
  return deps.provider.canReach(address) ? address : null
}
