import type { PlaidSettings } from '../../platform/config.ts'
import type { Reader } from '../../platform/database.ts'
import type { Provider } from '../provider.ts'
import { createPacing } from '../schedule/pacing.ts'
import { limitsOf } from './limits.ts'
import { openPlaid } from './provider.ts'

const CLIENT_NAME = 'Laurel'
// The simulator takes any credentials, and expects from then on those that it was first used with.
const SIMULATED = { clientId: 'laurel', secret: 'laurel' }

/** The provider of the settings, under the service's own account. Simulator and real provider differ in address and credentials only. */
export function openProvider(linker: 'simulator' | PlaidSettings, address: string, reader: Reader): Provider {
  const common = { address, clientName: CLIENT_NAME }
  if (linker === 'simulator') return openPlaid({ ...common, ...SIMULATED, hasLinkPage: true })
  const { clientId, secret, environment, syncsPerMinute } = linker
  const pace = { limits: limitsOf(environment, syncsPerMinute), pacing: createPacing(reader) }
  return openPlaid({ ...common, clientId, secret, hasLinkPage: false, pace })
}
