import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { CHECKING, openRedeemer, toPurchaseId } from '../../../test/support/redemptions.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { decodeId } from '../../platform/ids.ts'
import { revokeOperator } from '../../tenants/access/index.ts'
import { toLocalActor } from '../../tenants/accounts/index.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import { verifyRedemptions } from './verify-queries.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(async () => {
  const { reader } = app.service.db
  assert.deepEqual([...(await verifyLedger(reader)), ...(await verifyRedemptions(reader))], [])
  await app.close()
})

test('a redemption holds money, goes to the publisher and is marked paid once the publisher reports it', async () => {
  const { user, redeem, balances, call, readStatus } = await openRedeemer(app)
  const ada = await user('ada', 4)
  const asked = await redeem(ada, { amount: 2.5, external_ref: 'first' })
  assert.deepEqual([asked.status, asked.body.status, asked.body.amount, asked.body.version], [200, 'sent', 2.5, 3])
  assert.deepEqual(await balances(ada), { available: 1.5, redeemed: 0, debt: 0 })
  const { redemption_id } = asked.body
  const report = { status: 'paid', payout_reference: 'wire-1' }
  const paid = await call('POST', `/redemptions/${redemption_id}/outcome`, report)
  assert.deepEqual([paid.body.status, paid.body.payout_reference], ['paid', 'wire-1'])
  assert.deepEqual(await balances(ada), { available: 1.5, redeemed: 2.5, debt: 0 })
  const again = await call('POST', `/redemptions/${redemption_id}/outcome`, report)
  assert.deepEqual([again.status, again.body.version], [200, paid.body.version])
  assert.equal((await call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'failed' })).status, 409)
  assert.equal(await readStatus(redemption_id), 'paid')
  const { body } = await call('GET', `/redemptions/${redemption_id}`)
  const steps = body.steps.map((one: { status: string; by: string }) => `${one.status} ${one.by}`)
  assert.deepEqual(steps, ['requested publisher', 'approved publisher', 'sent publisher', 'paid publisher'])
})

test("a failed payout's money becomes available again, and a returned payout no longer counts as redeemed", async () => {
  const { user, redeem, balances, call } = await openRedeemer(app)
  const ada = await user('ada', 4)
  const outcome = async (id: string, status: string) =>
    (await call('POST', `/redemptions/${id}/outcome`, { status })).body
  const first = (await redeem(ada)).body.redemption_id
  assert.equal((await outcome(first, 'failed')).reason, 'not_paid')
  assert.deepEqual(await balances(ada), { available: 4, redeemed: 0, debt: 0 })
  const second = (await redeem(ada)).body.redemption_id
  await outcome(second, 'paid')
  assert.deepEqual(await balances(ada), { available: 0, redeemed: 4, debt: 0 })
  await outcome(second, 'returned')
  assert.deepEqual(await balances(ada), { available: 4, redeemed: 0, debt: 0 })
  assert.equal((await outcome(second, 'paid')).status, 'returned')
})

test('a refund during a payout creates debt, which is repaid first if the payout fails', async () => {
  const { user, redeem, balances, call } = await openRedeemer(app)
  const ada = await user('ada', 4)
  const { redemption_id } = (await redeem(ada)).body
  for (const [nth, amount] of [50, 25].entries())
    await call('POST', '/transactions', {
      publisher_user_id: ada,
      external_id: `back ${nth}`,
      source: 'GIFT_CARD',
      kind: 'REFUND',
      amount,
      original_external_id: toPurchaseId(ada, nth),
    })
  assert.deepEqual(await balances(ada), { available: 0, redeemed: 0, debt: 3 })
  await call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'failed' })
  assert.deepEqual(await balances(ada), { available: 1, redeemed: 0, debt: 0 })
})

test('twenty concurrent redemptions never overspend, and twenty with the same reference become one', async () => {
  const { user, redeem, balances } = await openRedeemer(app)
  const [ada, ben] = [await user('ada', 4), await user('ben', 4)]
  const twenty = (more: (index: number) => object, who: string) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => redeem(who, { amount: 1, ...more(index) })))
  const many = await twenty(() => ({}), ada)
  assert.equal(many.filter(({ status }) => status === 200).length, 4)
  const refused = many.filter(({ status }) => status !== 200).map(({ body }) => body.code)
  assert.deepEqual(new Set(refused), new Set(['balance_insufficient']))
  assert.equal((await balances(ada)).available, 0)
  const same = await twenty(() => ({ external_ref: 'one' }), ben)
  assert.deepEqual(new Set(same.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(same.map(({ body }) => body.redemption_id)).size, 1)
  assert.equal((await balances(ben)).available, 3)
  const { body } = await redeem(ben, { amount: 2, external_ref: 'one' })
  assert.deepEqual([body.code, body.differing_fields], ['redemption_conflict', ['amount']])
})

test('the configured minimum, daily amount and daily count are enforced', async () => {
  const limits = { redemptionMinimum: 100n, redemptionUserDayMax: 500n, redemptionUserDayCount: 3 }
  const { user, redeem, call, days } = await openRedeemer(app, limits)
  const ada = await user('ada', 12)
  const readCode = async (amount: number) => (await redeem(ada, { amount })).body.code ?? 'done'
  assert.equal(await readCode(0.99), 'redemption_below_minimum')
  assert.equal(await readCode(4), 'done')
  assert.equal(await readCode(1.01), 'redemption_limit_reached')
  assert.equal(await readCode(1), 'done')
  await days(1)
  for (const amount of [1, 1]) assert.equal(await readCode(amount), 'done')
  const last = (await redeem(ada, { amount: 1 })).body
  assert.equal(await readCode(1), 'redemption_limit_reached')
  await call('POST', `/redemptions/${last.redemption_id}/outcome`, { status: 'failed' })
  assert.equal(await readCode(1), 'done', 'what was not paid out does not count')
  for (const amount of [0, -1, 1.001, 'all', null])
    assert.equal((await redeem(ada, { amount })).status, 400, String(amount))
  const { body } = await redeem(ada, { amount: 1.001 })
  assert.equal(body.detail, 'amount must have no more decimal places than USD allows.')
  assert.equal((await redeem(ada, { amount: 1, all: true })).status, 400)
  assert.equal((await redeem('nobody')).status, 404)
  assert.equal((await redeem(ada, { method: 'wire' })).status, 400)
})

test('large amounts need one or two different approvers, and declining releases the money', async () => {
  const limits = { redemptionReviewAbove: 200n, redemptionTwoPeopleAbove: 500n }
  const { user, redeem, balances } = await openRedeemer(app, limits)
  const ada = await user('ada', 20)
  const [one, two, support] = [await app.staff('finance'), await app.staff('finance'), await app.staff('support')]
  const approve = (call: TestApp['call'], id: string) => call('POST', `/operator/redemptions/${id}/approve`)
  assert.equal((await redeem(ada, { amount: 2 })).body.status, 'sent')
  const middle = (await redeem(ada, { amount: 5 })).body
  assert.deepEqual([middle.status, middle.approvals_needed], ['requested', 1])
  assert.equal((await approve(support, middle.redemption_id)).status, 403)
  assert.equal((await approve(one, middle.redemption_id)).body.status, 'sent')
  const large = (await redeem(ada, { amount: 6 })).body
  assert.equal(large.approvals_needed, 2)
  assert.equal((await approve(one, large.redemption_id)).body.status, 'requested')
  assert.equal((await approve(one, large.redemption_id)).body.code, 'redemption_approved_by_you')
  assert.equal((await approve(two, large.redemption_id)).body.status, 'sent')
  const declined = (await redeem(ada, { amount: 7 })).body
  const listed = (await support('GET', '/operator/redemptions')).body.content
  assert(listed.some((row: { redemption_id: string }) => row.redemption_id === declined.redemption_id))
  const refusal = { reason: 'The account is under investigation' }
  const { body } = await one('POST', `/operator/redemptions/${declined.redemption_id}/decline`, refusal)
  assert.deepEqual([body.status, body.reason, body.reason_text], ['cancelled', 'declined', refusal.reason])
  assert.equal((await approve(two, declined.redemption_id)).body.code, 'redemption_status')
  assert.equal((await balances(ada)).available, 7)
  const entries = await app.operator('GET', `/operator/audit?subject=${large.redemption_id}`)
  assert.equal(entries.body.content.length, 2)
})

test('approvals by operators who have left are ignored, and lowered limits apply to open redemptions', async () => {
  const { user, redeem, publisher } = await openRedeemer(app, { redemptionReviewAbove: 100n })
  const ada = await user('ada', 8)
  const approve = (call: TestApp['call'], id: string) => call('POST', `/operator/redemptions/${id}/approve`)
  const [eve, bob, cyd] = [await app.staff('finance'), await app.staff('finance'), await app.staff('finance')]
  const ask = async () => (await redeem(ada, { amount: 4 })).body.redemption_id
  const [first, second] = [await ask(), await ask()]
  await app.service.db.transaction((tx) => changeSettings(tx, publisher.id, { redemptionTwoPeopleAbove: 200n }))
  assert.equal((await approve(bob, first)).body.status, 'requested', 'two must approve now')
  assert.equal((await approve(eve, second)).body.status, 'requested')
  const { operator_id } = (await eve('GET', '/operator/me')).body
  await app.service.db.transaction((tx) =>
    revokeOperator(
      tx,
      { operatorId: decodeId<'operator'>('opr', operator_id) as never, by: toLocalActor('tests') },
      new Date(),
    ),
  )
  assert.equal((await approve(bob, second)).body.status, 'requested', 'the one who left does not count')
  assert.equal((await approve(cyd, second)).body.status, 'sent')
  assert.equal((await approve(cyd, first)).body.status, 'sent')
})

test('a redemption can be canceled until it is sent; canceling it again changes nothing', async () => {
  const { user, redeem, balances, call } = await openRedeemer(app, { redemptionReviewAbove: 100n })
  const ada = await user('ada', 4)
  const cancel = (id: string) => call('POST', `/redemptions/${id}/cancel`)
  const waiting = (await redeem(ada, { amount: 2 })).body.redemption_id
  assert.deepEqual((await cancel(waiting)).body.reason, 'cancelled')
  assert.equal((await cancel(waiting)).body.version, 2)
  const sent = (await redeem(ada, { amount: 1 })).body.redemption_id
  assert.equal((await cancel(sent)).body.code, 'redemption_status')
  assert.equal((await balances(ada)).available, 3)
})

test('a deactivated user can still redeem earned money', async () => {
  const { user, redeem, call } = await openRedeemer(app)
  const ada = await user('ada', 4)
  await call('DELETE', `/users/${ada}`)
  assert.equal((await redeem(ada)).body.status, 'sent')
})

test('redemptions can be filtered by user, status, method, reference and day', async () => {
  const { user, redeem, call } = await openRedeemer(app)
  const [ada, ben] = [await user('ada', 4), await user('ben', 4)]
  await redeem(ada, { amount: 1, external_ref: 'a' })
  const paid = (await redeem(ada, { amount: 2 })).body.redemption_id
  await redeem(ben)
  await call('POST', `/redemptions/${paid}/outcome`, { status: 'paid' })
  const found = async (query: string) => (await call('GET', `/redemptions?${query}`)).body
  assert.equal((await found('')).total_elements, 3)
  assert.equal((await found(`publisher_user_id=${ada}`)).total_elements, 2)
  assert.deepEqual(
    (await found('status=paid')).content.map((row: { amount: number }) => row.amount),
    [2],
  )
  assert.equal((await found('external_ref=a')).total_elements, 1)
  assert.equal((await found('method=file')).total_elements, 0)
  assert.equal((await found('end_date=2020-01-01')).total_elements, 0)
  assert.equal((await call('GET', '/redemptions?sort=amount')).status, 400)
  const sorted = await found(`publisher_user_id=${ada}&sort=amount,asc`)
  assert.deepEqual(
    sorted.content.map((row: { amount: number }) => row.amount),
    [1, 2],
  )
  assert.equal((await call('GET', '/redemptions?publisher_user_id=nobody')).status, 404)
})

test('every status change emits an event with the complete redemption, in order', async () => {
  const { user, redeem, call } = await openRedeemer(app)
  const ada = await user('ada', 4)
  const { redemption_id } = (await redeem(ada)).body
  await call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'paid' })
  await call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'returned' })
  const events = await eventually(async () => {
    const { content } = (await call('GET', '/events?limit=100')).body
    const about = content.filter((event: { type: string }) => event.type.startsWith('redemption.'))
    return about.length === 5 ? about : null
  })
  assert.deepEqual(
    events.map(({ type, data, previous }: { type: string; data: Record<string, unknown>; previous: object }) => [
      ...[type, data['version'], data['status'], data['redemption_id'] === redemption_id, previous],
    ]),
    [
      ['redemption.created', 1, 'requested', true, null],
      ['redemption.approved', 2, 'approved', true, { status: 'requested' }],
      ['redemption.sent', 3, 'sent', true, { status: 'approved' }],
      ['redemption.completed', 4, 'paid', true, { status: 'sent' }],
      ['redemption.returned', 5, 'returned', true, { status: 'paid' }],
    ],
  )
})

test('bank payouts are made only if the settings allow them, and only to a bank account', async () => {
  const { user, redeem, call } = await openRedeemer(app, { redemptionMethods: ['publisher', 'file'] })
  const ada = await user('ada', 4)
  assert.equal((await redeem(ada, { method: 'simulated' })).body.code, 'redemption_method_not_allowed')
  assert.equal((await redeem(ada, { method: 'file' })).body.code, 'destination_missing')
  await call('PUT', `/users/${ada}/payout-destination`, { type: 'email', email: 'ada@example.com' })
  assert.equal((await redeem(ada, { method: 'file' })).body.code, 'destination_missing')
  await call('PUT', `/users/${ada}/payout-destination`, CHECKING)
  assert.equal((await redeem(ada, { amount: 1 })).body.code, 'destination_cooling_down')
})
