import { request } from 'undici'

/** The number of calls to the simulator, and of those it refused because of a limit, by path. */
type Calls = {
  readonly calls: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
}

export async function readCalls(simulatorUrl: string): Promise<Calls> {
  return (await control(simulatorUrl, 'GET', '/_sim/calls')) as Calls
}

export async function enforceLimits(simulatorUrl: string, scale = 1): Promise<void> {
  await control(simulatorUrl, 'POST', '/_sim/limits', { enforced: true, scale })
}

export async function addFaults(simulatorUrl: string, faults: readonly object[]): Promise<void> {
  for (const fault of faults) await control(simulatorUrl, 'POST', '/_sim/faults', fault)
}

export async function removeFaults(simulatorUrl: string): Promise<void> {
  await control(simulatorUrl, 'DELETE', '/_sim/faults')
}

async function control(url: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
  const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await request(url + path, { method, ...sent })
  const parsed = await answer.body.json()
  if (answer.statusCode !== 200)
    throw new Error(`${method} ${path} answered ${answer.statusCode}: ${JSON.stringify(parsed)}`)
  return parsed
}
