import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { linkItem, openSimulator, type TestSimulator, type Tokens, temporaryFolder } from '../test-support.ts'

type Row = { readonly transaction_id: string; readonly date: string; readonly authorized_date: string }
const DAY_SECONDS = 86_400

async function move({ control }: TestSimulator, { access_token }: Tokens, days: number): Promise<string> {
  const body = { access_token, offset_seconds: days * DAY_SECONDS }
  const moved = await control<{ now: string; offset_seconds: number }>('item-clock', body)
  assert.deepEqual([moved.status, moved.body.offset_seconds], [200, body.offset_seconds])
  return moved.body.now.slice(0, 10)
}

async function buy({ control }: TestSimulator, { item_id }: Tokens, more: object = {}): Promise<Row> {
  const { status, body } = await control<Row>('purchases', { item_id, merchant: 'Fern Foods', amount: 20, ...more })
  assert.equal(status, 200)
  return body
}

function daysAhead(day: string): number {
  return Math.round((Date.parse(day) - Date.now()) / (DAY_SECONDS * 1000))
}

test("an item's rows are dated by its own clock, which does not affect other items", async (t) => {
  const simulator = await openSimulator(t)
  const [ahead, other] = [await linkItem(simulator), await linkItem(simulator)]
  const before = await buy(simulator, ahead, { pending: true })
  const today = await move(simulator, ahead, 40)
  assert.ok(Math.abs(daysAhead(today) - 40) <= 1)

  const bought = await buy(simulator, ahead)
  assert.deepEqual([bought.date, bought.authorized_date], [today, today])
  const posted = await simulator.control<Row>(`purchases/${before.transaction_id}/post`)
  assert.deepEqual([posted.body.date, posted.body.authorized_date], [today, before.date])
  const refund = await simulator.control<Row>(`purchases/${bought.transaction_id}/refund`)
  assert.equal(refund.body.date, today)
  assert.ok(Math.abs(daysAhead((await buy(simulator, other)).date)) <= 1)

  type Reply = { status: { transactions: { last_successful_update: string } } }
  const { body } = await simulator.call<Reply>('/item/get', { access_token: ahead.access_token })
  assert.equal(body.status.transactions.last_successful_update.slice(0, 10), today)
})

test('an explicit date overrides the clock', async (t) => {
  const simulator = await openSimulator(t)
  const item = await linkItem(simulator)
  await move(simulator, item, 40)
  assert.equal((await buy(simulator, item, { date: '2026-03-01' })).date, '2026-03-01')
})

test("an item's clock offset is added to the simulator's", async (t) => {
  const simulator = await openSimulator(t)
  const item = await linkItem(simulator)
  await simulator.control('clock', { offset_seconds: 5 * DAY_SECONDS })
  await move(simulator, item, 40)
  assert.ok(Math.abs(daysAhead((await buy(simulator, item)).date) - 45) <= 1)
})

test("an item's clock survives a restart and is returned with the item", async (t) => {
  const dataFile = join(await temporaryFolder(t), 'simulator.json')
  const before = await openSimulator(t, { dataFile })
  const item = await linkItem(before)
  await move(before, item, 40)
  await before.close()

  const after = await openSimulator(t, { dataFile })
  assert.ok(Math.abs(daysAhead((await buy(after, item)).date) - 40) <= 1)
  const { items } = await after.ask<{ items: { clock_offset_seconds: number }[] }>('items')
  assert.deepEqual(
    items.map(({ clock_offset_seconds }) => clock_offset_seconds),
    [40 * DAY_SECONDS],
  )
})

test('a clock offset of more than a century is rejected, as is one for an unknown item', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  const attempt = (body: object) => simulator.control('item-clock', { access_token, ...body })
  const unknown = await attempt({ access_token: 'access-sandbox-x', offset_seconds: 1 })
  assert.deepEqual([unknown.status, unknown.body.error_code], [400, 'INVALID_ACCESS_TOKEN'])
  for (const offset_seconds of [undefined, 0.5, '1', 36_525 * DAY_SECONDS + 1]) {
    assert.equal((await attempt({ offset_seconds })).status, 400)
  }
  await simulator.call('/item/remove', { access_token })
  assert.equal((await attempt({ offset_seconds: 1 })).body.error_code, 'ITEM_NOT_FOUND')
})
