import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { CATALOG, startTestApp, type Tenant } from '../../../test/support/app.ts'
import { toId } from '../../../test/support/settlement-world.ts'
import { readSharedBalance } from '../../../test/support/shared-balance.ts'
import { foldDeltas, verifyLedger, verifyNext } from '../../ledger/index.ts'
import { createLog } from '../../platform/telemetry/log.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
const { db } = app.service
after(() => app.close())

const record = (tenant: Tenant, body: object) =>
  app.operator('POST', '/operator/payments', { publisher_id: toId(tenant), value_date: '2026-01-31', ...body })
const fromAdvertiser = (external_ref: string, amount = 50) => ({
  direction: 'received',
  party: 'advertiser',
  brand_uid: 'brand-market',
  amount,
  currency: 'USD',
  external_ref,
})
const readBalance = (tenant: Tenant, account: Parameters<typeof readSharedBalance>[2], owner = '') =>
  readSharedBalance(db.reader, tenant.publisher, account, owner)

test('each payment moves money between the bank and the account that it settles', async () => {
  const tenant = await app.tenant()
  const cases = [
    [
      { direction: 'received', party: 'advertiser', brand_uid: 'brand-market' },
      'advertiser_receivable',
      'brand-market',
      -1,
    ],
    [{ direction: 'paid', party: 'publisher' }, 'publisher_payable', '', 1],
    [{ direction: 'paid', party: 'payouts', method: 'file' }, 'payout_clearing', 'file', 1],
    [{ direction: 'paid', party: 'service' }, 'fee_earned', '', 1],
  ] as const
  for (const [terms, account, owner, sign] of cases) {
    const before = await readBalance(tenant, 'bank')
    const { status, body } = await record(tenant, { ...terms, amount: 12.5, currency: 'USD', external_ref: account })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await readBalance(tenant, account, owner), BigInt(sign * 12_50))
    assert.equal((await readBalance(tenant, 'bank')) - before, BigInt(-sign * 12_50))
  }
  const { body } = await app.operator('GET', `/operator/payments?publisher_id=${toId(tenant)}&sort=created_at`)
  assert.deepEqual(
    body.content.map(({ party, direction }: Record<string, string>) => [party, direction]),
    cases.map(([{ party, direction }]) => [party, direction]),
  )
})

test('payments can be paged through in every order, even if their dates and amounts are equal', async () => {
  const tenant = await app.tenant()
  const payments = [
    ['first', 5, '2026-01-30'],
    ['second', 7, '2026-01-31'],
    ['third', 5, '2026-01-31'],
  ] as const
  for (const [reference, amount, value_date] of payments)
    await record(tenant, { ...fromAdvertiser(reference, amount), value_date })
  const orders = {
    created_at: ['first', 'second', 'third'],
    value_date: ['first', 'second', 'third'],
    amount: ['first', 'third', 'second'],
  }
  for (const [order, references] of Object.entries(orders))
    for (const [sort, expected] of [
      [order, references],
      [`-${order}`, references.toReversed()],
    ] as const) {
      const seen: string[] = []
      for (let cursor = ''; cursor !== 'null'; ) {
        const page = `sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`
        const { body } = await app.operator('GET', `/operator/payments?publisher_id=${toId(tenant)}&${page}`)
        seen.push(...body.content.map((payment: Record<string, string>) => payment['external_ref']))
        cursor = String(body.next_cursor)
      }
      assert.deepEqual(seen, expected, sort)
    }
})

test('a list can be read in full as CSV, with the same filters and order as its pages', async () => {
  const tenant = await app.tenant()
  await record(tenant, { ...fromAdvertiser('first', 11.01), note: '=1+1, "quoted"' })
  await db.transaction(
    (tx) => tx`
    insert into payments
    select gen_random_uuid(), publisher_id, 'copy-' || copy, direction, party, owner, currency, copy,
      value_date, null, null, created_at, created_by
    from payments, generate_series(1, 1100) copy where external_ref = 'first' and publisher_id = ${tenant.publisher.id}`,
  )
  const address = `/operator/payments?publisher_id=${toId(tenant)}&sort=-amount`
  const { status, body, headers } = await app.operator('GET', `${address}&format=csv&limit=1`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="payments.csv"')
  const rows: Record<string, string>[] = parse(body, { columns: true })
  assert.deepEqual(
    rows.map(({ external_ref }) => external_ref),
    ['first', ...Array.from({ length: 1100 }, (_, index) => `copy-${1100 - index}`)],
  )
  const { body: page } = await app.operator('GET', `${address}&limit=1`)
  assert.deepEqual(Object.keys(rows[0] ?? {}), Object.keys(page.content[0]))
  const [first] = rows
  assert.deepEqual([first?.['amount'], first?.['note'], first?.['reverses']], ['11.01', `'=1+1, "quoted"`, ''])
})

test('a reference is recorded once, even concurrently, and reusing it for another payment is a conflict', async () => {
  const tenant = await app.tenant()
  const answers = await Promise.all([1, 2, 3].map(() => record(tenant, fromAdvertiser('twice'))))
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, answers[0]?.body])
  assert.equal(await readBalance(tenant, 'bank'), 50_00n)
  const other = await record(tenant, fromAdvertiser('twice', 51))
  assert.deepEqual([other.status, other.body.code], [409, 'payment_conflict'])
  assert.deepEqual(other.body.differing_fields, ['amount'])
  assert.equal((await record(await app.tenant(), fromAdvertiser('twice', 51))).status, 200)
  const { body: log } = await app.operator('GET', `/operator/audit?subject=${answers[0]?.body.payment_id}`)
  // The names appear only in the response. The audit log has the stored fields.
  const { brand_name, created_by_name, ...recorded } = answers[0]?.body ?? {}
  assert.deepEqual([brand_name, created_by_name], ['Corner Market', 'Ada'])
  assert.deepEqual(
    log.content.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [['payment.recorded', recorded]],
  )
})

test('a payment can be reversed once, by a payment that references it', async () => {
  const tenant = await app.tenant()
  const { body: paid } = await record(tenant, fromAdvertiser('wire'))
  const back = { reverses: paid.payment_id, note: 'bounced' }
  const answers = await Promise.all(['one', 'two'].map((external_ref) => record(tenant, { ...back, external_ref })))
  assert.deepEqual(answers.map(({ status, body }) => [status, body.code]).sort(), [
    [200, undefined],
    [409, 'payment_not_reversible'],
  ])
  const reversal = answers.find(({ status }) => status === 200)?.body
  assert.deepEqual(
    [reversal.direction, reversal.brand_uid, reversal.amount, await readBalance(tenant, 'bank')],
    ['paid', 'brand-market', 50, 0n],
  )
  assert.deepEqual((await record(tenant, { ...back, external_ref: reversal.external_ref })).body, reversal)
  const twice = await record(tenant, { reverses: reversal.payment_id, external_ref: 'three' })
  assert.equal(twice.body.code, 'payment_not_reversible')
  const { body } = await app.operator('GET', `/operator/payments?publisher_id=${toId(tenant)}&external_ref=wire`)
  assert.equal(body.content[0].reversed_by, reversal.payment_id)
  const elsewhere = await record(await app.tenant(), { ...back, external_ref: 'foreign' })
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, 'payment_not_found'])
})

test('a payment with missing, extra or invalid fields is rejected and not booked', async () => {
  const tenant = await app.tenant()
  const faults: [body: object, status: number, field: string][] = [
    [{ ...fromAdvertiser('a'), brand_uid: 'nobody' }, 404, ''],
    [{ ...fromAdvertiser('a'), brand_uid: undefined }, 400, 'brand_uid'],
    [{ ...fromAdvertiser('a'), method: 'file' }, 400, 'method'],
    [{ ...fromAdvertiser('a'), party: 'service' }, 400, 'brand_uid'],
    [{ ...fromAdvertiser('a'), party: undefined }, 400, 'party'],
    [{ ...fromAdvertiser('a'), currency: 'EUR' }, 400, 'currency'],
    [{ ...fromAdvertiser('a'), amount: 0.001 }, 400, 'amount'],
    [{ ...fromAdvertiser('a'), value_date: '2999-01-01' }, 400, 'value_date'],
    [{ ...fromAdvertiser('a'), reverses: 'pay_1' }, 400, 'direction'],
    [{ ...fromAdvertiser('a'), publisher_id: 'pub_nobody' }, 404, ''],
  ]
  for (const [body, status, field] of faults) {
    const answer = await record(tenant, body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].field ?? ''], [status, field], JSON.stringify(body))
  }
  assert.equal(await readBalance(tenant, 'bank'), 0n)
})

test('payment journals pass both the hourly and the full verification', async () => {
  const tenant = await app.tenant()
  await record(tenant, fromAdvertiser('verified'))
  await record(tenant, {
    direction: 'paid',
    party: 'payouts',
    method: 'file',
    amount: 7,
    currency: 'USD',
    external_ref: 'payouts',
  })
  await app.owner.reader`update ledger_verification set due_at = due_at - interval '1 hour'`
  while (await verifyNext({ db: app.owner, log: createLog('silent') })) {}
  const [state] = await db.reader`select differences from ledger_verification`
  assert.equal(state?.['differences'], 0)
  await foldDeltas(app.owner)
  assert.deepEqual(await db.snapshot((tx) => verifyLedger(tx)), [])
  assert.equal(await readBalance(tenant, 'bank'), 43_00n)
  const { body } = await app.operator('GET', `/operator/trial-balance?publisher_id=${toId(tenant)}&by_owner=true`)
  assert.equal(body.balanced, true)
  assert.deepEqual(
    body.content.map(({ account, owner, balance }: Record<string, unknown>) => [account, owner, balance]),
    [
      ['advertiser_receivable', 'brand-market', -50],
      ['payout_clearing', 'file', 7],
      ['bank', null, 43],
    ],
  )
})
