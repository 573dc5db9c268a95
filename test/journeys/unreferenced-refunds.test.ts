import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { listAudit } from '../../src/tenants/accounts/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Refunds that publishers report without a reference to the purchase.

const CATALOG = {
  categories: [{ category_id: 1, category: 'FOOD' }],
  brands: ['Blue Kettle', 'Red Lantern'].map((name) => ({
    brand_uid: name.replace(' ', '-'),
    category_id: 1,
    name,
    offers: [
      {
        offer_uid: `${name.replace(' ', '-')}-offer`,
        name: '10% back',
        offer_type: 'CARD_LINKED',
        commission: { rate: 10 },
        reward_type: 'CASHBACK_PERCENTAGE',
      },
    ],
  })),
}
const HOUR_MS = 3_600_000
const NOW_MS = Date.now()

let app: TestApp
let call: TestApp['call']
let users = 0

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  const tenant = await app.tenant()
  call = tenant.call
  await app.service.db.transaction((tx) => changeSettings(tx, tenant.publisher.id, { ownCardFeed: true }))
})
after(() => app.close())

type Sent = { readonly id: string; readonly amount: number; readonly hours: number } & Readonly<Record<string, unknown>>

async function customer() {
  const name = `user-${++users}`
  await call('POST', '/users', { publisher_user_id: name })
  await call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
  const makeEvent = ({ id, hours, ...rest }: Sent) => ({
    publisher_user_id: name,
    external_id: `${name} ${id}`,
    merchant_descriptor: 'BLUE KETTLE 0042',
    account_id: 'card-1',
    transaction_date_time: new Date(NOW_MS + hours * HOUR_MS).toISOString(),
    ...rest,
  })
  const send = async (...events: Sent[]) => {
    for (const event of events) {
      const { status, body } = await call('POST', '/transactions', makeEvent(event))
      assert.equal(status, 200, JSON.stringify(body))
    }
  }
  /** Returns each transaction's status reason or, if it has none, its remaining amount. Omits merged transactions. */
  const standing = async () => {
    const { body } = await call('GET', `/transactions?publisher_user_id=${name}`)
    const all = body.content as { amount: number; refunded_amount: number; status_reason: string | null }[]
    return all
      .filter(({ status_reason }) => status_reason !== 'merged')
      .map(({ amount, refunded_amount, status_reason }) => status_reason ?? amount - refunded_amount)
      .toSorted()
  }
  return { name, makeEvent, send, standing }
}

/** Returns the ID of the user's transaction with this amount or status reason. */
async function findId({ name }: { readonly name: string }, wanted: number | string): Promise<string> {
  const { body } = await call('GET', `/transactions?publisher_user_id=${name}`)
  const all = body.content as { transaction_uid: string; status_reason: string | null; amount: number }[]
  const found = all.find(({ amount, status_reason }) => wanted === (status_reason ?? amount))
  assert(found !== undefined, `${name} has no ${wanted}`)
  return found.transaction_uid
}

const back = (amount: number, rest: object = {}): Sent => ({ id: 'r', kind: 'REFUND', amount, hours: 0.9, ...rest })

const histories: readonly [what: string, events: readonly Sent[], standing: readonly (number | string)[]][] = [
  ['part of the only purchase', [{ id: 'p', amount: 50, hours: 0.1 }, back(20)], [30]],
  [
    'several purchases, of which the latest with that amount is refunded',
    [
      { id: 'p', amount: 20, hours: 0.1 },
      { id: 'q', amount: 20, hours: 0.2 },
      { id: 's', amount: 50, hours: 0.3 },
      back(20),
    ],
    [20, 50, 'refunded'],
  ],
  [
    'several purchases, none of which is certain',
    [{ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20)],
    [40, 50, 'original_unknown'],
  ],
  [
    'a different card',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { account_id: 'card-2' })],
    [50, 'original_unknown'],
  ],
  ['an unknown card', [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { account_id: undefined })], [30]],
  [
    'a different merchant',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { merchant_descriptor: 'RED LANTERN' })],
    [50, 'original_unknown'],
  ],
  [
    'a refund before the purchase on the same day',
    [{ id: 'p', amount: 50, hours: 0.95 }, back(20)],
    [50, 'original_unknown'],
  ],
  ['more than was paid', [{ id: 'p', amount: 50, hours: 0.1 }, back(60)], [50, 'original_unknown']],
  [
    'a second refund that exceeds what remains',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(40), back(20, { id: 'again', hours: 0.95 })],
    [10, 'original_unknown'],
  ],
  [
    'the order number of one of several purchases',
    [
      { id: 'p', amount: 40, hours: 0.1, order_id: '1' },
      { id: 'q', amount: 50, hours: 0.2, order_id: '2' },
      back(20, { order_id: '1' }),
    ],
    [20, 50],
  ],
]

for (const [what, events, expected] of histories)
  test(`an unreferenced refund: ${what}`, async () => {
    const [inOrder, together, refundFirst] = [await customer(), await customer(), await customer()]
    await inOrder.send(...events)
    assert.deepEqual(await inOrder.standing(), expected)
    const { body } = await call('POST', '/transactions', { transactions: events.toReversed().map(together.makeEvent) })
    assert.deepEqual(new Set(body.results.map(({ status }: { status: number }) => status)), new Set([200]))
    assert.deepEqual(await together.standing(), expected)
    // With several purchases, the first certain match to arrive takes the refund, so the order of arrival matters.
    if (events.filter(({ kind }) => kind === undefined).length > 1) return
    await refundFirst.send(...events.toReversed())
    assert.deepEqual(await refundFirst.standing(), expected)
  })

test("a batch finds a refund's purchase, no matter how many purchases its other users have made", async () => {
  const [few, many] = [await customer(), await customer()]
  await few.send({ id: 'p', amount: 50, hours: 0.1 })
  await many.send({ id: 'p', amount: 30, hours: 0.2 })
  const uid = await findId(many, 30)
  await app.service.db.transaction(
    (tx) => tx`
      insert into transactions
      select copy.* from transactions t cross join generate_series(1, 5000) n
      cross join lateral jsonb_populate_record(t, jsonb_build_object('transaction_id', md5(n::text))) copy
      where t.transaction_id = ${decodeId('txn', uid)}`,
  )
  const batch = [few, many].map(({ makeEvent }) => makeEvent(back(20)))
  const { status } = await call('POST', '/transactions', { transactions: batch })
  assert.equal(status, 200)
  assert.deepEqual(await few.standing(), [30])
})

test('a reversed unreferenced refund takes nothing back, even if the reversal arrives first', async () => {
  const [inOrder, together, reversalFirst] = [await customer(), await customer(), await customer()]
  const purchase: Sent = { id: 'p', amount: 50, hours: 0.1 }
  const undoing = ({ name }: { name: string }): Sent => ({
    id: 'v',
    kind: 'REVERSAL',
    amount: 20,
    hours: 0.95,
    original_external_id: `${name} r`,
  })
  await inOrder.send(purchase, back(20), undoing(inOrder))
  const events = [purchase, back(20), undoing(together)].map(together.makeEvent)
  const { status } = await call('POST', '/transactions', { transactions: events })
  assert.equal(status, 200)
  await reversalFirst.send(purchase, undoing(reversalFirst), back(20))
  for (const { standing } of [inOrder, together, reversalFirst]) assert.deepEqual(await standing(), [50])
})

test('an unmatched refund takes nothing back, and resending it changes nothing', async () => {
  const { send, name } = await customer()
  await send({ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20), back(20))
  const { body } = await call('GET', `/users/status/${name}`)
  assert.equal(body.pending_cashback, 9)
})

test('an unmatched refund is listed until an operator assigns or dismisses it, which works only once', async () => {
  const [assigned, dismissed] = [await customer(), await customer()]
  const two: Sent[] = [{ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20)]
  for (const { send } of [assigned, dismissed]) await send(...two)
  await assigned.send({ id: 'small', amount: 10, hours: 0.05 })
  const { body } = await app.operator('GET', '/operator/refunds/unmatched?limit=500')
  const refundId = await findId(assigned, 'original_unknown')
  const listed = body.content.find(({ refund_id }: { refund_id: string }) => refund_id === refundId)
  assert.deepEqual([listed?.amount, listed?.merchant], [20, 'BLUE KETTLE 0042'])
  const candidates = await app.operator('GET', `/operator/refunds/${refundId}/candidates`)
  assert.deepEqual(
    candidates.body.content.map((one: { amount: number; publisher_user_id: string }) => [
      one.amount,
      one.publisher_user_id,
    ]),
    [50, 40].map((amount) => [amount, assigned.name]),
    'the latest first, and none of which less is left',
  )

  const support = await app.staff('support')
  const getRefusal = ({ status, body }: Awaited<ReturnType<typeof support>>) => [status, body.code]
  const decide = (id: string, verb: 'assign' | 'dismiss', content: object, by = support) =>
    by('POST', `/operator/refunds/${id}/${verb}`, { reason: 'The receipt was shown.', ...content })
  const purchase = { transaction_uid: await findId(assigned, 40) }
  assert.equal((await decide(refundId, 'assign', purchase, await app.staff('finance'))).status, 403)
  assert.deepEqual(await decide(refundId, 'assign', purchase).then(({ status, body }) => [status, body]), [
    200,
    { refund_id: refundId },
  ])
  assert.deepEqual(await assigned.standing(), [10, 20, 50])
  for (const verb of ['assign', 'dismiss'] as const)
    assert.deepEqual(getRefusal(await decide(refundId, verb, verb === 'assign' ? purchase : {})), [
      409,
      'refund_settled',
    ])

  const other = await findId(dismissed, 'original_unknown')
  assert.equal((await decide(other, 'dismiss', {})).status, 200)
  assert.deepEqual(await dismissed.standing(), [40, 50, 'original_unknown'])
  await dismissed.send({ id: 's', amount: 20, hours: 0.3 })
  assert.deepEqual(await dismissed.standing(), [20, 40, 50, 'original_unknown'])
  assert.equal((await app.operator('GET', `/operator/refunds/${other}/candidates`)).status, 409)
  const left = (await app.operator('GET', '/operator/refunds/unmatched?limit=500')).body.content
  assert(!left.some(({ refund_id }: { refund_id: string }) => [refundId, other].includes(refund_id)))
  const unknown = encodeId('txn', '00000000-0000-7000-8000-000000000000' as never)
  assert.deepEqual(getRefusal(await decide(unknown, 'dismiss', {})), [404, 'refund_not_found'])
  const said = { ...purchase, reason: 'The receipt was shown.' }
  const entries = await listAudit(app.service.db.reader, { subject: refundId, actor: null, limit: 5 })
  assert.deepEqual(
    entries.map(({ action, after: kept }) => [action, { ...(kept as object), publisher_id: '', svc_user_id: '' }]),
    [['refund.assigned', { ...said, refund_id: refundId, publisher_id: '', svc_user_id: '' }]],
  )
})

test('a refund cannot be assigned to a purchase that it cannot belong to', async () => {
  const [owner, stranger] = [await customer(), await customer()]
  await owner.send({ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 })
  await owner.send({ id: 's', amount: 60, hours: 0.3 }, back(20))
  await owner.send({ id: 'all', kind: 'REFUND', amount: 40, original_external_id: `${owner.name} p`, hours: 0.4 })
  await stranger.send({ id: 'p', amount: 40, hours: 0.1 })
  const refundId = await findId(owner, 'original_unknown')
  const wrong: readonly (readonly [RegExp, string])[] = [
    [/no card purchase/, await findId(stranger, 40)],
    [/no card purchase/, 'txn_none'],
    [/Only 0\.00 of this purchase is left to refund, but the refund is for 20\.00/, await findId(owner, 'refunded')],
    [/-20\.00|0\.00 of this purchase is left/, refundId],
  ]
  for (const [detail, transaction_uid] of wrong) {
    const content = { transaction_uid, reason: 'a receipt' }
    const { status, body } = await app.operator('POST', `/operator/refunds/${refundId}/assign`, content)
    assert.deepEqual([status, body.code], [422, 'refund_mismatch'], transaction_uid)
    assert.match(body.detail, detail)
  }
  const shown = await app.operator('GET', `/operator/refunds/${refundId}/candidates`)
  assert.deepEqual(
    shown.body.content.map(({ amount }: { amount: number }) => amount),
    [60, 50],
  )
})
