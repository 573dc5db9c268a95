import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, type Call, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { openRedeemer, type Redeemer, toPurchaseId } from '../../../test/support/redemptions.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { encodeId } from '../../platform/ids.ts'

let app: TestApp
let one: Call
let two: Call

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  one = await app.staff('finance')
  two = await app.staff('finance')
})

after(async () => {
  assert.deepEqual(await verifyLedger(app.service.db.reader), [])
  await app.close()
})

const propose = (redeemer: Redeemer, more: object, call = one) =>
  call('POST', '/operator/adjustments', {
    publisher_id: encodeId('pub', redeemer.publisher.id),
    publisher_user_id: 'ada',
    kind: 'goodwill',
    amount: 5,
    reason: 'The shop had closed early',
    ...more,
  })
const decide = (id: string, verdict: string, call = two) => call('POST', `/operator/adjustments/${id}/${verdict}`)

test('up to the limit, one person can grant goodwill, which is available immediately and announced', async () => {
  const redeemer = await openRedeemer(app)
  await redeemer.user('ada', 0)
  const { status, body } = await propose(redeemer, { amount: 25 }, await app.staff('support'))
  assert.deepEqual([status, body.status, body.amount], [200, 'booked', 25])
  assert.equal((await redeemer.balances('ada')).available, 25)
  const events = await eventually(async () => {
    const { content } = (await redeemer.call('GET', '/events?limit=100')).body
    const booked = content.filter((event: { type: string }) => event.type === 'adjustment.booked')
    return booked.length === 1 ? booked : null
  })
  assert.deepEqual([events[0].data.amount, events[0].data.proposed_by], [25, undefined])
  const entries = (await app.operator('GET', `/operator/audit?subject=${body.adjustment_id}`)).body.content
  assert.equal(entries[0].action, 'adjustment.proposed')
  const statement = (await redeemer.call('GET', '/users/ada/statement')).body
  assert.equal(statement.content.at(-1).description, 'Added manually')
})

test('above the limit, an adjustment must be booked or declined by another person, and only once', async () => {
  const redeemer = await openRedeemer(app, { adjustmentAloneMax: 1_000n })
  await redeemer.user('ada', 0)
  const { body: waiting } = await propose(redeemer, { amount: 10.01 })
  assert.equal(waiting.status, 'proposed')
  assert.equal((await redeemer.balances('ada')).available, 0)
  assert.equal((await decide(waiting.adjustment_id, 'book', one)).body.code, 'adjustment_proposed_by_you')
  assert.equal((await decide(waiting.adjustment_id, 'book', await app.staff('support'))).status, 403)
  assert.equal((await decide(waiting.adjustment_id, 'book')).body.status, 'booked')
  assert.equal((await redeemer.balances('ada')).available, 10.01)
  assert.equal((await decide(waiting.adjustment_id, 'decline')).body.code, 'adjustment_decided')
  const { body: other } = await propose(redeemer, { amount: 500 })
  assert.equal((await decide(other.adjustment_id, 'decline')).body.status, 'declined')
  assert.equal((await decide(other.adjustment_id, 'book')).body.code, 'adjustment_decided')
  const listed = (await one('GET', `/operator/adjustments?publisher_id=${waiting.publisher_id}&status=booked`)).body
  assert.deepEqual(
    listed.content.map((row: { amount: number }) => row.amount),
    [10.01],
  )
})

test("a person's daily limit spans all users, even with concurrent requests", async () => {
  const redeemer = await openRedeemer(app)
  const names = Array.from({ length: 6 }, (_, nth) => `made-up-${nth}`)
  for (const name of ['ada', ...names]) await redeemer.user(name, 0)
  const support = await app.staff('support')
  const statuses: string[] = []
  for (let nth = 0; nth < 2; nth++) statuses.push((await propose(redeemer, { amount: 10 }, support)).body.status)
  const answers = await Promise.all(
    names.map((publisher_user_id) => propose(redeemer, { amount: 5, publisher_user_id }, support)),
  )
  statuses.push(...answers.map(({ body }) => body.status).sort())
  assert.deepEqual(statuses, ['booked', 'booked', 'booked', ...names.slice(1).map(() => 'proposed')])
  assert.equal((await propose(redeemer, { amount: 10 }, two)).body.status, 'booked', 'another person')
  await redeemer.days(1)
  assert.equal((await propose(redeemer, { amount: 10 }, support)).body.status, 'booked')
})

test('five concurrent attempts to book a proposal book it only once', async () => {
  const redeemer = await openRedeemer(app, { adjustmentAloneMax: 0n })
  await redeemer.user('ada', 0)
  const { body } = await propose(redeemer, {})
  const answers = await Promise.all(Array.from({ length: 5 }, () => decide(body.adjustment_id, 'book')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal((await redeemer.balances('ada')).available, 5)
})

test('corrections take at most what is available, goodwill repays debt, and write-offs require approval', async () => {
  const redeemer = await openRedeemer(app, { adjustmentAloneMax: 100_000n })
  await redeemer.user('ada', 4)
  const back = (nth: number) =>
    redeemer.call('POST', '/transactions', {
      publisher_user_id: 'ada',
      external_id: `back ${nth}`,
      source: 'GIFT_CARD',
      kind: 'REFUND',
      amount: 50,
      original_external_id: toPurchaseId('ada', nth),
    })
  assert.equal((await propose(redeemer, { kind: 'correction', amount: -4.01 })).body.code, 'adjustment_too_large')
  assert.equal((await propose(redeemer, { kind: 'correction', amount: -4 })).body.status, 'booked')
  assert.equal((await redeemer.balances('ada')).available, 0)
  await back(0)
  await back(1)
  assert.equal((await redeemer.balances('ada')).debt, 4)
  await propose(redeemer, { amount: 1 })
  assert.deepEqual(await redeemer.balances('ada'), { available: 0, redeemed: 0, debt: 3 })
  assert.equal((await propose(redeemer, { kind: 'write_off', amount: 3.01 })).body.code, 'adjustment_too_large')
  const { body } = await propose(redeemer, { kind: 'write_off', amount: 3 })
  assert.equal(body.status, 'proposed')
  assert.equal((await decide(body.adjustment_id, 'book')).status, 200)
  assert.equal((await redeemer.balances('ada')).debt, 0)
})

test('an external_ref identifies one adjustment; conflicts, invalid amounts and unknown users are rejected', async () => {
  const redeemer = await openRedeemer(app)
  await redeemer.user('ada', 0)
  const first = await propose(redeemer, { external_ref: 'case-1' })
  const again = await propose(redeemer, { external_ref: 'case-1' })
  assert.equal(again.body.adjustment_id, first.body.adjustment_id)
  assert.equal((await redeemer.balances('ada')).available, 5)
  assert.equal((await propose(redeemer, { external_ref: 'case-1', amount: 6 })).body.code, 'adjustment_conflict')
  for (const wrong of [{ amount: 0 }, { amount: 1.005 }, { amount: -1 }, { kind: 'gift' }, { reason: '' }])
    assert.equal((await propose(redeemer, wrong)).status, 400, JSON.stringify(wrong))
  assert.equal((await propose(redeemer, { publisher_user_id: 'nobody' })).status, 404)
  assert.equal((await propose(redeemer, {}, await app.staff('catalog'))).status, 403)
  assert.equal((await decide('adj_01kbjyt5v3f4nvj5yq5yfypr9v', 'book')).status, 404)
})
