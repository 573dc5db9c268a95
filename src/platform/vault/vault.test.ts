import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  createVault,
  type Keyring,
  type MasterKey,
  openVault,
  openWith,
  parseMasterKey,
  rewrap,
  sealUnder,
  WRAPPING_BYTES,
} from './vault.ts'

const key = () => randomBytes(32).toString('base64')

test('a sealed secret opens unchanged, and sealing it twice produces different bytes', () => {
  const vault = createVault(key())
  for (const secret of ['', 'access-sandbox-1', 'é 𝄞 \u0000', 'x'.repeat(100_000)])
    assert.equal(vault.open(vault.seal(secret, 'links:1'), 'links:1'), secret)
  assert.notDeepEqual(vault.seal('same', 'c'), vault.seal('same', 'c'))
  assert.equal(vault.seal('findable-secret', 'c').includes('findable-secret'), false)
})

test('a sealed value that was altered by one bit, truncated or moved to another row does not open', () => {
  const vault = createVault(key())
  const sealed = vault.seal('secret', 'links:1')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => vault.open(altered, 'links:1'), `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => vault.open(sealed.subarray(0, length), 'links:1'))
  assert.throws(() => vault.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'links:1'))
  assert.throws(() => vault.open(sealed, 'links:2'))
})

test('a record does not open under another master key, and the error states why', () => {
  assert.throws(() => createVault(key()).open(createVault(key()).seal('secret', 'c'), 'c'), /another master key/)
  assert.throws(() => createVault(Buffer.alloc(16).toString('base64')), /32 bytes/)
})

test('fingerprints and derived keys depend only on the value, the purpose and the installation', () => {
  const master = key()
  const [one, again, other] = [createVault(master), createVault(master), createVault(key())]
  assert.deepEqual(one.fingerprint('v', 'c'), again.fingerprint('v', 'c'))
  const prints = [
    one.fingerprint('v', 'c'),
    one.fingerprint('w', 'c'),
    one.fingerprint('v', 'd'),
    other.fingerprint('v', 'c'),
    one.derivedKey('v'),
  ]
  assert.equal(new Set(prints.map((print) => print.toString('hex'))).size, prints.length)
})

test('a rewrapped record opens only under the new key', () => {
  const [old, next] = [parseMasterKey(key()), parseMasterKey(key())]
  const both: Keyring = { sealing: () => next, find: (id) => [old, next].find((one) => one.id === id) ?? null }
  const sealed = sealUnder(old, 'secret', 'links:1')
  const wrapping = rewrap(both, sealed.subarray(0, WRAPPING_BYTES))
  assert.equal(wrapping.length, WRAPPING_BYTES)
  const after = Buffer.concat([wrapping, sealed.subarray(WRAPPING_BYTES)])
  assert.equal(openWith(makeRingOfOne(next), after, 'links:1'), 'secret')
  assert.throws(() => openWith(makeRingOfOne(old), after, 'links:1'), /another master key/)
  assert.throws(() => openWith(makeRingOfOne(next), sealed, 'links:1'), /another master key/)
  assert.throws(() => openWith(both, after, 'links:2'))
})

test('a damaged wrapping is never rewrapped, because that would make the damage permanent', () => {
  const only = parseMasterKey(key())
  const wrapping = sealUnder(only, 'secret', 'c').subarray(0, WRAPPING_BYTES)
  for (let byte = 0; byte < WRAPPING_BYTES; byte++) {
    const altered = Buffer.from(wrapping)
    altered[byte] = (altered[byte] ?? 0) ^ 1
    assert.throws(() => rewrap(makeRingOfOne(only), altered), `byte ${byte}`)
  }
})

test('fingerprints and derived keys do not depend on the master key', () => {
  const derivation = randomBytes(32)
  const [one, two] = [
    openVault(makeRingOfOne(parseMasterKey(key())), derivation),
    openVault(makeRingOfOne(parseMasterKey(key())), derivation),
  ]
  assert.deepEqual(one.fingerprint('v', 'c'), two.fingerprint('v', 'c'))
  assert.deepEqual(one.derivedKey('v'), two.derivedKey('v'))
})

function makeRingOfOne(only: MasterKey): Keyring {
  return { sealing: () => only, find: (id) => (id === only.id ? only : null) }
}
