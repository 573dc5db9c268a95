import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { linkItem, openReceiver, openSimulator, type Received, type TestSimulator } from './test-support.ts'

type Key = { kty: string; crv: string; x: string; y: string; alg: string; use: string; expired_at: null }

/** Verifies the header as a receiver must, with only node:crypto. Returns the time of the signature. */
async function verifySignature({ call }: TestSimulator, { jwt, raw }: Received): Promise<number> {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { alg, kid } = decode(header)
  assert.equal(alg, 'ES256')
  const { body } = await call<{ key: Key }>('/webhook_verification_key/get', { key_id: kid })
  assert.deepEqual([body.key.alg, body.key.use, body.key.expired_at], ['ES256', 'sig', null])
  const { kty, crv, x, y } = body.key
  const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const good = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  assert.ok(good, 'the signature fits the key')
  const { iat, request_body_sha256 } = decode(claims)
  assert.equal(request_body_sha256, createHash('sha256').update(raw).digest('hex'))
  return Number(iat)
}

test('a reset login triggers a signed ITEM/ERROR webhook', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token, item_id } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.call('/sandbox/item/reset_login', { access_token })
  const received = await receiver.next()
  const { error, ...rest } = received.content
  assert.deepEqual(rest, { webhook_type: 'ITEM', webhook_code: 'ERROR', item_id, environment: 'sandbox' })
  assert.deepEqual(
    { ...(error as object), error_message: '', display_message: '' },
    {
      error_type: 'ITEM_ERROR',
      error_code: 'ITEM_LOGIN_REQUIRED',
      error_message: '',
      display_message: '',
      status: 400,
    },
  )
  const iat = await verifySignature(simulator, received)
  assert.ok(Math.abs(iat - Date.now() / 1000) < 60)
})

test('a webhook body spans several lines, so hashing re-serialized JSON fails', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.call('/sandbox/item/fire_webhook', { access_token, webhook_code: 'SYNC_UPDATES_AVAILABLE' })
  const { raw, content } = await receiver.next()
  assert.equal(raw, JSON.stringify(content, null, 2))
  assert.notEqual(raw, JSON.stringify(content))
})

test('updates are announced only after the first sync', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token, item_id } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount: 3 })
  await simulator.call('/transactions/sync', { access_token })
  await simulator.call('/sandbox/item/fire_webhook', { access_token, webhook_code: 'LOGIN_REPAIRED' })
  await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount: 3 })
  const codes = [(await receiver.next()).content['webhook_code'], (await receiver.next()).content['webhook_code']]
  assert.deepEqual(codes, ['LOGIN_REPAIRED', 'SYNC_UPDATES_AVAILABLE'])
})

test('a rejected webhook is retried with a new signature', async (t) => {
  const simulator = await openSimulator(t, { webhookRetryDelaysMs: [1, 1] })
  const receiver = await openReceiver(t, [500, 404])
  const { access_token } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.call('/sandbox/item/reset_login', { access_token })
  const attempts = [await receiver.next(), await receiver.next(), await receiver.next()]
  for (const attempt of attempts) await verifySignature(simulator, attempt)
  assert.equal(new Set(attempts.map(({ raw }) => raw)).size, 1)
  // ES256 signatures are randomized, so equal ones would mean that one was reused.
  assert.equal(new Set(attempts.map(({ jwt }) => jwt)).size, 3)
})

test('a repair made elsewhere is announced, along with the changes made in the meantime', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token, item_id } = await linkItem(simulator, { webhook: receiver.url })
  await simulator.call('/transactions/sync', { access_token })
  await simulator.control(`items/${item_id}/break`)
  await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount: 3 })
  await simulator.control(`items/${item_id}/repair`)
  const codes: unknown[] = []
  for (let index = 0; index < 3; index++) codes.push((await receiver.next()).content['webhook_code'])
  assert.deepEqual(codes, ['ERROR', 'LOGIN_REPAIRED', 'SYNC_UPDATES_AVAILABLE'])
})

test('a new webhook address is acknowledged at that address', async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token } = await linkItem(simulator)
  await simulator.call('/item/webhook/update', { access_token, webhook: receiver.url })
  const { content } = await receiver.next()
  assert.deepEqual([content['webhook_code'], content['new_webhook_url']], ['WEBHOOK_UPDATE_ACKNOWLEDGED', receiver.url])
  const refused = await simulator.call('/item/webhook/update', { access_token, webhook: 'ftp://example' })
  assert.equal(refused.body.error_code, 'INVALID_FIELD')
})

test('an unknown webhook code, an item without a webhook address and an unknown key are rejected', async (t) => {
  const { call } = await openSimulator(t)
  const { access_token } = await linkItem({ call })
  const fire = (webhook_code: string) => call('/sandbox/item/fire_webhook', { access_token, webhook_code })
  assert.equal((await fire('PENDING_EXPIRATION')).body.error_code, 'INVALID_FIELD')
  assert.equal((await fire('LOGIN_REPAIRED')).body.error_code, 'SANDBOX_WEBHOOK_INVALID')
  const key = await call('/webhook_verification_key/get', { key_id: 'nothing' })
  assert.equal(key.body.error_code, 'INVALID_WEBHOOK_VERIFICATION_KEY_ID')
})
