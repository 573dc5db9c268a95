import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { toCanonicalJson, yieldCanonicalPieces } from './canonical-json.ts'

test('canonical JSON ignores the order of members and equals the concatenation of its pieces', () => {
  const members = fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String)), fc.jsonValue())
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), members), (given) => {
      const value = JSON.parse(JSON.stringify(given))
      const text = toCanonicalJson(value)
      assert.deepEqual(JSON.parse(text), value)
      assert.equal([...yieldCanonicalPieces(value)].join(''), text)
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return
      assert.equal(toCanonicalJson(Object.fromEntries(Object.entries(value).reverse())), text)
    }),
    { numRuns: runs(300) },
  )
  assert.deepEqual([...yieldCanonicalPieces(undefined)], ['null'])
})
