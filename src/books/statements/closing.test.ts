import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CATALOG, startTestApp, type Tenant } from '../../../test/support/app.ts'
import {
  addUser,
  at,
  book,
  bookJanuary,
  close,
  documents,
  minus,
  split,
  toId,
} from '../../../test/support/settlement-world.ts'
import { accrue, clawBack, reassign } from '../../ledger/index.ts'
import { verifyStatements } from './closing/verify.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
const { db } = app.service
after(() => app.close())

const BRAND = 'brand-market'

async function one(tenant: Tenant, month: string, kind: string) {
  const found = await documents(app, { month, kind, books: toId(tenant) })
  assert.equal(found.length, 1, `${kind} of ${month}`)
  return found[0]
}

const totals = (document: {
  balances: { account: string; detail: string | null; opening: string; closing: string }[]
}) =>
  Object.fromEntries(
    document.balances
      .filter(({ detail }) => detail === null)
      .map(({ account, opening, closing }) => [account, [opening, closing]]),
  )
const moved = (document: { movements: { movement: string; detail: string | null; count: number; amount: string }[] }) =>
  Object.fromEntries(
    document.movements
      .filter(({ detail }) => detail === null)
      .map((line) => [line.movement, [line.count, line.amount]]),
  )

let payments = 0
async function pay(tenant: Tenant, value_date: string, amount: number, more: object = {}) {
  const { status, body } = await app.operator('POST', '/operator/payments', {
    publisher_id: toId(tenant),
    direction: 'received',
    party: 'advertiser',
    brand_uid: BRAND,
    amount,
    currency: 'USD',
    external_ref: `wire-${++payments}`,
    value_date,
    ...more,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function reverse(tenant: Tenant, reverses: string, value_date: string) {
  const { status, body } = await app.operator('POST', '/operator/payments', {
    publisher_id: toId(tenant),
    reverses,
    external_ref: `wire-${++payments}`,
    value_date,
  })
  assert.equal(status, 200, JSON.stringify(body))
}

const verified = () => db.snapshot(verifyStatements)

test("a monthly statement contains everything booked and each account's opening and closing balance", async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  await bookJanuary(db, tenant, ada, BRAND)
  assert.equal((await close(app, '2026-01', tenant)).status, 200)
  const publisher = await one(tenant, '2026-01', 'publisher')
  assert.deepEqual(totals(publisher), {
    user_pending: ['0.00', '63.00'],
    user_available: ['0.00', '40.00'],
    user_held: ['0.00', '0.00'],
    user_debt: ['0.00', '0.00'],
    publisher_pending: ['0.00', '18.00'],
    publisher_payable: ['0.00', '20.00'],
    fee_pending: ['0.00', '9.00'],
    fee_earned: ['0.00', '10.00'],
    payout_clearing: ['0.00', '30.00'],
  })
  assert.deepEqual(moved(publisher), {
    users_earned: [3, '210.00'],
    users_cancelled: [1, '7.00'],
    users_taken_back_available: [1, '70.00'],
    users_matured: [2, '140.00'],
    redemptions_held: [1, '30.00'],
    redeemed: [1, '30.00'],
    share_earned: [3, '60.00'],
    share_reversed: [1, '2.00'],
    share_matured: [2, '40.00'],
    share_taken_back: [1, '20.00'],
    fees_charged: [3, '30.00'],
    fees_reversed: [1, '1.00'],
    fees_taken_back: [1, '10.00'],
  })
  // Four accruals, two maturities, a clawback, a hold and a payout, counting all postings except the advertiser's.
  assert.deepEqual(publisher.control, { total: '930.00', journals: 9, postings: 31 })
  const advertiser = await one(tenant, '2026-01', 'advertiser')
  assert.deepEqual(moved(advertiser), { accrued: [3, '300.00'], reversed: [1, '10.00'], taken_back: [1, '100.00'] })
  assert.deepEqual(totals(advertiser), { advertiser_receivable: ['0.00', '190.00'] })
  assert.deepEqual(advertiser.control, { total: '410.00', journals: 5, postings: 5 })
  const service = await one(tenant, '2026-01', 'service')
  assert.deepEqual(totals(service), {
    fee_pending: ['0.00', '9.00'],
    fee_earned: ['0.00', '10.00'],
    clawback_loss: ['0.00', '0.00'],
    goodwill: ['0.00', '0.00'],
    payout_clearing: ['0.00', '30.00'],
    bank: ['0.00', '0.00'],
  })
  assert.deepEqual(
    service.movements.filter(({ detail }: { detail: string | null }) => detail === 'publisher'),
    [{ movement: 'payouts_made', detail: 'publisher', count: 1, amount: '30.00' }],
  )
})

test('late reports, refunds and reassignments appear only in the next statement', async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  await bookJanuary(db, tenant, ada, BRAND)
  await close(app, '2026-01', tenant)
  const january = await one(tenant, '2026-01', 'advertiser')
  await book(db, tenant, ada, (opened) => {
    // A January purchase reported late, a refund of another one, and a February purchase reassigned from another brand.
    accrue(opened, ada, at('2026-01-20'), BRAND, split)
    clawBack(opened, ada, at('2026-01-25'), BRAND, { user: 7_00n, publisher: 2_00n, fee: 1_00n })
    const elsewhere = at('2026-02-03')
    accrue(opened, ada, elsewhere, BRAND, split)
    reassign(opened, ada, elsewhere, { from: BRAND, to: 'brand-gadgets' }, split)
    // A March purchase.
    accrue(opened, ada, at('2026-03-02'), BRAND, minus(minus(split)))
  })
  await close(app, '2026-02', tenant)
  assert.deepEqual(await one(tenant, '2026-01', 'advertiser'), january)
  const of = async (brand_uid: string, month: string) =>
    (await documents(app, { month, kind: 'advertiser', books: toId(tenant), brand_uid }))[0]
  const february = await of(BRAND, '2026-02')
  assert.deepEqual(moved(february), { accrued: [2, '200.00'], taken_back: [1, '10.00'], moved_out: [1, '100.00'] })
  assert.deepEqual(totals(february), { advertiser_receivable: ['190.00', '280.00'] })
  assert.deepEqual(totals(await of('brand-gadgets', '2026-02')), { advertiser_receivable: ['0.00', '100.00'] })
  await close(app, '2026-03', tenant)
  const march = await of(BRAND, '2026-03')
  assert.deepEqual(
    [moved(march), totals(march)],
    [{ accrued: [1, '100.00'] }, { advertiser_receivable: ['280.00', '380.00'] }],
  )
  // The balance is carried over in a month without activity.
  const carried = await of('brand-gadgets', '2026-03')
  assert.deepEqual([totals(carried), carried.movements], [{ advertiser_receivable: ['100.00', '100.00'] }, []])
  const listed = await app.operator('GET', `/operator/statements?month=2026-01&brand_uid=${BRAND}`)
  const hashes = new Map(
    listed.body.content.map((head: { books: string; sha256: string }) => [head.books, head.sha256]),
  )
  assert.equal(february.previous_sha256, hashes.get(toId(tenant)))
  assert.deepEqual((await verified()).differences, [])
})

test('payments settle the oldest month first, overpayment becomes a credit, and a reversal undoes both', async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  const charge = (day: string) => book(db, tenant, ada, (opened) => accrue(opened, ada, at(day), BRAND, split))
  await charge('2026-01-05')
  await pay(tenant, '2026-01-31', 40)
  await close(app, '2026-01', tenant)
  const january = await one(tenant, '2026-01', 'advertiser')
  assert.deepEqual([january.ageing.current, january.ageing.open], ['60.00', [{ month: '2026-01', amount: '60.00' }]])
  await charge('2026-02-05')
  const over = await pay(tenant, '2026-02-10', 200)
  await close(app, '2026-02', tenant)
  const february = await one(tenant, '2026-02', 'advertiser')
  assert.deepEqual(
    [february.payments[0].matched, february.payments[0].unmatched, february.ageing.credit],
    [
      [
        { month: '2026-01', amount: '60.00' },
        { month: '2026-02', amount: '100.00' },
      ],
      '40.00',
      '40.00',
    ],
  )
  assert.deepEqual(totals(february), { advertiser_receivable: ['60.00', '-40.00'] })
  await charge('2026-03-05')
  await reverse(tenant, over.payment_id, '2026-03-06')
  await close(app, '2026-03', tenant)
  const march = await one(tenant, '2026-03', 'advertiser')
  assert.deepEqual(
    [march.ageing.credit_used, march.ageing.current, march.payments[0].reverses, march.payments[0].direction],
    ['40.00', '260.00', over.payment_id, 'paid'],
  )
  assert.deepEqual(totals(march), { advertiser_receivable: ['-40.00', '260.00'] })
  for (const month of ['2026-04', '2026-05']) await close(app, month, tenant)
  const { ageing } = await one(tenant, '2026-05', 'advertiser')
  assert.deepEqual([ageing.current, ageing.days_1_30, ageing.days_31_60], ['0.00', '0.00', '260.00'])
  assert.deepEqual((await verified()).differences, [])
})

test('payments to publishers, for payouts and for fees reduce what is owed and the bank balance', async () => {
  const tenant = await app.tenant()
  await bookJanuary(db, tenant, await addUser(tenant, 'ada'), BRAND)
  const paid = { direction: 'paid', brand_uid: undefined }
  await pay(tenant, '2026-01-20', 190)
  await pay(tenant, '2026-01-21', 20, { ...paid, party: 'publisher' })
  await pay(tenant, '2026-01-22', 30, { ...paid, party: 'payouts', method: 'publisher' })
  await pay(tenant, '2026-01-23', 10, { ...paid, party: 'service' })
  await close(app, '2026-01', tenant)
  const [publisher, service] = [await one(tenant, '2026-01', 'publisher'), await one(tenant, '2026-01', 'service')]
  assert.deepEqual(totals(publisher)['publisher_payable'], ['0.00', '0.00'])
  assert.deepEqual(
    publisher.payments.map(({ amount }: { amount: string }) => amount),
    ['20.00'],
  )
  assert.deepEqual(
    [totals(service)['bank'], totals(service)['payout_clearing'], totals(service)['fee_earned']],
    [
      ['0.00', '130.00'],
      ['0.00', '0.00'],
      ['0.00', '0.00'],
    ],
  )
  assert.deepEqual(moved(service)['money_paid'], [3, '60.00'])
  assert.equal(service.payments.length, 2)
  assert.deepEqual((await verified()).differences, [])
})
