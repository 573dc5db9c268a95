import type { PlaidSettings } from '../../platform/config.ts'
import type { Reader } from '../../platform/database.ts'
import type { Provider } from '../provider.ts'
import { createPacing } from '../schedule/pacing-queries.ts'
import { openPlaid } from './provider.ts'

const CLIENT_NAME = 'Laurel'
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
 * The configured provider, under the service's own account. Simulator and real provider differ in address and
 * credentials only.
 */
export function openProvider(linker: 'simulator' | PlaidSettings, address: string, reader: Reader): Provider {
  const common = { address, clientName: CLIENT_NAME }
  if (linker === 'simulator') return openPlaid({ ...common, ...SIMULATED, hasLinkPage: true })
  const { clientId, secret, environment, syncsPerMinute } = linker
  const limits = Object.entries(LIMITS[environment]).map(([operation, limit]) => [operation, limit * PATIENT_PART])
  // Only the worker reads feeds, so it may use the whole limit for that.
  const perMinute = { ...Object.fromEntries(limits), 'transactions/sync': syncsPerMinute }
  return openPlaid({
    ...common,
    clientId,
    secret,
    hasLinkPage: false,
    pace: { perMinute, pacing: createPacing(reader) },
  })
}
