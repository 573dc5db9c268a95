import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeId } from '../../src/platform/ids.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'

// What a body names and nobody knows is told by its field, so that a program can put it right.

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  await app.call('POST', '/users', { publisher_user_id: 'user-1' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'user-1', tnc_id: app.tncId })
})
after(() => app.close())

const bought = { publisher_user_id: 'user-1', source: 'OTHER', kind: 'CLEARING', external_id: 'a', amount: 10 }

for (const [field, code] of [
  ['brand_uid', 'brand_unknown'],
  ['offer_uid', 'offer_unknown'],
  ['publisher_user_id', 'user_not_found'],
] as const)
  test(`a purchase that names an unknown ${field} is refused by that field, alone, in a batch and when only judged`, async () => {
    const event = { ...bought, currency: 'USD', [field]: 'nobody' }
    const batch = await app.call('POST', '/transactions', { transactions: [event] })
    const { external_id: _, kind: _kind, ...judged } = event
    const answers = [
      (await app.call('POST', '/transactions', event)).body,
      batch.body.results[0].error,
      (await app.call('POST', '/transactions/evaluate', judged)).body,
    ]
    for (const { status, code: told, errors } of answers)
      assert.deepEqual([status, told, errors?.map((one: { field: string }) => one.field)], [404, code, [field]])
  })

test('a re-match of an unknown brand is refused by its field', async () => {
  const asked = { publisher_id: encodeId('pub', app.publisher.id), brand_uid: 'nobody' }
  const { status, body } = await app.operator('POST', '/operator/rematches/preview', asked)
  assert.deepEqual([status, body.code, body.errors[0].field], [404, 'brand_unknown', 'brand_uid'])
})
