import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { emailField, enumOf, idField, instantField, nullable, zipField } from './fields.ts'
import { Problem } from './problems.ts'
import { checkInput, validatorFor } from './validation.ts'

function faultsOf(schema: TSchema, value: unknown): string[] {
  try {
    checkInput(schema)(value)
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    return (error.errors ?? []).map(({ field, code }) => `${field} ${code}`).sort()
  }
}

test('each invalid field is named once with its error', () => {
  const schema = Type.Object(
    {
      id: idField('An id.'),
      kind: Type.Optional(enumOf(['A', 'B'])),
      list: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2 }))),
      inner: Type.Optional(Type.Object({ zip: zipField('A zip code.') }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  )
  const rows: [value: unknown, faults: string[]][] = [
    [{ id: 'a', kind: 'A', list: null, inner: { zip: '10001' } }, []],
    [7, ['body wrong_type']],
    [{}, ['id required']],
    [{ id: '', kind: 'C' }, ['id too_short', 'kind not_allowed']],
    [{ id: 'a', other: 1, more: 2 }, ['more unknown_field', 'other unknown_field']],
    [{ id: 'a', list: [1, 0] }, ['list.1 out_of_range']],
    [{ id: 'a', list: [1, 2, 3] }, ['list too_many']],
    [{ id: 'a', list: '1' }, ['list wrong_type']],
    [{ id: 'a', inner: {} }, ['inner.zip required']],
    [{ id: 'a', inner: { zip: '1', x: 1 } }, ['inner.x unknown_field', 'inner.zip invalid_format']],
    [{ id: 'line\nbreak' }, ['id invalid_format']],
    [{ id: 'x'.repeat(256) }, ['id too_long']],
    [{ id: '𝄞'.repeat(255) }, []],
  ]
  for (const [value, faults] of rows) assert.deepEqual(faultsOf(schema, value), faults, JSON.stringify(value))
})

test('valid e-mail addresses and instants are accepted, and no others', () => {
  const emails: [email: string, taken: boolean][] = [
    ['ada@example.com', true],
    ["o'hara+tag@sub.example.co.uk", true],
    ['ada@xn--bcher-kva.example', true],
    ['ada', false],
    ['ada@localhost', false],
    ['a b@example.com', false],
    ['ada@example..com', false],
    ['ada@-example.com', false],
    ['<ada@example.com>', false],
    [`${'a'.repeat(65)}@example.com`, false],
    [`ada@${'a.'.repeat(130)}com`, false],
  ]
  for (const [email, taken] of emails) assert.equal(faultsOf(emailField(), email).length === 0, taken, email)
  const instants: [instant: string, taken: boolean][] = [
    ['2026-11-21T10:15:30Z', true],
    ['2026-11-21t10:15:30.123456789+05:45', true],
    ['2024-02-29T23:59:59-12:00', true],
    ['2026-02-29T10:15:30Z', false],
    ['2026-11-21T24:00:00Z', false],
    ['2026-11-21T10:15:60Z', false],
    ['2026-11-21T10:15:30', false],
    ['2026-11-21 10:15:30Z', false],
    ['2026-11-21T10:15Z', false],
  ]
  for (const [instant, taken] of instants)
    assert.equal(faultsOf(instantField('When.'), instant).length === 0, taken, instant)
})

test('no pattern takes long for a text that almost matches', () => {
  const texts = [
    `${'a'.repeat(64)}@${'a-'.repeat(30_000)}`,
    `a@${'a.'.repeat(30_000)}`,
    '1'.repeat(60_000),
    '𝄞'.repeat(30_000),
  ]
  const begun = process.cpuUsage()
  for (const text of texts)
    for (const schema of [emailField(), zipField(''), instantField(''), idField('')]) faultsOf(schema, text)
  // Of our own time, whatever else the machine does; a pattern that goes wrong takes minutes.
  assert.ok(process.cpuUsage(begun).user < 5_000_000)
})

test('paths and queries are converted only where the text is unambiguous', () => {
  const properties = {
    page: Type.Optional(Type.Integer()),
    rate: Type.Optional(Type.Number()),
    tag: Type.Optional(Type.Array(Type.String())),
  }
  const schema = Type.Object(properties, { additionalProperties: false })
  const validate = validatorFor({ schema, method: 'GET', url: '/', httpPart: 'querystring' })
  const read = (query: Record<string, unknown>): unknown => (validate(query) === true ? query : null)
  const rows: [query: Record<string, unknown>, read: unknown][] = [
    [{ page: '7' }, { page: 7 }],
    [{ page: '-7' }, { page: -7 }],
    [{ page: '007' }, { page: 7 }],
    [{ rate: '1.5' }, { rate: 1.5 }],
    [{ tag: 'a,b' }, { tag: ['a', 'b'] }],
    [{ tag: ['a', 'b,c'] }, { tag: ['a', 'b', 'c'] }],
    [{ page: '1.0' }, null],
    [{ page: '1e1' }, null],
    [{ page: '0x1' }, null],
    [{ page: ' 1' }, null],
    [{ page: '' }, null],
    [{ page: ['1', '2'] }, null],
    [{ page: '12345678901234567' }, null],
    [{ rate: 'Infinity' }, null],
    [{ other: '1' }, null],
  ]
  for (const [query, expected] of rows) assert.deepEqual(read({ ...query }), expected, JSON.stringify(query))
  assert.throws(() => read({ tag: 'a\u0000' }), Problem)
  assert.throws(() => read({ x: '\ud800' }), Problem)
})
