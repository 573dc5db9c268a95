import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, openSimulator, type TestSimulator } from './test-support.ts'

type Row = { readonly transaction_id: string; readonly account_id: string; readonly amount: number }

async function readRows({ call }: TestSimulator, access_token: string): Promise<readonly Row[]> {
  return (await call<{ added: readonly Row[] }>('/transactions/sync', { access_token })).body.added
}

test('a relinked login gets its history under new ids, even after its first item was removed', async (t) => {
  const simulator = await openSimulator(t)
  const first = await linkItem(simulator, { username: 'ada' })
  const purchase = { item_id: first.item_id, merchant: 'Fern Foods', amount: 20 }
  const { body } = await simulator.control<Row>('purchases', purchase)
  await simulator.control(`purchases/${body.transaction_id}/refund`, { amount: 5 })
  const before = await readRows(simulator, first.access_token)
  const second = await linkItem(simulator, { username: 'ada' })
  const again = await readRows(simulator, second.access_token)
  await simulator.call('/item/remove', { access_token: first.access_token })
  await simulator.call('/item/remove', { access_token: second.access_token })
  const third = await linkItem(simulator, { username: 'ada' })
  const after = await readRows(simulator, third.access_token)
  const amounts = [before, again, after].map((rows) => rows.map(({ amount }) => amount))
  assert.deepEqual(amounts, [
    [20, -5],
    [20, -5],
    [20, -5],
  ])
  const rows = [before, again, after].flat()
  for (const id of ['transaction_id', 'account_id'] as const)
    assert.equal(new Set(rows.map((row) => row[id])).size, id === 'account_id' ? 3 : 6)
  const left = await simulator.control<{ error_code: string }>(`purchases/${after[0]?.transaction_id}/refund`, {
    amount: 15.01,
  })
  assert.equal(left.body.error_code, 'MORE_THAN_LEFT')
})

test("the provider's own test user starts fresh with each link", async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator, { username: 'user_good' })
  await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount: 20 })
  const again = await linkItem(simulator, { username: 'user_good' })
  assert.deepEqual(await readRows(simulator, again.access_token), [])
})

test('a new link does not show a hold that has already posted', async (t) => {
  const simulator = await openSimulator(t)
  const first = await linkItem(simulator, { username: 'grace' })
  const purchase = { item_id: first.item_id, merchant: 'Fern Foods', amount: 20, pending: true }
  const { body } = await simulator.control<Row>('purchases', purchase)
  await simulator.control(`purchases/${body.transaction_id}/post`, { amount: 21, late_removal: true })
  const second = await linkItem(simulator, { username: 'grace' })
  const amounts = (await readRows(simulator, second.access_token)).map(({ amount }) => amount)
  assert.deepEqual(amounts, [21])
})
