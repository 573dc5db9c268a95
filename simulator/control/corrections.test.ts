import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, openFeed, type Row } from '../feed-support.ts'
import { linkItem, openSimulator } from '../test-support.ts'

test("a late removal arrives with the item's next change, in a separate update", async (t) => {
  const feed = await openFeed(t)
  const pending = await feed.buy({ pending: true })
  await feed.read()
  const posted = await feed.verb<Row>(pending, 'post', { late_removal: true, amount: 21 })
  assert.deepEqual((await feed.read()).removed, [])
  assert.deepEqual(feed.ids(), [pending.transaction_id, posted.transaction_id].sort())
  assert.equal(feed.copy.get(posted.transaction_id)?.pending_transaction_id, pending.transaction_id)
  assert.equal((await feed.fault(pending, 'post')).error_code, 'NOT_PENDING')

  const other = await feed.buy()
  const update = await feed.read()
  assert.deepEqual(update.removed, [pending.transaction_id])
  assert.deepEqual(feed.ids(), [posted.transaction_id, other.transaction_id].sort())
})

test('a refresh triggers late removals, just as a change does', async (t) => {
  const feed = await openFeed(t)
  const pending = await feed.buy({ pending: true })
  await feed.verb(pending, 'post', { late_removal: true })
  await feed.read()
  await feed.call('/transactions/refresh')
  assert.deepEqual((await feed.read()).removed, [pending.transaction_id])
})

test('a pending row awaiting a late removal can be corrected and is removed only once', async (t) => {
  const feed = await openFeed(t)
  const pending = await feed.buy({ pending: true })
  await feed.verb(pending, 'post', { late_removal: true })
  await feed.read()
  await feed.verb(pending, 'change', { amount: 19 })
  assert.deepEqual((await feed.read()).modified, [pending.transaction_id])
  await feed.verb(pending, 'void')
  assert.deepEqual((await feed.read()).removed, [pending.transaction_id])
  await feed.buy()
  assert.deepEqual((await feed.read()).removed, [])
})

test('after an early removal, the posted row still references the removed pending row', async (t) => {
  const feed = await openFeed(t)
  const pending = await feed.buy({ pending: true })
  await feed.read()
  await feed.verb(pending, 'post', { early_removal: true })
  const gone = await feed.read()
  assert.deepEqual([gone.removed, gone.added], [[pending.transaction_id], []])
  const posted = await feed.verb<Row>(pending, 'post', { amount: 24 })
  const come = await feed.read()
  assert.deepEqual([come.removed, come.added], [[], [posted.transaction_id]])
  assert.deepEqual([posted.pending_transaction_id, posted.amount], [pending.transaction_id, 24])
  assert.equal((await feed.fault(pending, 'post')).error_code, 'NOT_PENDING')
  const both = await feed.fault(await feed.buy({ pending: true }), 'post', { early_removal: true, late_removal: true })
  assert.equal(both.error_code, 'INVALID_FIELD')
})

test('a correction arrives as a modified row under the same id, with all other fields unchanged', async (t) => {
  const feed = await openFeed(t)
  const bought = await feed.buy({ website: 'fern.example', location: { city: 'Springfield' }, mcc: '5411' })
  await feed.read()
  await feed.verb(bought, 'change', { amount: 18.5, date: '2026-03-09', category: 'FOOD_AND_DRINK' })
  assert.deepEqual((await feed.read()).modified, [bought.transaction_id])
  assert.deepEqual(feed.copy.get(bought.transaction_id), {
    ...bought,
    amount: 18.5,
    date: '2026-03-09',
    personal_finance_category: {
      ...bought.personal_finance_category,
      primary: 'FOOD_AND_DRINK',
      detailed: 'FOOD_AND_DRINK_OTHER_FOOD_AND_DRINK',
    },
  })

  const renamed = await feed.verb<Row>(bought, 'change', { merchant: 'Maple Market' })
  assert.deepEqual([renamed.merchant_name, renamed.amount, renamed.date], ['Maple Market', 18.5, '2026-03-09'])
  assert.notEqual(renamed.merchant_entity_id, bought.merchant_entity_id)
  assert.deepEqual([renamed.website, renamed.location], [bought.website, bought.location])
})

test('a correction adds no enrichment to a bare row and leaves a refund negative', async (t) => {
  const feed = await openFeed(t)
  const raw = await feed.buy({ with_enrichment: false })
  assert.equal((await feed.verb<Row>(raw, 'change', { merchant: 'SQ *FERN' })).merchant_name, null)
  const refund = await feed.verb<Row>(raw, 'refund', { amount: 5 })
  assert.equal((await feed.verb<Row>(refund, 'change', { amount: 6 })).amount, -6)
})

test('a removed row can be restored under its original id any number of times', async (t) => {
  const feed = await openFeed(t)
  const bought = await feed.buy()
  await feed.read()
  for (let round = 0; round < 2; round++) {
    await feed.verb(bought, 'remove')
    assert.deepEqual((await feed.read()).removed, [bought.transaction_id])
    assert.equal((await feed.fault(bought, 'remove')).error_code, 'TRANSACTION_REMOVED')
    assert.equal((await feed.fault(bought, 'refund')).error_code, 'TRANSACTION_REMOVED')
    await feed.verb(bought, 'bring-back')
    assert.deepEqual((await feed.read()).added, [bought.transaction_id])
    assert.equal((await feed.fault(bought, 'bring-back')).error_code, 'NOT_REMOVED')
  }
  await feed.verb(bought, 'remove')
  await feed.verb(bought, 'bring-back')
  assert.deepEqual((await feed.read()).removed, [], 'gone and back within one update is no removal')
})

test('a voided purchase can be restored and posted', async (t) => {
  const feed = await openFeed(t)
  const pending = await feed.buy({ pending: true })
  assert.equal((await feed.fault(pending, 'remove')).error_code, 'STILL_PENDING')
  await feed.verb(pending, 'void')
  await feed.verb(pending, 'bring-back')
  const posted = await feed.verb<Row>(pending, 'post')
  await feed.read()
  assert.deepEqual(feed.ids(), [posted.transaction_id])
})

test('a pending refund posts as a refund of the same purchase, even with a different amount', async (t) => {
  const feed = await openFeed(t)
  const bought = await feed.buy({ amount: 20 })
  const pending = await feed.verb<Row>(bought, 'refund', { amount: 8, pending: true })
  assert.deepEqual([pending.amount, pending.pending], [-8, true])
  assert.equal((await feed.fault(bought, 'refund', { amount: 12.01 })).error_code, 'MORE_THAN_LEFT')
  const posted = await feed.verb<Row>(pending, 'post', { amount: 7, late_removal: true })
  assert.equal(posted.amount, -7)
  assert.equal((await feed.verb<Row>(bought, 'refund')).amount, -13, 'a late removal is not given back twice')
})

test('a refund without a purchase is a negative row', async (t) => {
  const feed = await openFeed(t)
  const { item_id } = feed.item
  const answer = await feed.control<Row>('refunds', {
    item_id,
    merchant: 'Fern Foods',
    amount: 9.5,
    date: '2026-03-02',
  })
  assert.deepEqual(
    [answer.body.amount, answer.body.date, answer.body.merchant_name],
    [-9.5, '2026-03-02', 'Fern Foods'],
  )
  assert.deepEqual((await feed.read()).added, [answer.body.transaction_id])
  assert.equal((await feed.fault(answer.body, 'refund')).error_code, 'NOT_A_PURCHASE')
  assert.equal((await feed.control('refunds', { item_id, merchant: 'Fern Foods', amount: 0 })).status, 400)
})

test('removed rows and pending late removals survive a restart', async (t) => {
  const feed = await openFeed(t, { keeps: true })
  const [late, early] = [await feed.buy({ pending: true }), await feed.buy({ pending: true })]
  await feed.verb(late, 'post', { late_removal: true })
  // Reads the posted row first, because an early removal is itself a change that triggers late removals.
  await feed.read()
  const again = await feed.restart()
  await again.verb(early, 'post', { early_removal: true })
  assert.deepEqual((await again.read()).removed.sort(), [late.transaction_id, early.transaction_id].sort())
  const last = await again.restart()
  assert.equal((await last.verb<Row>(early, 'post')).pending_transaction_id, early.transaction_id)
})

test('rows of different items never mix', async (t) => {
  const simulator = await openSimulator(t)
  const items = [await linkItem(simulator), await linkItem(simulator), await linkItem(simulator)]
  for (const { item_id } of items) {
    const { transaction_id, account_id } = await buy(simulator, { item_id })
    await simulator.control(`purchases/${transaction_id}/remove`)
    await simulator.control(`purchases/${transaction_id}/bring-back`)
    const listed = await simulator.ask<{ purchases: Row[] }>(`purchases?account_id=${account_id}`)
    assert.deepEqual(
      listed.purchases.map((row) => row.transaction_id),
      [transaction_id],
    )
  }
})
