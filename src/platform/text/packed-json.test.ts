import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPacker } from './packed-json.ts'

const shapes = [['name', 'parts', 'note'], ['name', 'part'], ['name']]
const { pack, unpack } = createPacker(shapes)

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    ...shapes.map((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, tie('value')])), { noNullPrototype: true }),
    ),
    fc.dictionary(fc.constantFrom('name', 'part', 'other'), tie('value'), { noNullPrototype: true }),
  ),
}))

test('a packed object stored as JSON unpacks to identical JSON, with its members in the same order', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('name', 'part', 'parts', 'note'), value, { noNullPrototype: true }),
      (given) => {
        assert.equal(JSON.stringify(unpack(JSON.parse(JSON.stringify(pack(given))))), JSON.stringify(given))
      },
    ),
  )
})

test('packing drops the names and trailing nulls of known shapes, and leaves other objects unchanged', () => {
  const inner = { name: 'b', part: null }
  assert.deepEqual(pack({ name: 'a', parts: [inner, 7], note: null }), [1, 'a', [0, [2, 'b'], 7]])
  const other = { note: [inner] }
  assert.deepEqual([pack(other), unpack(other)], [other, other])
})
