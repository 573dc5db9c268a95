import type { Config, PlaidSettings } from '../../../platform/config/config.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { Providers } from '../environments.ts'
import type { Provider } from '../provider.ts'
import { createPacing } from '../schedule/pacing-queries.ts'
import { openPlaid } from './provider.ts'

/** No setting changes this, so production never talks to a simulator or the provider's sandbox. */
export const PRODUCTION = 'https://production.plaid.com'
// The simulator adopts the first credentials it receives and requires them from then on.
const SIMULATED = { clientId: 'laurel', secret: 'laurel' }
// The limits are the calls per minute that the provider allows across all items of an account. Background work uses
// this fraction of them. Calls for waiting users are never paced.
const PATIENT_PART = 0.8
const LIMITS = {
  production: { 'item/get': 5_000, 'accounts/get': 15_000, 'item/remove': 2_000 },
  sandbox: { 'item/get': 5_000, 'accounts/get': 5_000, 'item/remove': 500 },
}

/**
 * Opens the configured providers, one per environment, under the service's own accounts. The simulator and the real
 * provider differ only in address and credentials.
 * @param addresses the sandbox address, and the address that tests use in place of production
 */
export function openProviders(
  { sandbox, production }: Config['linkers'],
  addresses: { readonly sandbox: string; readonly production?: string },
  reader: Reader,
): Providers {
  const opened = (environment: Environment, address: string, account: PlaidSettings): Provider => {
    const { clientId, secret, syncsPerMinute } = account
    const limits = Object.entries(LIMITS[environment]).map(([operation, limit]) => [operation, limit * PATIENT_PART])
    // Only the worker reads feeds, so it may use the entire limit.
    const perMinute = { ...Object.fromEntries(limits), 'transactions/sync': syncsPerMinute }
    const pace = { perMinute, pacing: createPacing(reader) }
    return openPlaid({ environment, address, clientId, secret, isSimulator: false, pace })
  }
  const simulated = (address: string): Provider =>
    openPlaid({ environment: 'sandbox', address, ...SIMULATED, isSimulator: true })
  return {
    sandbox: sandbox === 'simulator' ? simulated(addresses.sandbox) : opened('sandbox', addresses.sandbox, sandbox),
    production: production === null ? null : opened('production', addresses.production ?? PRODUCTION, production),
  }
}
