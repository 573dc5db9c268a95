import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMac } from './mac.ts'

test('createMac returns the HMAC-SHA256 of each string, independent of earlier strings', () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 256 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(text, { maxLength: 5 }), (key, texts) => {
      const mac = createMac(key)
      for (const one of texts) assert.equal(mac(one), createHmac('sha256', key).update(one).digest('base64url'))
    }),
  )
})

test('keys longer than a block and strings longer than the buffer are rejected', () => {
  assert.throws(() => createMac(new Uint8Array(65)))
  assert.throws(() => createMac(new Uint8Array(32))('x'.repeat(257)))
})
