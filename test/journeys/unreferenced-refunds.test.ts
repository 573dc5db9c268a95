import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { assignUnmatched, dismissUnmatched, listUnmatched } from '../../src/linker/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { changeSettings } from '../../src/publishers/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Refunds that name no purchase, as publishers report them.

const CATALOG = {
  categories: [{ category_id: 1, category: 'FOOD' }],
  brands: ['Blue Kettle', 'Red Lantern'].map((name) => ({
    ...{ brand_uid: name.replace(' ', '-'), category_id: 1, name },
    offers: [
      {
        ...{
          offer_uid: `${name.replace(' ', '-')}-offer`,
          name: '10 % back',
          offer_type: 'CARD_LINKED',
          commission: { rate: 10 },
        },
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
  const eventOf = ({ id, hours, ...rest }: Sent) => ({
    publisher_user_id: name,
    external_id: `${name} ${id}`,
    merchant_descriptor: 'BLUE KETTLE 0042',
    account_id: 'card-1',
    transaction_date_time: new Date(NOW_MS + hours * HOUR_MS).toISOString(),
    ...rest,
  })
  const send = async (...events: Sent[]) => {
    for (const event of events) {
      const { status, body } = await call('POST', '/transactions', eventOf(event))
      assert.equal(status, 200, JSON.stringify(body))
    }
  }
  /** What is left of each transaction, without those that were merged. */
  const standing = async () => {
    const { body } = await call('GET', `/transactions?publisher_user_id=${name}`)
    const all = body.content as { amount: number; refunded_amount: number; status_reason: string | null }[]
    return all
      .filter(({ status_reason }) => status_reason !== 'merged')
      .map(({ amount, refunded_amount, status_reason }) => status_reason ?? amount - refunded_amount)
      .toSorted()
  }
  return { name, eventOf, send, standing }
}

const back = (amount: number, rest: object = {}): Sent => ({ id: 'r', kind: 'REFUND', amount, hours: 0.9, ...rest })

const histories: readonly [what: string, events: readonly Sent[], standing: readonly (number | string)[]][] = [
  ['of a part of the only purchase', [{ id: 'p', amount: 50, hours: 0.1 }, back(20)], [30]],
  [
    'of one of several: the latest of that amount',
    [
      { id: 'p', amount: 20, hours: 0.1 },
      { id: 'q', amount: 20, hours: 0.2 },
      { id: 's', amount: 50, hours: 0.3 },
      back(20),
    ],
    [20, 50, 'refunded'],
  ],
  [
    'of one of several, which is not certain',
    [{ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20)],
    [40, 50, 'original_unknown'],
  ],
  [
    'of another card',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { account_id: 'card-2' })],
    [50, 'original_unknown'],
  ],
  ['of an unknown card', [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { account_id: undefined })], [30]],
  [
    'of another merchant',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(20, { merchant_descriptor: 'RED LANTERN' })],
    [50, 'original_unknown'],
  ],
  [
    'made before the purchase on the same day',
    [{ id: 'p', amount: 50, hours: 0.95 }, back(20)],
    [50, 'original_unknown'],
  ],
  ['of more than was paid', [{ id: 'p', amount: 50, hours: 0.1 }, back(60)], [50, 'original_unknown']],
  [
    'twice: the second finds nothing left',
    [{ id: 'p', amount: 50, hours: 0.1 }, back(40), back(20, { id: 'again', hours: 0.95 })],
    [10, 'original_unknown'],
  ],
  [
    'with the order number of one of several',
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
    const { body } = await call('POST', '/transactions', { transactions: events.toReversed().map(together.eventOf) })
    assert.deepEqual(new Set(body.results.map(({ status }: { status: number }) => status)), new Set([200]))
    assert.deepEqual(await together.standing(), expected)
    // Of several purchases the first that is certain takes it, whichever comes later.
    if (events.filter(({ kind }) => kind === undefined).length > 1) return
    await refundFirst.send(...events.toReversed())
    assert.deepEqual(await refundFirst.standing(), expected)
  })

test('a reversed unreferenced refund takes back nothing, whichever of the two arrives first', async () => {
  const [inOrder, together, reversalFirst] = [await customer(), await customer(), await customer()]
  const purchase: Sent = { id: 'p', amount: 50, hours: 0.1 }
  const undoing = ({ name }: { name: string }): Sent => ({
    ...{ id: 'v', kind: 'REVERSAL', amount: 20, hours: 0.95, original_external_id: `${name} r` },
  })
  await inOrder.send(purchase, back(20), undoing(inOrder))
  const events = [purchase, back(20), undoing(together)].map(together.eventOf)
  const { status } = await call('POST', '/transactions', { transactions: events })
  assert.equal(status, 200)
  await reversalFirst.send(purchase, undoing(reversalFirst), back(20))
  for (const { standing } of [inOrder, together, reversalFirst]) assert.deepEqual(await standing(), [50])
})

test('an unmatched refund takes nothing back, and reporting it again changes nothing', async () => {
  const { send, name } = await customer()
  await send({ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20), back(20))
  const { body } = await call('GET', `/users/status/${name}`)
  assert.equal(body.pending_cashback, 9)
})

test('an unmatched refund is listed until an operator assigns or dismisses it, once', async () => {
  const { db, catalog } = app.service
  const deps = { db, clock: systemClock, catalog, log: pino({ level: 'silent' }) }
  const [assigned, dismissed] = [await customer(), await customer()]
  const two: Sent[] = [{ id: 'p', amount: 40, hours: 0.1 }, { id: 'q', amount: 50, hours: 0.2 }, back(20)]
  for (const { send } of [assigned, dismissed]) await send(...two)
  const idOf = async ({ name }: { name: string }, status_reason: string | null, amount: number) => {
    const { body } = await call('GET', `/transactions?publisher_user_id=${name}`)
    const all = body.content as { transaction_uid: string; status_reason: string | null; amount: number }[]
    return all.find((one) => one.status_reason === status_reason && one.amount === amount)?.transaction_uid ?? ''
  }
  const open = new Map((await listUnmatched(db.reader, null, 500)).map((refund) => [refund.refundId, refund]))
  const refundId = await idOf(assigned, 'original_unknown', 0)
  assert.deepEqual([open.get(refundId)?.amount, open.get(refundId)?.merchant], [2_000n, 'BLUE KETTLE 0042'])
  const by = { by: 'ada', reason: null }
  await assignUnmatched(deps, { refundId, purchaseUid: await idOf(assigned, null, 40), ...by })
  assert.deepEqual(await assigned.standing(), [20, 50])
  await assert.rejects(dismissUnmatched(deps, { refundId, ...by }), { code: 'refund_settled' })
  await dismissUnmatched(deps, { refundId: await idOf(dismissed, 'original_unknown', 0), ...by })
  assert.deepEqual(await dismissed.standing(), [40, 50, 'original_unknown'])
  await dismissed.send({ id: 's', amount: 20, hours: 0.3 })
  assert.deepEqual(await dismissed.standing(), [20, 40, 50, 'original_unknown'])
  const left = new Set((await listUnmatched(db.reader, null, 500)).map((refund) => refund.refundId))
  assert(!left.has(refundId))
  const unknown = encodeId('txn', '00000000-0000-7000-8000-000000000000' as never)
  await assert.rejects(dismissUnmatched(deps, { refundId: unknown, ...by }), { code: 'refund_not_found' })
})
