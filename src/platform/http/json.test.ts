import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { type BatchLists, readJson, readShortJson } from './json.ts'
import { Problem } from './problems.ts'

function catchFault(json: string): Problem | null {
  try {
    readShortJson(json)
    return null
  } catch (error) {
    assert.ok(error instanceof Problem, json)
    return error
  }
}

function readBatch(json: string, batch: BatchLists): unknown {
  const reading = readJson(json, batch)
  for (;;) {
    const { done, value } = reading.next()
    if (done === true) return value
  }
}

test('any JSON parses to the same value as with JSON.parse, as one body or as a batch', () => {
  const batch: BatchLists = { members: ['list', 'other'], itemsMax: 100, alone: true }
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (value, list, space) => {
      const json = JSON.stringify(value, null, space)
      fc.pre([value, list].every((one) => catchFault(JSON.stringify(one))?.code !== 'invalid_input'))
      assert.deepEqual(readShortJson(json), JSON.parse(json))
      const body = JSON.stringify({ before: value, list, between: [list], other: list, after: value }, null, space)
      assert.deepEqual(readBatch(body, batch), JSON.parse(body))
    }),
    { numRuns: runs(500) },
  )
})

test('text is rejected if and only if JSON.parse rejects it', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"\\', '1', '-', '0', '.5', 'e1', 'true', 'nul', ' ', '\n', '\u0001'],
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.array(piece, { maxLength: 4 }), fc.boolean(), (value, at, put, cut) => {
      const whole = JSON.stringify(value)
      const from = at % (whole.length + 1)
      const json = whole.slice(0, from) + put.join('') + whole.slice(from + (cut ? 1 : 0))
      let isJson = true
      try {
        JSON.parse(json)
      } catch {
        isJson = false
      }
      const code = catchFault(json)?.code
      // Blank text means there is no body.
      if (json.trim() !== '' && code !== 'invalid_input') assert.equal(code === undefined, isJson, json)
    }),
    { numRuns: runs(2_000) },
  )
})

test('invalid JSON is rejected with the position of its first error', () => {
  const rows: [json: string, place: string][] = [
    ['{"a":}', 'line 1, column 6 has "}" instead of a value'],
    ['{"a":1,}', 'line 1, column 8 has "}" instead of a quoted member name'],
    ['{"a":1,\n "b" 2}', 'line 2, column 6 has "2" instead of a colon'],
    ['[1,\n2', 'line 2, column 2 has the end of the body instead of , or ]'],
    ['{"a":"\\x"}', 'line 1, column 6 has "\\"" instead of a string with valid escapes'],
    ['"a\nb"', 'line 1, column 3 has "\\n" instead of a closing quote'],
    ['{}{', 'line 1, column 3 has "{" instead of the end of the body'],
  ]
  for (const [json, place] of rows) {
    const fault = catchFault(json)
    assert.equal(fault?.code, 'body_unreadable')
    assert.ok(fault?.message.includes(place), fault?.message)
  }
})

test('values that would be altered or could not be stored are rejected with their path', () => {
  const rows: [json: string, field: string, code: string][] = [
    ['{"a":1,"a":2}', 'a', 'repeated_field'],
    ['{"a":1,"\\u0061":2}', 'a', 'repeated_field'],
    ['{"list":[{"a":1},{"b" : {"c":1,"d":[],"c":2}}]}', 'list.1.b.c', 'repeated_field'],
    ['{"a":"x\\":","b":1,"b":2}', 'b', 'repeated_field'],
    ['{"a":["ok","b\\u0000"]}', 'a.1', 'invalid_characters'],
    ['{"a":{"b":"\\ud800"}}', 'a.b', 'invalid_characters'],
    ['{"a\\u0000":1}', 'a', 'invalid_characters'],
    ['{"a":{"__proto__":{}}}', 'a.__proto__', 'invalid_characters'],
    ['{"a":1e400}', 'a', 'out_of_range'],
    ['[9007199254740993]', '0', 'out_of_range'],
    ['-1e999', '', 'out_of_range'],
    ['{"a":100.0000000000000001}', 'a', 'out_of_range'],
  ]
  for (const [json, field, code] of rows) {
    const [fault] = catchFault(json)?.errors ?? []
    assert.deepEqual([fault?.field, fault?.code], [field, code], json)
  }
  assert.equal(
    catchFault(
      JSON.stringify([
        '',
        'é 𝄞 \u0001',
        0,
        -0.5,
        1e-7,
        0.30000000000000004,
        12.5,
        0.00001,
        Number.MAX_SAFE_INTEGER,
        null,
        true,
      ]),
    ),
    null,
  )
})

test('only the invalid item of a batch is rejected, and an error outside the items fails the entire batch', () => {
  const batch: BatchLists = { members: ['items'], itemsMax: 4, valuesMax: 30_000, alone: true }
  const many = (values: number) => `[${Array(values - 1).fill(0)}]`
  const json = `{"items":[1,{"a":{"b":1,"b":2}},${many(30_000)},${many(30_001)}],"x":2}`
  const { items, x } = readBatch(json, batch) as { items: unknown[]; x: unknown }
  const [one, repeated, full, tooFull] = items
  assert.deepEqual([one, (full as unknown[]).length, x], [1, 29_999, 2])
  assert.ok(repeated instanceof Problem && tooFull instanceof Problem)
  assert.deepEqual([repeated.errors?.[0]?.field, tooFull.errors?.[0]?.code], ['a.b', 'too_many'])
  const named = (count: number) => `{${Array.from({ length: count }, (_, at) => `"m${at}":0`)}}`
  const { items: objects } = readBatch(`{"items":[${named(10_000)},${named(10_001)}]}`, batch) as { items: unknown[] }
  assert.equal(objects[0] instanceof Problem, false)
  assert.ok(objects[1] instanceof Problem)
  assert.deepEqual(objects[1].errors?.[0]?.message, 'must not have more than 10000 members')
  for (const [text, field] of [
    ['{"items":[1,2,3,4,5]}', 'items'],
    ['{"items":[1],"items":[2]}', 'items'],
    ['{"items":[1],"x":1e400}', 'x'],
  ] as const)
    assert.throws(
      () => readBatch(text, batch),
      (error: Problem) => error.errors?.[0]?.field === field,
    )
  const { alone: _, ...together } = batch
  assert.throws(
    () => readBatch('{"items":[1,{"a":1e400}]}', together),
    (error: Problem) => error.errors?.[0]?.field === 'items.1.a',
  )
})

test('each item of a batch, and a body that is not a batch, may be up to 1 MiB long', () => {
  const batch: BatchLists = { members: ['items'], itemsMax: 4, alone: true }
  const long = (length: number) => `["${'x'.repeat(900_000)}"${' '.repeat(length - 900_004)}]`
  const { items } = readBatch(`{"items":[${long(1_048_576)},${long(1_048_577)}]}${' '.repeat(2_000_000)}`, batch) as {
    items: unknown[]
  }
  assert.ok(Array.isArray(items[0]) && items[1] instanceof Problem)
  assert.equal(items[1].errors?.[0]?.code, 'too_long')
  assert.throws(
    () => readBatch(long(1_048_577), batch),
    (error: Problem) => error.code === 'body_too_large',
  )
  assert.ok(Array.isArray(readBatch(long(1_048_576), batch)))
})

test('long input is parsed in linear time, with pauses for other work', () => {
  const texts = [
    `{"a":"${'x'.repeat(9_000_000)}","a":1}`,
    `{"a":"${'\\"'.repeat(4_000_000)}"}`,
    `{"a":${'\n'.repeat(9_000_000)}`,
    '['.repeat(9_000_000),
    `[${'1,'.repeat(4_000_000)}1]`,
    '1'.repeat(9_000_000),
  ]
  const begun = process.cpuUsage()
  for (const text of texts) catchFault(text)
  // Our own CPU time, independent of machine load. Quadratic parsing would take minutes.
  assert.ok(process.cpuUsage(begun).user < 5_000_000)
  const items = [...readJson(`{"items":[${Array(50_000).fill('[0]')}]}`, { members: ['items'], itemsMax: 50_000 })]
  assert.ok(items.length > 10)
})
