import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeId, deriveUuid, encodeId, newUuid, type PublisherId, toUserId } from './ids.ts'

test('decoding an id returns the original UUID and ignores case', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom('usr', 'txn', 'whe'), (uuid, prefix) => {
      const wire = encodeId(prefix, uuid)
      assert.match(wire, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
      assert.equal(decodeId(prefix, wire), uuid)
      assert.equal(decodeId(prefix, wire.toUpperCase()), uuid)
      assert.equal(decodeId(prefix, uuid), uuid)
    }),
  )
})

test('ids are encoded as the TypeID specification requires', () => {
  const rows: [uuid: string, suffix: string][] = [
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
    ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ]
  for (const [uuid, suffix] of rows) assert.equal(encodeId('usr', uuid), `usr_${suffix}`)
})

test('text that is not an id of the expected type is rejected', () => {
  const wire = encodeId('usr', '00000000-0000-0000-0000-000000000001')
  const wrong = [
    '',
    'usr_',
    wire.slice(0, -1),
    `${wire}0`,
    wire.replace('usr', 'txn'),
    wire.replace(/1$/, 'u'),
    `usr_8${'0'.repeat(25)}`,
  ]
  for (const text of [...wrong, wire.slice(4), `${wire} `, '0000000000000000000000000000000001'])
    assert.equal(decodeId('usr', text), null, text)
})

test('new ids are unique UUIDv7 and sort in order of creation', () => {
  const made = Array.from({ length: 20_000 }, () => newUuid())
  assert.equal(new Set(made).size, made.length)
  assert.deepEqual([...made].sort(), made)
  for (const uuid of made) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a derived id depends on its parts and their boundaries', () => {
  assert.equal(deriveUuid('a', 'b'), deriveUuid('a', 'b'))
  assert.match(deriveUuid('a', 'b'), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const others = [
    deriveUuid('b', 'a'),
    deriveUuid('ab'),
    deriveUuid('ab', ''),
    deriveUuid('', 'ab'),
    deriveUuid('a', '1:b'),
  ]
  assert.equal(new Set([deriveUuid('a', 'b'), ...others]).size, 6)
})

test('the derivation of user ids never changes', () => {
  const publisher = '01890a5d-ac96-774b-bcce-b302099a8057' as PublisherId
  assert.equal(toUserId(publisher, 'user-1'), toUserId(publisher, 'user-1'))
  assert.equal(toUserId(publisher, 'user-1'), PINNED)
})

// The first 16 bytes of SHA-256("36:01890a5d-ac96-774b-bcce-b302099a80576:user-1"), with version 8 and the variant set.
const PINNED = '36426e56-c5ca-84d3-8802-1eb512a77d46'
