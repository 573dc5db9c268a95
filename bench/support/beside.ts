import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallerPlan, Waits } from './measured-caller.ts'
import type { NeighbourCounts, NeighbourPlan } from './neighbour.ts'
import { type Serving, serve } from './processes.ts'
import type { Tenant } from './tenant.ts'

export type Pair = { readonly measured: Tenant; readonly neighbour: Tenant }
type CallsPlan = Omit<CallerPlan, 'url' | 'apiKey'>
export type FloodPlan = Omit<NeighbourPlan, 'url' | 'apiKey'>

/**
 * Lets one publisher call the service while its neighbor follows its own plan. The API, the worker and both publishers
 * each run in a separate process. Returns how long the publisher waited, and the status codes of the neighbor's calls.
 */
export async function playBeside(
  database: NodeJS.ProcessEnv,
  { measured, neighbour }: Pair,
  calls: CallsPlan,
  plan: FloodPlan,
  settleMs: number,
): Promise<{ readonly waits: Waits; readonly counts: NeighbourCounts }> {
  const env = { ...database, LAUREL_MASTER_KEY: randomBytes(32).toString('base64'), PORT: '0' }
  const running: Serving[] = []
  const start = async (program: string, given: object | null, settings: NodeJS.ProcessEnv = {}): Promise<Serving> => {
    const one = await serve(program, given === null ? [] : [JSON.stringify(given)], settings)
    running.push(one)
    return one
  }
  try {
    const { url } = await start('service.ts', null, { ...env, LAUREL_ROLE: 'api' })
    // The local base address allows webhooks to this machine.
    await start('service.ts', null, { ...env, LAUREL_ROLE: 'worker', LAUREL_BASE_URL: url })
    const caller = await start('measured-caller.ts', { ...calls, url, apiKey: measured.apiKey } satisfies CallerPlan)
    const other = await start('neighbour.ts', { ...plan, url, apiKey: neighbour.apiKey } satisfies NeighbourPlan)
    await wait(settleMs)
    const measuredWaits = once(caller.child, 'message') as Promise<[Waits]>
    caller.child.send('begin')
    const [waits] = await measuredWaits
    const counted = once(other.child, 'message') as Promise<[NeighbourCounts]>
    await other.stop()
    const [counts] = await counted
    return { waits, counts }
  } finally {
    for (const one of running.reverse()) await one.stop()
  }
}
