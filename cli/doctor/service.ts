import type { Config } from '../../src/platform/config/config.ts'
import { canReach, PRODUCTION } from '../../src/purchases/linker/index.ts'
import { addressOf, freePortOf } from '../ports.ts'
import { faultAt, isSimulator, probe, probeOrFault } from '../probe.ts'
import type { Runtime } from '../runtime.ts'
import { type Check, fine, wrong } from './check.ts'

export async function checkPort({ host, port }: Config, running: Runtime | null): Promise<Check> {
  if (running?.address === addressOf(host, port)) return fine('port', `${port} is in use by Laurel`)
  if ((await freePortOf(host, port)) !== null) return fine('port', port === 0 ? 'any free one' : `${port} is free`)
  return wrong('port', `${port} is in use by another program`, 'Set PORT to a free one.')
}

export async function checkService(running: Runtime | null): Promise<Check> {
  if (running === null)
    return wrong('service', 'not running on this data folder', 'Run `npm start` or `./laurel start`.')
  const fault = await faultAt(`${running.address}/healthz`)
  if (fault !== null) {
    return wrong(
      'service',
      `${running.address}/healthz: ${fault}`,
      `See the log of process ${running.pid}, or restart it.`,
    )
  }
  const ready = await probe(`${running.address}/readyz`)
  if (ready?.status === 200) return fine('service', `${running.address} responds and is ready`)
  return wrong('service', `${running.address} responds, but is not ready`, 'Check that its database is reachable.')
}

/** Checks the address that users and the provider use, such as that of a proxy. */
export async function checkPublicAddress(running: Runtime | null): Promise<Check[]> {
  if (running === null || running.url === running.address) return []
  const fault = await faultAt(`${running.url}/healthz`)
  if (fault === null) return [fine('public address', `${running.url} responds`)]
  return [
    wrong(
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
  if (!('fault' in answer)) return [fine('production', `${PRODUCTION} responds; production publishers link there`)]
  return [wrong('production', `${PRODUCTION}: ${answer.fault}`, 'Allow https requests to it from this machine.')]
}

/** Checks the provider of sandbox publishers: the service's own simulator, or the configured provider. */
export async function checkSimulator(config: Config, running: Runtime | null): Promise<Check> {
  if (config.linkerUrl !== null) {
    const kind = config.linkers.sandbox === 'simulator' ? 'a simulator' : "plaid's sandbox"
    const answer = await probeOrFault(config.linkerUrl)
    if (!('fault' in answer))
      return fine('linking provider', `${config.linkerUrl} responds; sandbox publishers link there, ${kind}`)
    return wrong(
      'linking provider',
      `${config.linkerUrl}: ${answer.fault}`,
      "Correct LAUREL_LINKER_URL, or unset it to use the simulator or the host of the provider's sandbox.",
    )
  }
  const url = running?.simulator_url ?? null
  if (url === null)
    return wrong('simulator', 'not running', 'Run `npm start` or `./laurel start`, which also starts it.')
  if (await isSimulator(url)) return fine('simulator', `${url} responds`)
  return wrong('simulator', `${url} does not respond`, 'Restart the service, which also restarts its simulator.')
}

/** Without webhooks, feeds are polled, which works but is slower. */
export function checkWebhooks({ linkers, linkerUrl, baseUrl, host, port }: Config): Check[] {
  const providers = [linkers.production === null ? null : PRODUCTION, linkerUrl].filter((url) => url !== null)
  if (providers.length === 0) return []
  const address = baseUrl ?? addressOf(host, port)
  if (providers.every((provider) => canReach(provider, address)))
    return [fine('webhooks', `the provider sends them to ${address}/linker/webhooks`)]
  return [
    wrong(
      'webhooks',
      'the provider cannot reach this service, so every feed is polled',
      'Set LAUREL_BASE_URL to the public https URL of the service.',
    ),
  ]
}
