import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../src/ledger/index.ts'
import { HOUR_MS } from '../../src/platform/calendar.ts'
import { decodeId } from '../../src/platform/ids.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Events that arrive late, out of order or in another currency, or that show that two purchases are one.

type Sent = Readonly<Record<string, unknown>> & { readonly id: string }

const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  description: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 10 },
  refund_period_days: 30,
  terms_and_conditions: 'Sample.',
  ...given,
})
const brand = (brand_uid: string, ...offers: object[]) => ({
  brand_uid,
  category_id: 1,
  name: `Shop ${brand_uid}`,
  website: `https://${brand_uid}.example`,
  offers,
})

let app: TestApp
let users = 0

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: [
      brand('plain', offer('plain-10', {})),
      brand('once', offer('once-10', { one_time_use: true })),
      brand('newcomers', offer('newcomers-10', { new_customer_only: true })),
    ],
  })
})
after(async () => {
  await app.close()
})

async function activeUser(): Promise<string> {
  const publisher_user_id = `late-${users++}`
  await app.call('POST', '/users', { publisher_user_id })
  await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  return publisher_user_id
}

/**
 * `id` and `of` become external IDs of this user. `at` is in hours from now, so a positive value is after the terms
 * were accepted.
 */
function makeEvent(user: string, { id, of, at, ...rest }: Sent): object {
  const time =
    at === undefined ? {} : { transaction_date_time: new Date(Date.now() + Number(at) * HOUR_MS).toISOString() }
  const original = of === undefined ? {} : { original_external_id: `${user} ${of}` }
  return {
    publisher_user_id: user,
    external_id: `${user} ${id}`,
    brand_uid: 'plain',
    amount: 100,
    ...time,
    ...original,
    ...rest,
  }
}

async function send(user: string, ...events: Sent[]) {
  const answers = []
  for (const event of events) answers.push(await app.call('POST', '/transactions', makeEvent(user, event)))
  return answers
}

async function sendTogether(user: string, ...events: Sent[]) {
  const { status, body } = await app.call('POST', '/transactions', {
    transactions: events.map((event) => makeEvent(user, event)),
  })
  assert.equal(status, 200)
  return body.results
}

async function pending(user: string): Promise<number> {
  return (await app.call('GET', `/users/status/${user}`)).body.pending_cashback
}

test('a refund of an unknown purchase applies once the purchase arrives, even in the same batch', async () => {
  const [alone, together] = [await activeUser(), await activeUser()]
  const refund: Sent = { id: 'r', of: 'p', kind: 'REFUND', amount: 40 }
  const [waiting, bought] = await send(alone, refund, { id: 'p' })
  assert.deepEqual([waiting?.body.status, waiting?.body.status_reason], ['CANCELLED', 'original_unknown'])
  assert.equal(bought?.body.transaction_uid, waiting?.body.transaction_uid)
  await sendTogether(together, refund, { id: 'p' })
  assert.deepEqual([await pending(alone), await pending(together)], [6, 6])
})

test('a clearing that connects a waiting refund to its hold makes one purchase, batched or not', async () => {
  const [singly, batched] = [await activeUser(), await activeUser()]
  const events: Sent[] = [
    { id: 'a', kind: 'AUTHORIZATION' },
    { id: 'r', of: 'c', kind: 'REFUND', amount: 40 },
    { id: 'c', of: 'a', at: 0.5 },
  ]
  for (const answer of await send(singly, ...events)) assert.equal(answer.status, 200)
  for (const result of await sendTogether(batched, ...events)) assert.equal(result.status, 200)
  assert.deepEqual([await pending(singly), await pending(batched)], [6, 6])
})

test('a chain of joins within one batch leaves no orphans', async () => {
  const user = await activeUser()
  await send(
    user,
    { id: 'p' },
    { id: 'r', of: 'x', kind: 'REFUND', amount: 40 },
    { id: 'v', of: 'y', kind: 'REVERSAL', amount: 10 },
  )
  // Event y belongs to x, and x to p, so this batch joins twice.
  await sendTogether(
    user,
    { id: 'y', of: 'x', kind: 'REFUND', amount: 10 },
    { id: 'x', of: 'p', kind: 'AMENDMENT', amount: 100, at: 0.1 },
  )
  // 10% of 100 less the refund of 40. The refund of 10 was reversed.
  assert.equal(await pending(user), 6)
})

test('two purchases that turn out to be one earn once and use a one-time or new-customer offer once', async () => {
  for (const brand_uid of ['once', 'newcomers']) {
    const user = await activeUser()
    await send(
      user,
      { id: 'c2', of: 'c1', brand_uid },
      { id: 'a', kind: 'AUTHORIZATION', brand_uid },
      { id: 'c1', of: 'a', brand_uid, amount: 1 },
    )
    assert.equal(await pending(user), 10.1, brand_uid)
  }
})

test('an event in the wrong currency is rejected, and a purchase in a foreign currency earns nothing', async () => {
  const user = await activeUser()
  const [, refund] = await send(user, { id: 'p' }, { id: 'r', of: 'p', kind: 'REFUND', amount: 2500, currency: 'JPY' })
  assert.deepEqual([refund?.status, refund?.body.code], [409, 'event_conflict'])
  const [abroad] = await send(user, { id: 'e', currency: 'EUR' })
  assert.deepEqual([abroad?.body.user_cashback, abroad?.body.status_reason], [0, 'currency_mismatch'])
  assert.equal(await pending(user), 10)
})

test('a refund in another currency that arrives before its purchase does not block the purchase', async () => {
  for (const report of [send, sendTogether]) {
    const user = await activeUser()
    const foreign: Sent = { id: 'r', of: 'p', kind: 'REFUND', amount: 25, currency: 'EUR' }
    for (const answer of await report(user, foreign, { id: 'p' })) assert.equal(answer.status, 200)
    const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}`)
    assert.deepEqual(
      body.content.map((one: Record<string, unknown>) => [one['currency'], one['amount'], one['user_cashback']]),
      [['USD', 100, 10]],
    )
  }
})

test('a refund accepted in another currency before its purchase gets the same response when resent', async () => {
  const user = await activeUser()
  const foreign: Sent = { id: 'r', of: 'p', kind: 'REFUND', amount: 25, currency: 'EUR' }
  const [first] = await send(user, foreign, { id: 'p' })
  const [again, changed] = await send(user, foreign, { ...foreign, amount: 20 })
  assert.deepEqual([again?.status, again?.body.transaction_uid], [200, first?.body.transaction_uid])
  assert.deepEqual([changed?.status, changed?.body.code], [409, 'event_conflict'])
  const [repeated, refused] = await sendTogether(user, foreign, { ...foreign, id: 'new' })
  assert.deepEqual([repeated.status, repeated.id], [200, first?.body.transaction_uid])
  assert.deepEqual([refused.status, refused.error.code], [409, 'event_conflict'])
  // A rejected event does not reserve its ID.
  const [corrected] = await send(user, { ...foreign, id: 'new', currency: 'USD' })
  assert.equal(corrected?.status, 200)
})

test("the user's status at the time of purchase applies, even if the clearing arrives first", async () => {
  const [inOrder, late] = [await activeUser(), await activeUser()]
  const before: Sent = { id: 'a', kind: 'AUTHORIZATION', at: -48 }
  const clearing: Sent = { id: 'c', of: 'a', at: 0.1 }
  await send(inOrder, before, clearing)
  await send(late, clearing, before)
  assert.deepEqual([await pending(inOrder), await pending(late)], [0, 0])
})

test("of a new customer's two purchases, only the earlier one earns, in any order of arrival", async () => {
  const [inOrder, reversed, together] = [await activeUser(), await activeUser(), await activeUser()]
  const first: Sent = { id: 'one', brand_uid: 'newcomers', at: 1 }
  const second: Sent = { id: 'two', brand_uid: 'newcomers', at: 2, amount: 200 }
  await send(inOrder, first, second)
  await send(reversed, second, first)
  await sendTogether(together, second, first)
  assert.deepEqual([await pending(inOrder), await pending(reversed), await pending(together)], [10, 10, 10])
})

test('a purchase too small to earn a cent does not use up a one-time offer', async () => {
  const user = await activeUser()
  const [small, real] = await send(
    user,
    { id: 'tiny', brand_uid: 'once', amount: 0.01 },
    { id: 'real', brand_uid: 'once' },
  )
  assert.deepEqual([small?.body.status_reason, real?.body.user_cashback], ['no_reward_value', 10])
})

test('a partly reversed authorization earns on the cleared amount, even if dated before the reversal', async () => {
  const user = await activeUser()
  await send(
    user,
    { id: 'a', kind: 'AUTHORIZATION', at: 1 },
    { id: 'v', of: 'a', kind: 'REVERSAL', amount: 40, at: 2 },
    { id: 'c', of: 'a', amount: 60, at: 1 },
  )
  assert.equal(await pending(user), 6)
})

test('the decision shows the arithmetic after refunds', async () => {
  const user = await activeUser()
  const [bought] = await send(user, { id: 'p' }, { id: 'r', of: 'p', kind: 'REFUND', amount: 60 })
  const { body } = await app.call('GET', `/transactions/${bought?.body.transaction_uid}/decision`)
  assert.deepEqual(
    [body.arithmetic.refunded, body.arithmetic.eligible_amount, body.arithmetic.user_reward],
    ['60.00', '40.00', '4.00'],
  )
})

test('a purchase is found by the ID of any of its events', async () => {
  const user = await activeUser()
  const [bought] = await send(user, { id: 'a', kind: 'AUTHORIZATION' }, { id: 'c', of: 'a', at: 0.1 })
  const { body } = await app.call('GET', `/transactions?search_text=${encodeURIComponent(`${user} c`)}`)
  assert.deepEqual(
    body.content.map((one: { transaction_uid: string }) => one.transaction_uid),
    [bought?.body.transaction_uid],
  )
})

test('a voided or declined purchase and an unmatched refund keep the reported amount', async () => {
  const user = await activeUser()
  const sent = await send(
    user,
    { id: 'held', kind: 'AUTHORIZATION', amount: 40 },
    { id: 'void', of: 'held', kind: 'REVERSAL', amount: 40 },
    { id: 'declined', kind: 'DECLINE', amount: 30 },
    { id: 'unmatched', kind: 'REFUND', amount: 20 },
  )
  assert.deepEqual(
    sent.map(({ body }) => [body.status, body.status_reason, body.amount, body.refunded_amount, body.user_cashback]),
    [
      ['PENDING', null, 40, 0, 4],
      ['CANCELLED', 'reversed', 40, 40, 0],
      ['CANCELLED', 'declined', 30, 30, 0],
      ['CANCELLED', 'original_unknown', 0, 20, 0],
    ],
  )
})

test('searching for a UUID finds an order, an external ID or a transaction', async () => {
  const user = await activeUser()
  const [external_id, order_id] = [randomUUID(), randomUUID()]
  const bought = await app.call('POST', '/transactions', {
    ...makeEvent(user, { id: 'p' }),
    external_id,
    order_id,
  })
  const uid: string = bought.body.transaction_uid
  const uuid = decodeId('txn', uid) ?? ''
  for (const text of [external_id, order_id, order_id.toUpperCase(), uid, uuid]) {
    const { body } = await app.call('GET', `/transactions?search_text=${text}`)
    assert.deepEqual(
      body.content.map((one: { transaction_uid: string }) => one.transaction_uid),
      [uid],
      text,
    )
  }
})

test('evaluating a hold old enough to have lapsed reports that it is not eligible', async () => {
  const user = await activeUser()
  const { body } = await app.call(
    'POST',
    '/transactions/evaluate',
    makeEvent(user, { id: 'x', kind: 'AUTHORIZATION', at: -480 }),
  )
  assert.deepEqual([body.eligible, body.status_reason], [false, 'authorization_expired'])
})

test('an out-of-range date is rejected, and the error identifies the field', async () => {
  for (const query of ['end_date=9999-12-31', 'start_date=0000-01-01']) {
    const { status, body } = await app.call('GET', `/transactions?${query}`)
    assert.deepEqual([status, body.errors[0].field], [400, query.split('=')[0]])
  }
})

test('accepting an upcoming terms revision early keeps the user active once it is required', async () => {
  const user = await activeUser()
  const inTenDays = new Date(Date.now() + 240 * HOUR_MS)
  await app.service.db.transaction((tx) =>
    publishTerms(tx, { url: 'https://example.com/next', revision: 'next', requiredFrom: inTenDays }, new Date()),
  )
  const newest = (await app.call('GET', '/terms')).body.announced[0].id
  assert.equal((await app.call('POST', '/terms/accept', { publisher_user_id: user, tnc_id: newest })).status, 200)
  const other = await activeUser()
  await app.call('POST', '/sandbox/clock', { advance_days: 11 })
  const status = async (name: string) => (await app.call('GET', `/users/status/${name}`)).body.account_status
  assert.deepEqual([await status(user), await status(other)], ['ACTIVE', 'PENDING'])
})

test('the books balance afterward', async () => {
  const { reader } = app.service.db
  const publisher = { ...app.publisher, ownCardFeed: true }
  assert.deepEqual(
    [
      ...(await verifyLedger(reader)),
      ...(await verifyRewards(reader)),
      ...(await verifyTransactions(reader, publisher)),
    ],
    [],
  )
})
