import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, openSimulator, type TestSimulator } from '../test-support.ts'

type Row = {
  readonly transaction_id: string
  readonly account_id: string
  readonly amount: number
  readonly date: string
  readonly authorized_date: string | null
  readonly pending: boolean
  readonly pending_transaction_id: string | null
  readonly merchant_name: string | null
  readonly merchant_entity_id: string | null
  readonly counterparties: readonly unknown[]
  readonly website: string | null
  readonly original_description: string | null
  readonly location: { readonly store_number: string | null; readonly city: string | null }
  readonly payment_channel: string
}
type Page = {
  readonly added: readonly Row[]
  readonly modified: readonly Row[]
  readonly removed: readonly { readonly transaction_id: string; readonly account_id: string }[]
  readonly next_cursor: string
  readonly has_more: boolean
  readonly transactions_update_status: string
}

async function sync({ call }: TestSimulator, access_token: string, more: object = {}): Promise<Page> {
  return (await call<Page>('/transactions/sync', { access_token, ...more })).body
}

async function buy({ control }: TestSimulator, purchase: object): Promise<Row> {
  const { status, body } = await control<Row>('purchases', { merchant: 'Fern Foods', amount: 20, ...purchase })
  assert.equal(status, 200)
  return body
}

test('a purchase is synced once, and its original description is sent only on request', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  const bought = await buy(simulator, {
    item_id,
    amount: 12.34,
    website: 'fernfoods.example',
    original_description: 'SQ *FERN FOODS #12',
    location: { store_number: '12', city: 'Springfield' },
  })
  const first = await sync(simulator, access_token)
  const [row] = first.added
  assert.equal(row?.transaction_id, bought.transaction_id)
  assert.equal(row?.amount, 12.34)
  assert.equal(row?.original_description, null)
  assert.deepEqual([row?.location.store_number, row?.payment_channel], ['12', 'in store'])
  assert.deepEqual([first.has_more, first.transactions_update_status], [false, 'HISTORICAL_UPDATE_COMPLETE'])

  const full = await sync(simulator, access_token, { options: { include_original_description: true } })
  assert.equal(full.added[0]?.original_description, 'SQ *FERN FOODS #12')
  const after = await sync(simulator, access_token, { cursor: first.next_cursor })
  assert.deepEqual([after.added, after.modified, after.removed], [[], [], []])
  assert.equal(after.next_cursor, first.next_cursor)
})

test('sync pages have the requested size and together contain every row', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  for (let index = 0; index < 5; index++) await buy(simulator, { item_id, amount: index + 1 })
  const sizes: number[] = []
  let page = await sync(simulator, access_token, { count: 2 })
  sizes.push(page.added.length)
  while (page.has_more) {
    page = await sync(simulator, access_token, { count: 2, cursor: page.next_cursor })
    sizes.push(page.added.length)
  }
  assert.deepEqual(sizes, [2, 2, 1])
})

test("without enrichment, a row has only the bank's own data", async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  const raw = await buy(simulator, {
    item_id,
    merchant: 'SQ *FERN 012',
    website: 'fern.example',
    with_enrichment: false,
  })
  assert.deepEqual([raw.merchant_name, raw.merchant_entity_id, raw.website, raw.counterparties], [null, null, null, []])
  const rich = await buy(simulator, { item_id })
  const again = await buy(simulator, { item_id })
  assert.equal(rich.merchant_name, 'Fern Foods')
  assert.equal(rich.merchant_entity_id, again.merchant_entity_id)
})

test('posting replaces the pending row in one update with a new row, which may include a tip', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  const pending = await buy(simulator, { item_id, pending: true, date: '2026-03-01' })
  const { next_cursor } = await sync(simulator, access_token)
  const answer = await simulator.control<Row>(`purchases/${pending.transaction_id}/post`, {
    amount: 23.5,
    date: '2026-03-03',
  })
  const page = await sync(simulator, access_token, { cursor: next_cursor })
  assert.deepEqual(
    page.added.map((row) => [row.transaction_id, row.amount, row.pending, row.pending_transaction_id, row.date]),
    [[answer.body.transaction_id, 23.5, false, pending.transaction_id, '2026-03-03']],
  )
  assert.equal(page.added[0]?.authorized_date, '2026-03-01')
  const { transaction_id, account_id } = pending
  assert.deepEqual(page.removed, [{ transaction_id, account_id }])
  assert.notEqual(answer.body.transaction_id, transaction_id)
})

test('a posted row can omit the id of its pending row', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  const pending = await buy(simulator, { item_id, pending: true })
  const posted = await simulator.control<Row>(`purchases/${pending.transaction_id}/post`, { linked: false })
  assert.deepEqual([posted.body.pending, posted.body.pending_transaction_id], [false, null])
})

test('a voided purchase vanishes without a replacement', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  const pending = await buy(simulator, { item_id, pending: true })
  const { next_cursor } = await sync(simulator, access_token)
  await simulator.control(`purchases/${pending.transaction_id}/void`)
  const page = await sync(simulator, access_token, { cursor: next_cursor })
  assert.deepEqual([page.added.length, page.removed.length], [0, 1])
})

test('refunds are separate negative rows and never exceed the purchase', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  const bought = await buy(simulator, { item_id, amount: 20 })
  const refund = (body: object) =>
    simulator.control<Row & { error_code: string }>(`purchases/${bought.transaction_id}/refund`, body)
  const part = await refund({ amount: 5.55 })
  assert.equal(part.body.amount, -5.55)
  assert.equal(part.body.pending_transaction_id, null)
  assert.equal((await refund({ amount: 14.46 })).body.error_code, 'MORE_THAN_LEFT')
  assert.equal((await refund({})).body.amount, -14.45)
  assert.equal((await refund({})).body.error_code, 'MORE_THAN_LEFT')
  const { added } = await sync(simulator, access_token)
  assert.deepEqual(
    added.map(({ amount }) => amount),
    [20, -5.55, -14.45],
  )
})

test("actions that a purchase's state does not allow are rejected", async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  const posted = await buy(simulator, { item_id })
  const pending = await buy(simulator, { item_id, pending: true })
  const attempt = async (id: string, verb: string) =>
    (await simulator.control(`purchases/${id}/${verb}`)).body.error_code
  assert.equal(await attempt(posted.transaction_id, 'post'), 'NOT_PENDING')
  assert.equal(await attempt(posted.transaction_id, 'void'), 'NOT_PENDING')
  assert.equal(await attempt(pending.transaction_id, 'refund'), 'STILL_PENDING')
  assert.equal(await attempt('nothing', 'refund'), 'TRANSACTION_NOT_FOUND')
})

test('a bank that does not report pending rows rejects a pending purchase', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator, { institution: 'ins_810002' })
  const wish = { item_id, merchant: 'Fern Foods', amount: 3, pending: true }
  assert.equal((await simulator.control('purchases', wish)).body.error_code, 'NO_PENDING_ROWS')
})

test('items can be found by user or account, and are returned without their tokens', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  type Items = { items: { item_id: string; client_user_id: string; accounts: { account_id: string }[] }[] }
  const { items } = await simulator.ask<Items>('items?client_user_id=sandbox:user_plain')
  assert.deepEqual(
    items.map((item) => item.item_id),
    [item_id],
  )
  assert.deepEqual((await simulator.ask<Items>('items?client_user_id=no-one')).items, [])
  assert.ok(!JSON.stringify(items).includes(access_token))
  const account_id = items[0]?.accounts[1]?.account_id
  const byAccount = await simulator.ask<Items>(`items?account_id=${account_id}`)
  assert.deepEqual(byAccount.items, items)
  assert.deepEqual((await simulator.ask<Items>('items?account_id=no-one')).items, [])
  const paid = await buy(simulator, { client_user_id: 'sandbox:user_plain', account_id })
  assert.equal(paid.account_id, account_id)
})

test('the date of a purchase is the simulated day by default', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  const set = await simulator.control<{ now: string }>('clock', { offset_seconds: 40 * 86_400 })
  const { date } = await buy(simulator, { item_id })
  assert.equal(date, set.body.now.slice(0, 10))
  const days = (Date.parse(set.body.now) - Date.now()) / 86_400_000
  assert.ok(days > 39.9 && days < 40.1)
})

const REFUSED: readonly [what: string, purchase: object, status: number][] = [
  ['no payer', { item_id: undefined }, 400],
  ['an unknown payer', { item_id: 'nothing' }, 404],
  ['a fraction of a cent', { amount: 1.005 }, 400],
  ['a negative amount', { amount: -1 }, 400],
  ['an amount in words', { amount: '5' }, 400],
  ['a nonexistent day', { date: '2026-02-30' }, 400],
  ['an unknown field', { colour: 'red' }, 400],
]
for (const [what, fault, status] of REFUSED) {
  test(`a purchase with ${what} is rejected`, async (t) => {
    const simulator = await openSimulator(t)
    const { item_id } = await linkItem(simulator)
    const answer = await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount: 3, ...fault })
    assert.equal(answer.status, status)
    assert.ok(answer.body.error_message.length > 0)
  })
}
test('a marketplace purchase lists both the marketplace and the merchant, even after a correction', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  const bought = await buy(simulator, { item_id, marketplace: 'Dashing' })
  const { body } = await simulator.control<Row>(`purchases/${bought.transaction_id}/change`, { amount: 21 })
  for (const { counterparties, original_description, merchant_name } of [bought, body]) {
    const named = (counterparties as { type: string; name: string }[]).map(({ type, name }) => `${type} ${name}`)
    assert.deepEqual(named, ['merchant Fern Foods', 'marketplace Dashing'])
    assert.deepEqual([original_description, merchant_name], ['DASHING*FERN FOODS', 'Fern Foods'])
  }
})

test('a row can have an unofficial or unknown currency', async (t) => {
  const simulator = await openSimulator(t)
  const { item_id } = await linkItem(simulator)
  type Money = { iso_currency_code: string | null; unofficial_currency_code: string | null }
  for (const [wish, official, unofficial] of [
    [{}, 'USD', null],
    [{ currency: 'EUR' }, 'EUR', null],
    [{ currency: null }, null, null],
    [{ unofficial_currency: 'BTC' }, null, 'BTC'],
  ] as const) {
    const row = (await buy(simulator, { item_id, ...wish })) as Row & Money
    assert.deepEqual([row.iso_currency_code, row.unofficial_currency_code], [official, unofficial])
  }
})
