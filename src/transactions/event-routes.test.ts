import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { changeSettings } from '../publishers/index.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

test('what was reported about a purchase is listed in the order of its reports, to its publisher alone', async () => {
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
