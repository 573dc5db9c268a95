import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMac } from './mac.ts'

test('it is the HMAC-SHA256 of the text, whatever was asked before', () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 256 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(text, { maxLength: 5 }), (key, texts) => {
      const mac = createMac(key)
      for (const one of texts) assert.equal(mac(one), createHmac('sha256', key).update(one).digest('base64url'))
    }),
  )
})

test('what it cannot do right it does not do', () => {
  assert.throws(() => createMac(new Uint8Array(65)))
  assert.throws(() => createMac(new Uint8Array(32))('x'.repeat(257)))
})
