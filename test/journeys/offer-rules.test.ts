import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../src/ledger/index.ts'
import { DAY_MS } from '../../src/platform/calendar.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { acceptTerms, createUser } from '../../src/users/users/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { sample } from '../support/runs.ts'

// Rules about products, channel, hours and earlier purchases, tested from the API to the ledger. The rules themselves
// are tested in test/offers.

type Sent = Readonly<Record<string, unknown>> & { readonly id: string }

const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  // Long enough that no reward becomes available while the test runs.
  refund_period_days: 3650,
  ...given,
})
const brand = (brand_uid: string, ...offers: object[]) => ({
  brand_uid,
  category_id: 1,
  name: `Shop ${brand_uid}`,
  offers,
})
const GROUPS = [
  { name: 'shoes', rate: 8, product_groups: ['shoes'] },
  { name: 'gift cards', rate: 1, skus: ['GC-1'] },
  { name: 'all else', rate: 4 },
]
const KINDS = [
  { name: 'new', rate: 9, customer: 'new' },
  { name: 'lapsed', rate: 6, customer: 'lapsed' },
  { name: 'regular', rate: 2, customer: 'returning' },
]
const LONG_AGO = new Date('2026-01-01T12:00:00Z')
const REFUNDED = [{ product_group: 'shoes', amount: 30 }]

let app: TestApp
let users = 0

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) =>
    changeSettings(tx, app.publisher.id, { ownCardFeed: true, timeZone: 'America/New_York' }),
  )
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: [
      brand('goods', offer('goods', { commission_groups: GROUPS })),
      brand('shoes', offer('shoes', { commission_groups: GROUPS.slice(0, 1) })),
      brand('online', offer('online', { commission: { rate: 5 }, channels: ['ONLINE'] })),
      brand('nights', offer('nights', { commission: { rate: 5 }, hours: { from: '22:00', to: '02:00' } })),
      brand(
        'lapsed',
        offer('lapsed', { commission: { rate: 5 }, lapsed_customer_only: true, lapsed_customer_days: 30 }),
      ),
      brand('kinds', offer('kinds', { commission_groups: KINDS, new_customer_days: 100, lapsed_customer_days: 30 })),
    ],
  })
})
after(async () => {
  await app.close()
})

/** Creates a user who registered and accepted the terms before every purchase. */
async function activeUser(): Promise<string> {
  const publisherUserId = `rules-${users++}`
  const input = { publisherUserId, email: null, primaryZipCode: null, attributes: null }
  await app.service.db.transaction(async (tx) => {
    await createUser(tx, app.publisher, input, LONG_AGO)
    await acceptTerms(tx, app.publisher, publisherUserId, app.tncId, LONG_AGO)
  })
  return publisherUserId
}

const makeEvent = (user: string, { id, of, day, ...rest }: Sent): object => ({
  publisher_user_id: user,
  external_id: `${user} ${id}`,
  amount: 50,
  ...(day === undefined
    ? {}
    : { transaction_date_time: new Date(LONG_AGO.getTime() + Number(day) * DAY_MS).toISOString() }),
  ...(of === undefined ? {} : { original_external_id: `${user} ${of}` }),
  ...rest,
})

async function send(user: string, ...events: Sent[]) {
  const answers = []
  for (const event of events) answers.push(await app.call('POST', '/transactions', makeEvent(user, event)))
  return answers
}

async function readPending(user: string): Promise<number> {
  return (await app.call('GET', `/rewards/summary/${user}`)).body.pending_cashback
}

const ITEMS = [
  { sku: 'RUN-7', product_group: 'Shoes', amount: 30, quantity: 2 },
  { sku: 'gc-1', amount: 10 },
]

test('items earn by commission group, and the trace, evaluation and report agree to the cent', async () => {
  const user = await activeUser()
  const bought = { id: '1', brand_uid: 'goods', items: ITEMS }
  const { body: asked } = await app.call('POST', '/transactions/evaluate', makeEvent(user, bought))
  const [reported] = await send(user, bought)
  assert.deepEqual([asked.user_cashback, reported?.body.user_cashback, await readPending(user)], [2.9, 2.9, 2.9])
  const { body: decision } = await app.call('GET', `/transactions/${reported?.body.transaction_uid}/decision`)
  assert.deepEqual(decision.arithmetic, asked.decision.arithmetic)
  assert.deepEqual(
    decision.arithmetic.parts.map((part: Record<string, unknown>) => [
      part['commission_group'],
      part['items'],
      part['amount'],
      part['unrounded'],
    ]),
    [
      ['shoes', ['RUN-7'], '30.00', '2.40'],
      ['all else', [], '10.00', '0.40'],
      ['gift cards', ['gc-1'], '10.00', '0.10'],
    ],
  )
})

test('refunding items takes back what those items earned, in any order of arrival', async () => {
  const purchase = { id: '1', day: 1, brand_uid: 'goods', items: ITEMS }
  const refund = { id: '2', of: '1', day: 2, kind: 'REFUND', amount: 30, items: REFUNDED }
  const rest = { id: '3', of: '1', day: 3, kind: 'REFUND', amount: 10 }
  for (const order of [
    [purchase, refund, rest],
    [refund, rest, purchase],
    [rest, purchase, refund],
  ]) {
    const user = await activeUser()
    for (const answer of await send(user, ...order)) assert.equal(answer.status, 200)
    // 5.00 of the gift card and 5.00 of the other items remain of the purchase.
    assert.equal(await readPending(user), 0.25)
  }
})

test('an amendment with items replaces the original items', async () => {
  const user = await activeUser()
  await send(
    user,
    { id: '1', brand_uid: 'shoes' },
    { id: '2', of: '1', kind: 'AMENDMENT', amount: 50, items: [{ product_group: 'shoes', amount: 50 }] },
  )
  assert.equal(await readPending(user), 4)
})

test('a purchase without items matches no group that requires items, and the trace says so', async () => {
  const user = await activeUser()
  const [reported] = await send(user, { id: '1', brand_uid: 'shoes' })
  assert.deepEqual([reported?.body.status, reported?.body.status_reason], ['CANCELLED', 'no_commission_group'])
  const { body } = await app.call('GET', `/transactions/${reported?.body.transaction_uid}/decision`)
  const line = body.candidates[0].rules.find(({ rule }: { rule: string }) => rule === 'commission_group')
  assert.deepEqual(line, { rule: 'commission_group', value: 'none (no items reported)', bound: 'shoes', passed: false })
})

test('invalid items are rejected, the error identifies the field, and nothing is stored', async () => {
  const user = await activeUser()
  const rows: [items: unknown, field: string][] = [
    [[{ amount: 30 }, { amount: 20.01 }], 'items'],
    [[{ amount: 0 }], 'items.0.amount'],
    [[{ amount: 10 }, { amount: -1 }], 'items.1.amount'],
    [[{ amount: 10 }, { amount: 0.001 }], 'items.1.amount'],
    [[{ sku: 'a' }], 'items.0.amount'],
    [[{ amount: 1, price: 1 }], 'items.0.price'],
    [[{ amount: 1, quantity: 0 }], 'items.0.quantity'],
    [Array.from({ length: 501 }, () => ({ amount: 0.01 })), 'items'],
    ['shoes', 'items'],
  ]
  for (const [items, field] of rows) {
    for (const path of ['/transactions', '/transactions/evaluate']) {
      const { status, body } = await app.call('POST', path, makeEvent(user, { id: '1', brand_uid: 'goods', items }))
      assert.deepEqual([status, body.errors?.[0]?.field], [400, field])
    }
  }
  const whole = Array.from({ length: 500 }, (_, index) => ({ sku: String(index), amount: 0.1 }))
  const [reported] = await send(user, { id: '1', brand_uid: 'goods', items: whole })
  assert.deepEqual([reported?.status, reported?.body.user_cashback], [200, 2])
})

test('only purchases can be evaluated, and the error for any other event identifies the field', async () => {
  const user = await activeUser()
  for (const kind of ['REFUND', 'REVERSAL', 'DECLINE', 'AMENDMENT']) {
    const event = { ...makeEvent(user, { id: '1', brand_uid: 'goods' }), kind }
    const { status, body } = await app.call('POST', '/transactions/evaluate', event)
    assert.deepEqual([status, body.errors?.[0]?.field], [400, 'kind'], kind)
  }
})

test('resending an event is idempotent with the same items and a conflict with different ones', async () => {
  const user = await activeUser()
  const event = { id: '1', day: 1, brand_uid: 'goods', items: ITEMS }
  const [first, again, other] = await send(user, event, event, { ...event, items: ITEMS.slice(1) })
  assert.equal(again?.body.transaction_uid, first?.body.transaction_uid)
  assert.deepEqual([again?.status, other?.status, other?.body.code], [200, 409, 'event_conflict'])
  assert.equal(await readPending(user), 2.9)
})

test("an offer for one channel checks a purchase's channel only if it was reported", async () => {
  const rows: [given: object, reason: string | null][] = [
    [{ channel: 'ONLINE' }, null],
    [{ channel: 'IN_STORE' }, 'channel_not_eligible'],
    [{}, null],
  ]
  for (const [given, reason] of rows) {
    const [reported] = await send(await activeUser(), { id: '1', brand_uid: 'online', ...given })
    assert.equal(reported?.body.status_reason, reason)
  }
})

test("an offer's hours are in the publisher's time zone", async () => {
  const rows: [at: string, reason: string | null][] = [
    ['2026-02-01T03:30:00Z', null],
    ['2026-02-01T06:59:00Z', null],
    ['2026-02-01T07:00:00Z', 'outside_hours'],
    ['2026-02-01T02:59:00Z', 'outside_hours'],
  ]
  for (const [transaction_date_time, reason] of rows) {
    const [reported] = await send(await activeUser(), { id: '1', brand_uid: 'nights', transaction_date_time })
    assert.equal(reported?.body.status_reason, reason, transaction_date_time)
  }
})

test('a lapsed customer earns the reward for lapsed customers, in any order of arrival', async () => {
  const [first, soon, late] = [1, 10, 60].map((day) => ({ id: `on day ${day}`, day, brand_uid: 'lapsed' }))
  assert(first !== undefined && soon !== undefined && late !== undefined)
  for (const order of sample(permutations([first, soon, late]), 1 / 2)) {
    const user = await activeUser()
    await send(user, ...order)
    assert.equal(await readPending(user), 2.5, order.map(({ id }) => id).join())
  }
  const both = await activeUser()
  await send(both, late, first, { id: 'between', day: 40, brand_uid: 'lapsed' })
  // On day 40 the customer has lapsed since day 1, but on day 60 has not lapsed since day 40.
  assert.equal(await readPending(both), 2.5)
})

test('the customer type decides which commission group applies, in any order of arrival', async () => {
  const days = [1, 10, 60, 200]
  const events = days.map((day) => ({ id: `on day ${day}`, day, brand_uid: 'kinds', amount: 100 }))
  for (const order of sample(permutations(events), 1 / 4)) {
    const user = await activeUser()
    await send(user, ...order)
    // The customer is new, regular after 9 days, lapsed after 50, and new again after 140.
    assert.equal(await readPending(user), 9 + 2 + 6 + 9, order.map(({ id }) => id).join())
  }
})

test('the books balance afterward, and every reward can be recomputed', async () => {
  const { reader } = app.service.db
  const publisher = { ...app.publisher, ownCardFeed: true, timeZone: 'America/New_York' }
  const differences = [
    ...(await verifyLedger(reader)),
    ...(await verifyRewards(reader)),
    ...(await verifyTransactions(reader, publisher)),
  ]
  assert.deepEqual(differences, [])
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
