import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { CATALOG, makeCaller, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { createApiKey } from '../../tenants/access/index.ts'

let app: TestApp
/** The receiver's response. `RDM` is replaced by the ID of the redemption in the event. */
let answer = ''
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => void chunks.push(chunk))
    .on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString())
      response.end(answer.replace('RDM', data.redemption_id))
    })
}).unref()

before(async () => {
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve)
  })
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(async () => {
  await app.close()
  receiver.close()
})

const url = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const sent = { event_types: ['redemption.sent'] }

/** Redeems and waits until the receiver has responded and the response has been processed. */
async function answered({ call, redeem }: Redeemer, count: number, more: object = {}): Promise<string> {
  const { redemption_id } = (await redeem('ada', { amount: 0.25, ...more })).body
  await eventually(
    async () => (await call('GET', '/webhooks/deliveries?status=delivered')).body.total_elements === count,
  )
  await eventually(async () => (await app.owner.reader`select from facts`).length === 0)
  return redemption_id
}

test("a publisher can report a payout's outcome in a webhook response; any other response is ignored", async () => {
  const redeemer = await openRedeemer(app)
  const { user, call, readStatus } = redeemer
  await user('ada', 4)
  assert.equal((await call('POST', '/webhooks/endpoints', { url: url(), decides_outcomes: true, ...sent })).status, 200)
  const others = [
    ...['', 'ok', '{"status":"paid"}', '{"redemption_id":"RDM","status":"lost"}'],
    '{"redemption_id":"RDM","status":"paid","who":1}',
    '{"redemption_id":"rdm_01kbjyt5v3f4nvj5yq5yfypr9v","status":"paid"}',
    '{"redemption_id":"RDM","status":"failed","message":"a\\u0000b"}',
    '{"redemption_id":"RDM","status":"failed","message":"a\\r\\nb"}',
  ]
  for (const [index, other] of others.entries()) {
    answer = other
    assert.equal(await readStatus(await answered(redeemer, index + 1)), 'sent', other)
  }
  answer = '{"redemption_id":"RDM","status":"paid","payout_reference":"wire-7"}'
  const paid = await answered(redeemer, others.length + 1)
  const { body } = await call('GET', `/redemptions/${paid}`)
  assert.deepEqual([body.status, body.payout_reference], ['paid', 'wire-7'])
  await call('PUT', '/users/ada/payout-destination', CHECKING)
  const byBank = await answered(redeemer, others.length + 2, { method: 'simulated' })
  assert.equal(await readStatus(byBank), 'sent', 'only the bank says what became of a payout that it makes')
  answer = '{"redemption_id":"RDM","status":"failed","reason":"not_paid","message":"The wallet is blocked"}'
  assert.equal(await readStatus(await answered(redeemer, others.length + 3)), 'failed')
})

test("only a key that may report outcomes can let an endpoint do so or change such an endpoint's URL", async () => {
  const redeemer = await openRedeemer(app)
  const { apiKey } = await app.service.db.transaction((tx) =>
    createApiKey(tx, redeemer.publisher, ['webhooks:write', 'webhooks:read'], new Date()),
  )
  const weak = makeCaller(app.service.url, apiKey)
  await redeemer.user('ada', 2)
  const made = await weak('POST', '/webhooks/endpoints', { url: url(), ...sent })
  assert.deepEqual([made.status, made.body.decides_outcomes], [200, false])
  answer = '{"redemption_id":"RDM","status":"failed"}'
  assert.equal(await redeemer.readStatus(await answered(redeemer, 1)), 'sent')
  const refused = await weak('POST', '/webhooks/endpoints', { url: url(), decides_outcomes: true, ...sent })
  assert.deepEqual([refused.status, refused.body.code], [403, 'scope_missing'])
  const path = `/webhooks/endpoints/${made.body.endpoint_id}`
  assert.equal((await weak('PATCH', path, { decides_outcomes: true })).status, 403)
  assert.equal((await redeemer.call('PATCH', path, { decides_outcomes: true })).body.decides_outcomes, true)
  assert.equal((await weak('PATCH', path, { url: `${url()}elsewhere` })).status, 403)
  assert.equal((await weak('PATCH', path, { description: 'Ours' })).status, 200)
  assert.equal((await weak('PATCH', path, { decides_outcomes: false })).body.decides_outcomes, false)
})
