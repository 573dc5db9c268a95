import type { Config, PlaidSettings } from '../../platform/config.ts'
import type { Reader } from '../../platform/database.ts'
import type { Environment } from '../../publishers/index.ts'
import type { Providers } from '../environments.ts'
import type { Provider } from '../provider.ts'
import { createPacing } from '../schedule/pacing-queries.ts'
import { openPlaid } from './provider.ts'

/** No setting names another, so production never ends up at a simulator or the provider's sandbox. */
export const PRODUCTION = 'https://production.plaid.com'
// The simulator takes any credentials, and expects from then on those that it was first used with.
const SIMULATED = { clientId: 'laurel', secret: 'laurel' }
// Calls per minute that the provider allows for all items of an account. Background work uses a part of these; calls
// for waiting users are never paced.
const PATIENT_PART = 0.8
const LIMITS = {
  production: { 'item/get': 5_000, 'accounts/get': 15_000, 'item/remove': 2_000 },
  sandbox: { 'item/get': 5_000, 'accounts/get': 5_000, 'item/remove': 500 },
}

/**
 * The configured providers, one for each environment, under the service's own accounts. Simulator and real provider
 * differ in address and credentials only.
 * @param addresses of sandboxes, and of what tests put in the place of production
 */
export function openProviders(
  { sandbox, production }: Config['linkers'],
  addresses: { readonly sandbox: string; readonly production?: string },
  reader: Reader,
): Providers {
  const opened = (environment: Environment, address: string, account: PlaidSettings): Provider => {
    const { clientId, secret, syncsPerMinute } = account
    const limits = Object.entries(LIMITS[environment]).map(([operation, limit]) => [operation, limit * PATIENT_PART])
    // Only the worker reads feeds, so it may use the whole limit for that.
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
