import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findValueLine, readJsonFile } from './read-json.ts'

const text = `{
  "categories": [],
  "brands": [
    { "name": "A, \\"B\\" }]",
      "offers": [ 1, -2.5e3,
        [true, null],
        {"x": "y"}
      ] },
    {
      "na\\u006de": "second"
    }
  ]
}`

test('the line of a value is found by its path', () => {
  const cases: [(string | number)[], number][] = [
    [[], 1],
    [['categories'], 2],
    [['brands'], 3],
    [['brands', 0], 4],
    [['brands', '0', 'name'], 4],
    [['brands', 0, 'offers', 1], 5],
    [['brands', 0, 'offers', 2, 1], 6],
    [['brands', 0, 'offers', 3, 'x'], 7],
    [['brands', 1], 9],
    [['brands', 1, 'name'], 10],
  ]
  for (const [path, line] of cases) assert.equal(findValueLine(text, path), line, path.join('.'))
})

test('a missing value is located on the line of its nearest existing ancestor', () => {
  assert.equal(findValueLine(text, ['brands', 1, 'website']), 9)
  assert.equal(findValueLine(text, ['brands', 7]), 3)
  assert.equal(findValueLine(text, ['categories', 0, 'category']), 2)
})

test('the line of a value is found regardless of its key and the values before it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (value, key) => {
      const written = JSON.stringify({ before: value, [`k${key}`]: ['MARK'] }, null, 1)
      const expected = written.slice(0, written.lastIndexOf('"MARK"')).split('\n').length
      assert.equal(findValueLine(written, [`k${key}`, 0]), expected)
    }),
  )
})

test('invalid JSON is reported with its line', () => {
  const read = readJsonFile('{\n "brands": [\n  {,\n]}')
  assert.deepEqual(read.faults, [{ path: [], message: 'is not valid JSON' }])
  assert.equal(read.findLine([]), 3)
  assert.equal(readJsonFile('{\n"a": [1,\n').findLine([]), 3)
})

test('null members are treated as absent', () => {
  assert.deepEqual(readJsonFile('{"a": null, "b": [{"c": null, "d": 1}]}').value, { b: [{ d: 1 }] })
})
