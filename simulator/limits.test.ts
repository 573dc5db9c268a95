import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLimits } from './limits.ts'
import { linkItem, openSimulator } from './test-support.ts'

type Counts = {
  calls: Record<string, number>
  refused: Record<string, number>
  most_per_minute: Record<string, { item: number; client: number }>
}

test('calls are counted by path, item and client, and the counts can be reset', async (t) => {
  const simulator = await openSimulator(t)
  const one = await linkItem(simulator)
  const two = await linkItem(simulator)
  await fetch(`${simulator.url}/_sim/calls`, { method: 'DELETE' })
  for (const { access_token } of [one, one, two]) await simulator.call('/item/get', { access_token })
  await simulator.call('/institutions/get_by_id', { institution_id: 'ins_109508', country_codes: ['US'] })
  const counts = await simulator.ask<Counts>('calls')
  assert.deepEqual(counts, {
    calls: { '/item/get': 3, '/institutions/get_by_id': 1 },
    refused: {},
    most_per_minute: { '/item/get': { item: 2, client: 3 }, '/institutions/get_by_id': { item: 0, client: 1 } },
  })
})

test('limits reject calls only when enforced, separately for each item and client', async (t) => {
  const simulator = await openSimulator(t)
  const one = await linkItem(simulator)
  const two = await linkItem(simulator)
  const refresh = async ({ access_token }: { access_token: string }) => {
    const { status, body } = await simulator.call('/transactions/refresh', { access_token })
    return status === 200 ? status : [status, body.error_type, body.error_code]
  }
  for (let index = 0; index < 3; index++) assert.equal(await refresh(one), 200)
  const set = await simulator.control('limits', { enforced: true })
  assert.deepEqual(set.body, { enforced: true, scale: 1 })
  const REFUSED = [429, 'RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_REFRESH_LIMIT']
  assert.deepEqual(await refresh(one), REFUSED)
  assert.deepEqual([await refresh(two), await refresh(two), await refresh(two)], [200, 200, REFUSED])

  // 1% of 400 calls per minute, for each client.
  await simulator.control('limits', { enforced: true, scale: 0.01 })
  const wish = { institution_id: 'ins_109508', country_codes: ['US'] }
  const ask = async (client: string) => (await simulator.call('/institutions/get_by_id', wish, client)).status
  for (let index = 0; index < 4; index++) assert.equal(await ask('client-a'), 200)
  assert.equal(await ask('client-a'), 429)
  assert.equal(await ask('client-b'), 200)
  const { refused } = await simulator.ask<Counts>('calls')
  assert.deepEqual(refused, { '/transactions/refresh': 2, '/institutions/get_by_id': 1 })

  await simulator.control('limits', { enforced: false })
  assert.equal(await refresh(one), 200)
})

test('calls older than a minute and rejected calls do not count toward a limit', () => {
  let now = 1_000_000_000
  const limits = openLimits(() => now)
  limits.set({ enforced: true, scale: 1 })
  const call = { path: '/transactions/refresh', clientId: 'client-a', itemId: 'item-1' }
  const admitted = () => limits.admits(call)
  assert.deepEqual([admitted(), admitted(), admitted(), admitted()], [true, true, false, false])
  now += 59_000
  assert.equal(admitted(), false)
  now += 1_000
  assert.deepEqual([admitted(), admitted(), admitted()], [true, true, false])
  now += 3_600_000
  assert.equal(admitted(), true)
  assert.deepEqual(limits.status().most_per_minute, { '/transactions/refresh': { item: 5, client: 5 } })
})
