import type { Config } from '../../src/platform/config/config.ts'
import { canReach, PRODUCTION } from '../../src/purchases/linker/index.ts'
import { buildAddress, findFreePort } from '../ports.ts'
import { findFaultAt, isSimulator, probe, probeOrFault } from '../probe.ts'
import type { Runtime } from '../runtime.ts'
import { type Check, fail, pass } from './check.ts'

export async function checkPort({ host, port }: Config, running: Runtime | null): Promise<Check> {
  if (running?.address === buildAddress(host, port)) return pass('port', `${port} is in use by Laurel`)
  if ((await findFreePort(host, port)) !== null) return pass('port', port === 0 ? 'any free one' : `${port} is free`)
  return fail('port', `${port} is in use by another program`, 'Set PORT to a free one.')
}

export async function checkService(running: Runtime | null): Promise<Check> {
  if (running === null)
    return fail('service', 'not running on this data folder', 'Run `npm start` or `./laurel start`.')
  const fault = await findFaultAt(`${running.address}/healthz`)
  if (fault !== null) {
    return fail(
      'service',
      `${running.address}/healthz: ${fault}`,
      `See the log of process ${running.pid}, or restart it.`,
    )
  }
  const ready = await probe(`${running.address}/readyz`)
  if (ready?.status === 200) return pass('service', `${running.address} responds and is ready`)
  return fail('service', `${running.address} responds, but is not ready`, 'Check that its database is reachable.')
}

/** Checks the public address, such as a proxy's, that users and the provider use. */
export async function checkPublicAddress(running: Runtime | null): Promise<Check[]> {
  if (running === null || running.url === running.address) return []
  const fault = await findFaultAt(`${running.url}/healthz`)
  if (fault === null) return [pass('public address', `${running.url} responds`)]
  return [
    fail(
      'public address',
      `${running.url}/healthz, requested from here: ${fault}`,
      'Check LAUREL_BASE_URL, its DNS name, certificate and proxy. If it is reachable only from elsewhere, test ' +
        'it from there.',
    ),
  ]
}

/**
 * Checks that the provider's production environment responds, if production publishers link there. Any response will
 * do.
 */
export async function checkProduction({ linkers }: Config): Promise<Check[]> {
  if (linkers.production === null) return []
  const answer = await probeOrFault(PRODUCTION)
  if (!('fault' in answer)) return [pass('production', `${PRODUCTION} responds; production publishers link there`)]
  return [fail('production', `${PRODUCTION}: ${answer.fault}`, 'Allow https requests to it from this machine.')]
}

/** Checks the provider of sandbox publishers: the service's own simulator, or the configured provider. */
export async function checkSimulator(config: Config, running: Runtime | null): Promise<Check> {
  if (config.linkerUrl !== null) {
    const kind = config.linkers.sandbox === 'simulator' ? 'a simulator' : "plaid's sandbox"
    const answer = await probeOrFault(config.linkerUrl)
    if (!('fault' in answer))
      return pass('linking provider', `${config.linkerUrl} responds; sandbox publishers link there, ${kind}`)
    return fail(
      'linking provider',
      `${config.linkerUrl}: ${answer.fault}`,
      "Correct LAUREL_LINKER_URL, or unset it to use the simulator or the host of the provider's sandbox.",
    )
  }
  const url = running?.simulator_url ?? null
  if (url === null)
    return fail('simulator', 'not running', 'Run `npm start` or `./laurel start`, which also starts it.')
  if (await isSimulator(url)) return pass('simulator', `${url} responds`)
  return fail('simulator', `${url} does not respond`, 'Restart the service, which also restarts its simulator.')
}

/** Checks that webhooks can reach this installation. Without them, feeds are polled, which works but is slower. */
export function checkWebhooks({ linkers, linkerUrl, baseUrl, host, port }: Config): Check[] {
  const providers = [linkers.production === null ? null : PRODUCTION, linkerUrl].filter((url) => url !== null)
  if (providers.length === 0) return []
  const address = baseUrl ?? buildAddress(host, port)
  if (providers.every((provider) => canReach(provider, address)))
    return [pass('webhooks', `the provider sends them to ${address}/linker/webhooks`)]
  return [
    fail(
      'webhooks',
      'the provider cannot reach this service, so every feed is polled',
      'Set LAUREL_BASE_URL to the public https URL of the service.',
    ),
  ]
}
