import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { membersOf, outlineOf, repeatedName, valueFault } from './json.ts'

test('depth and members are counted from the text, without brackets and colons inside strings', () => {
  const rows: [json: string, depth: number, members: number][] = [
    ['1', 0, 0],
    ['[]', 1, 0],
    ['{"a":{"b":[1,2]}}', 3, 2],
    ['{"a:{[":"\\"}]:"}', 1, 1],
    [`${'['.repeat(9)}${']'.repeat(9)}`, 9, 0],
  ]
  for (const [json, depth, members] of rows) assert.deepEqual(outlineOf(json), { depth, members }, json)
})

test('a value without repeated members has as many members as its text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value)
      assert.equal(membersOf(JSON.parse(json)), outlineOf(json).members)
    }),
    { numRuns: runs(500) },
  )
})

test('a repeated member is found in any spelling and at any depth', () => {
  const rows: [json: string, path: string][] = [
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"list":[{"a":1},{"b" : {"c":1,"d":[],"c":2}}]}', 'list.1.b.c'],
    ['{"a":"x\\":","b":1,"b":2}', 'b'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ]
  for (const [json, path] of rows) {
    assert.notEqual(membersOf(JSON.parse(json)), outlineOf(json).members, json)
    assert.equal(repeatedName(json), path)
  }
})

test('a value that cannot be stored as written is reported with its path', () => {
  const rows: [value: unknown, field: string, code: string][] = [
    [{ a: ['ok', 'b\u0000'] }, 'a.1', 'invalid_characters'],
    [{ a: { b: '\ud800' } }, 'a.b', 'invalid_characters'],
    [{ 'a\u0000': 1 }, 'a', 'invalid_characters'],
    [JSON.parse('{"a":{"__proto__":{}}}'), 'a.__proto__', 'invalid_characters'],
    [JSON.parse('{"a":1e400}'), 'a', 'out_of_range'],
    [JSON.parse('[9007199254740993]'), '0', 'out_of_range'],
    [Number.NEGATIVE_INFINITY, '', 'out_of_range'],
  ]
  for (const [value, field, code] of rows) {
    const fault = valueFault(value)
    assert.deepEqual([fault?.field, fault?.code], [field, code])
  }
  const sound = ['', 'é 𝄞 \u0001', 0, -0.5, 1e-7, Number.MAX_SAFE_INTEGER, null, true, [], {}]
  assert.equal(valueFault(sound), null)
})

test('the excepted member is not checked, and all others are', () => {
  assert.equal(valueFault({ items: [{ a: '\u0000' }] }, 'items'), null)
  assert.equal(valueFault({ items: [], other: '\u0000' }, 'items')?.field, 'other')
  assert.equal(valueFault({ other: { items: '\u0000' } }, 'items')?.field, 'other.items')
})
