import type { PlaidSettings } from '../../platform/config.ts'
import type { Reader } from '../../platform/database.ts'
import type { Provider } from '../provider.ts'
import { createTurns } from '../schedule/pacing.ts'
import { limitsOf } from './limits.ts'
import { openPlaid } from './provider.ts'

const CLIENT_NAME = 'Laurel'
// The simulator takes any credentials, and goes on with those it was first used with.
const SIMULATED = { clientId: 'laurel', secret: 'laurel' }

/** The provider of the settings, with the service's own account. One adapter: what differs is where it calls, and as whom. */
export function openProvider(linker: 'simulator' | PlaidSettings, address: string, reader: Reader): Provider {
  const common = { address, clientName: CLIENT_NAME }
  if (linker === 'simulator') return openPlaid({ ...common, ...SIMULATED, hasLinkPage: true })
  const { clientId, secret, environment, syncsPerMinute } = linker
  const pace = { limits: limitsOf(environment, syncsPerMinute), turns: createTurns(reader) }
  return openPlaid({ ...common, clientId, secret, hasLinkPage: false, pace })
}
