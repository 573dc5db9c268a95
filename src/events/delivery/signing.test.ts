import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createSignature, newSecret, prepareKey, signHeaders } from './signing.ts'

const id = 'evt_01h455vb4pex5vsknk084sn02q'
const body = '{"type":"user.created","data":{"name":"Ünïcödé ☃"}}'

test('a signature matches the one computed by the Standard Webhooks library', () => {
  const secret = newSecret()
  const at = new Date('2026-11-21T10:00:00Z')
  assert.equal(createSignature(secret, id, at.getTime() / 1000, body), new Webhook(secret).sign(id, at, body))
})

test('a secret consists of the prefix and 32 random bytes', () => {
  const secret = newSecret()
  assert.match(secret, /^whsec_/)
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  assert.notEqual(secret, newSecret())
})

test('while a secret is being replaced, a receiver can verify with either secret', () => {
  const secrets = [newSecret(), newSecret()]
  const headers = signHeaders(secrets.map(prepareKey), id, Math.floor(Date.now() / 1000), body)
  for (const secret of secrets) assert.ok(new Webhook(secret).verify(body, headers))
  assert.throws(() => new Webhook(newSecret()).verify(body, headers))
  assert.throws(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers))
})
