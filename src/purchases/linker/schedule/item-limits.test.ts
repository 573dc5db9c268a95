import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  createClient,
  link,
  openWorld,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { openPlaid } from '../plaid/provider.ts'

// The provider counts every call about an item, including calls it fails to answer and their immediate retries.

const ITEMS = 3
// The provider's limits for one item per minute.
const CHECKS = 15
const SYNCS = 50

let world: World
before(async () => {
  world = await openWorld('linker_pace')
})
after(() => world.close())

type Counts = { readonly most_per_minute: Readonly<Record<string, { readonly item: number }>> }

test("failing calls for an item stay within the provider's limits per item", async () => {
  const client = await createClient(world)
  for (let number = 0; number < ITEMS; number++) {
    await addUser(world, `user-${number}`)
    assert.equal((await link(world, client, `user-${number}`)).status, 200)
  }
  await work(world)
  // Every call fails here, which would otherwise open the circuit breaker.
  const breaker = { failuresMax: Number.MAX_SAFE_INTEGER }
  world.deps.providers.sandbox = openPlaid({
    ...CLIENT,
    address: world.simulator.url,
    isSimulator: true,
    environment: 'sandbox' as const,
    breaker,
  })
  for (const path of ['/item/get', '/transactions/sync'])
    await atSimulator(world, '/_sim/faults', { kind: 'server_error', path, times: 0 })
  // For the simulator, but not for the service, linking and the first run of each kind fall in the same minute.
  const before = await mostForOne()
  world.clock.offsetMs += 2 * 86_400_000
  // One minute for the service and for the simulator. The clock moves only in steps, so a slow machine adds no minute.
  const still = Date.now()
  world.clock.now = () => new Date(still + world.clock.offsetMs)
  for (let second = 0; second < 60; second += 2) {
    await work(world)
    world.clock.offsetMs += 2_000
  }
  const most = await mostForOne()
  assert.ok(most.checks - before.checks > 3, 'it was tried again')
  assert.ok(most.checks - before.checks <= CHECKS, `${most.checks - before.checks} calls of item/get`)
  assert.ok(most.syncs - before.syncs <= SYNCS, `${most.syncs - before.syncs} calls of transactions/sync`)
})

async function mostForOne(): Promise<{ checks: number; syncs: number }> {
  const { most_per_minute } = (await (await fetch(`${world.simulator.url}/_sim/calls`)).json()) as Counts
  const of = (path: string): number => most_per_minute[path]?.item ?? 0
  return { checks: of('/item/get'), syncs: of('/transactions/sync') }
}
