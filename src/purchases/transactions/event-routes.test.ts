import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

test("a purchase's source events are listed in order of receipt, and only for its publisher", async () => {
  const shared = { publisher_user_id: 'ada', source: 'CARD', merchant_descriptor: 'CORNER MARKET' }
  const bought = await app.call('POST', '/transactions', {
    ...shared,
    external_id: 'a',
    kind: 'AUTHORIZATION',
    amount: 40,
  })
  const cleared = { external_id: 'b', kind: 'CLEARING', original_external_id: 'a', amount: 41.5 }
  await app.call('POST', '/transactions', { ...shared, ...cleared })
  const address = `/transactions/${bought.body.transaction_uid}/events`
  const { status, body } = await app.call('GET', address)
  assert.equal(status, 200)
  assert.deepEqual(
    body.content.map((event: Record<string, unknown>) => [
      ...[event['external_id'], event['kind'], event['original_external_id'], event['amount'], event['currency']],
      event['merchant_descriptor'],
    ]),
    [
      ['a', 'AUTHORIZATION', null, 40, 'USD', 'CORNER MARKET'],
      ['b', 'CLEARING', 'a', 41.5, 'USD', 'CORNER MARKET'],
    ],
  )
  const other = await app.tenant()
  assert.equal((await other.call('GET', address)).body.code, 'transaction_not_found')
})

test("a purchase's postings sum to zero, regardless of the user's other purchases", async () => {
  const bought = { publisher_user_id: 'ada', source: 'CARD', brand_uid: 'brand-market' }
  const { transaction_uid } = (await app.call('POST', '/transactions', { ...bought, external_id: 'p', amount: 50 }))
    .body
  await app.call('POST', '/transactions', { ...bought, external_id: 'q', amount: 20 })
  const { status, body } = await app.call('GET', `/transactions/${transaction_uid}/postings`)
  assert.equal(status, 200)
  const { user_cashback } = (await app.call('GET', `/transactions/${transaction_uid}`)).body
  const amounts: { account: string; kind: string; amount: number }[] = body.content
  assert.equal(amounts.find(({ account }) => account === 'user_pending')?.amount, -user_cashback)
  assert.ok(amounts.some(({ account, amount }) => account === 'advertiser_receivable' && amount > 0))
  assert.deepEqual(new Set(amounts.map(({ kind }) => kind)), new Set(['accrual']))
  const sum = amounts.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0)
  assert.equal(sum, 0)
  const other = await app.tenant()
  assert.equal((await other.call('GET', `/transactions/${transaction_uid}/postings`)).status, 404)
})

test('the events about a purchase are listed with all their deliveries', async () => {
  const { endpoint_id } = (await app.call('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })).body
  const bought = { publisher_user_id: 'ada', source: 'CARD', brand_uid: 'brand-market', amount: 30 }
  const { transaction_uid } = (await app.call('POST', '/transactions', { ...bought, external_id: 'r' })).body
  await app.call('POST', '/transactions', { ...bought, external_id: 's' })
  const address = `/transactions/${transaction_uid}/announcements`
  await eventually(async () => (await app.call('GET', address)).body.content[0].deliveries.length > 0)
  const { content } = (await app.call('GET', address)).body
  assert.deepEqual(
    content.map((event: { event_type: string; deliveries: { endpoint_id: string; event_type: string }[] }) => [
      event.event_type,
      event.deliveries.map((one) => [one.endpoint_id, one.event_type]),
    ]),
    [['transaction.created', [[endpoint_id, 'transaction.created']]]],
  )
  const other = await app.tenant()
  assert.equal((await other.call('GET', address)).status, 404)
})
