import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import {
  amountField,
  dayField,
  emailField,
  enumField,
  idField,
  instantField,
  nullable,
  postalCodeField,
} from './fields.ts'
import { Problem } from './problems.ts'
import { checkInput, validatorFor } from './validation.ts'

function findFaults(schema: TSchema, value: unknown): string[] {
  try {
    checkInput(schema)(value)
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    return (error.errors ?? []).map(({ field, code }) => `${field} ${code}`).sort()
  }
}

test('each invalid field is reported once, with its error', () => {
  const schema = Type.Object(
    {
      id: idField('An id.'),
      kind: Type.Optional(enumField(['A', 'B'])),
      list: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2 }))),
      inner: Type.Optional(Type.Object({ zip: postalCodeField('A zip code.') }, { additionalProperties: false })),
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
    [{ id: 'a', inner: { zip: 'none', x: 1 } }, ['inner.x unknown_field', 'inner.zip invalid_format']],
    [{ id: 'line\nbreak' }, ['id invalid_format']],
    [{ id: 'x'.repeat(256) }, ['id too_long']],
    [{ id: '𝄞'.repeat(255) }, []],
  ]
  for (const [value, faults] of rows) assert.deepEqual(findFaults(schema, value), faults, JSON.stringify(value))
})

const EXACTLY_ONE = { minProperties: 1, maxProperties: 1 }

test('a message states the expected value, with an example', () => {
  const schema = Type.Object(
    {
      amount: amountField('Bought.'),
      kind: Type.Optional(enumField(['A', 'B'])),
      on: Type.Optional(dayField('Day.')),
      at: Type.Optional(instantField('When.')),
      id: Type.Optional(idField('An id.')),
      zip: Type.Optional(postalCodeField('Home.')),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      list: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
      maybe: Type.Optional(nullable(emailField())),
      text: Type.Optional(Type.String({ format: 'prose', maxLength: 9 })),
      name: Type.Optional(Type.String({ minLength: 1 })),
      done: Type.Optional(Type.Literal(true)),
      rate: Type.Optional(Type.Number({ minimum: 0, exclusiveMaximum: 360 })),
      one: Type.Optional(Type.Partial(Type.Object({ a: Type.Number(), b: Type.Number() }), EXACTLY_ONE)),
      some: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
      publisher_user_id: Type.Optional(idField('The user.')),
      window: Type.Optional(
        Type.Object(
          { hours: Type.Optional(Type.Integer()), minutes: Type.Optional(Type.Integer()) },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  )
  const rows: [value: object, message: string][] = [
    [{ amount: '12' }, 'amount must be a number above 0 and at most 9999999999.99, such as 12.50'],
    [{}, 'amount is required: a number above 0 and at most 9999999999.99, such as 12.50'],
    [{ amount: 1, kind: 'C' }, 'kind must be one of A, B'],
    [{ amount: 1, on: '2026-02-30' }, 'on must be a date from 1970 to 2999, such as 2026-01-31'],
    [{ amount: 1, on: '1969-12-31' }, 'on must be a date from 1970 to 2999, such as 2026-01-31'],
    [{ amount: 1, at: 'noon' }, 'at must be a timestamp from 1970 to 2999, such as 2026-01-31T10:15:30Z'],
    [
      { amount: 1, at: '9999-01-01T00:00:00Z' },
      'at must be a timestamp from 1970 to 2999, such as 2026-01-31T10:15:30Z',
    ],
    [{ amount: 1, id: '' }, 'id must be text of 1 to 255 printable characters, none of them invisible'],
    [{ amount: 1, id: 'over\u202Eride' }, 'id must be text of 1 to 255 printable characters, none of them invisible'],
    [{ amount: 1, zip: '1' }, 'zip must be a postal code of 3 to 10 characters, such as 10001'],
    [{ amount: 1, zip: 'unknown' }, 'zip must be a postal code of 3 to 10 characters, such as 10001'],
    [{ amount: 1, text: 'a\u0000' }, 'text must be text without control characters of at most 9 characters'],
    [{ amount: 1, name: '' }, 'name must be text of at least 1 character'],
    [{ amount: 1, done: false }, 'done must be true'],
    [{ amount: 1, rate: 360 }, 'rate must be a number of at least 0 and below 360, such as 12.50'],
    [{ amount: 1, one: { a: 1, b: 2 } }, 'one must be an object with exactly 1 of a, b, such as {"key": "value"}'],
    [{ amount: 1, some: [] }, 'some must be a list of 1 to 2 items'],
    [{ amount: 1, count: 10 }, 'count must be a whole number from 1 to 9'],
    [{ amount: 1, list: ['a', 'b', 'c'] }, 'list must be a list of at most 2 items'],
    [{ amount: 1, maybe: 'ada' }, 'maybe must be an email address of at most 254 characters, such as ada@example.com'],
    [{ amount: 1, publisherUserId: 'a' }, 'publisherUserId is not a known field; did you mean publisher_user_id?'],
    [{ amount: 1, else: 'a' }, 'else is not a known field'],
    [{ amount: 1, window: { days: 1 } }, 'window.days is not a known field; known fields: hours, minutes'],
  ]
  for (const [value, message] of rows)
    assert.throws(() => checkInput(schema)(value), { message }, JSON.stringify(value))
})

test('null counts as absent for an optional field that does not allow null', () => {
  const inner = Type.Object({ a: Type.Optional(Type.Integer()), b: Type.Integer() }, { additionalProperties: false })
  const schema = Type.Object({
    a: Type.Optional(Type.String()),
    list: Type.Optional(Type.Array(inner)),
    inner: Type.Optional(inner),
    cleared: Type.Optional(nullable(Type.String())),
    free: Type.Optional(Type.Unknown()),
    b: Type.Optional(Type.Integer()),
  })
  const given = { a: null, list: [{ a: null, b: 1 }], inner: { a: null, b: 1 }, cleared: null, free: null, b: null }
  assert.deepEqual(checkInput(schema)(given), { list: [{ b: 1 }], inner: { b: 1 }, cleared: null, free: null })
  assert.deepEqual(findFaults(schema, { inner: { b: null } }), ['inner.b wrong_type'])
  assert.deepEqual(findFaults(schema, { list: [null] }), ['list.0 wrong_type'])
  assert.deepEqual(findFaults(Type.Partial(inner, { minProperties: 1 }), { a: null }), ['body too_few'])
})

test('errors are found in linear time, and at most twenty are listed, or one for a huge body', () => {
  const schema = Type.Object({ a: Type.Optional(Type.Integer()) }, { additionalProperties: false })
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))
  const catchProblem = (value: object): Problem => {
    try {
      checkInput(schema)(value)
    } catch (error) {
      if (error instanceof Problem) return error
    }
    throw new Error('it was accepted')
  }
  const { errors, moreErrors } = catchProblem(unknown(9_000))
  assert.deepEqual([errors?.length, moreErrors], [20, 8_980])
  assert.equal(catchProblem(unknown(20)).moreErrors, 0)
  assert.deepEqual(
    catchProblem(unknown(10_000)).errors?.map(({ field }) => field),
    ['x0'],
  )
})

test('only valid email addresses and instants are accepted', () => {
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
  for (const [email, taken] of emails) assert.equal(findFaults(emailField(), email).length === 0, taken, email)
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
    assert.equal(findFaults(instantField('When.'), instant).length === 0, taken, instant)
})

test('no pattern backtracks excessively on text that almost matches', () => {
  const texts = [
    `${'a'.repeat(64)}@${'a-'.repeat(30_000)}`,
    `a@${'a.'.repeat(30_000)}`,
    '1'.repeat(60_000),
    '𝄞'.repeat(30_000),
  ]
  const begun = process.cpuUsage()
  for (const text of texts)
    for (const schema of [emailField(), postalCodeField(''), instantField(''), idField('')]) findFaults(schema, text)
  // Our own CPU time, independent of machine load. A pattern that backtracks would take minutes.
  assert.ok(process.cpuUsage(begun).user < 5_000_000)
})

test('path and query parameters are converted only where the text is unambiguous', () => {
  const properties = {
    page: Type.Optional(Type.Integer()),
    rate: Type.Optional(Type.Number()),
    tag: Type.Optional(Type.Array(Type.String())),
  }
  const schema = Type.Object(properties, { additionalProperties: false })
  const validate = validatorFor({ schema, method: 'GET', url: '/', httpPart: 'querystring' })
  const read = (query: Record<string, unknown>): unknown => {
    try {
      return validate(query) === true ? query : null
    } catch (error) {
      if (error instanceof Problem && error.errors?.[0]?.code !== 'invalid_characters') return null
      throw error
    }
  }
  const rows: [query: Record<string, unknown>, read: unknown][] = [
    [{ page: '7' }, { page: 7 }],
    [{ page: '-7' }, { page: -7 }],
    [{ page: '007' }, { page: 7 }],
    [{ rate: '1.5' }, { rate: 1.5 }],
    [{ tag: 'a,b' }, { tag: ['a', 'b'] }],
    [{ tag: ['a', 'b,c'] }, { tag: ['a', 'b', 'c'] }],
    [{ 'tag[]': 'a,b' }, { tag: ['a', 'b'] }],
    [{ 'tag[]': ['a', 'b'], tag: 'c,d' }, { tag: ['c', 'd', 'a', 'b'] }],
    [{ tag: 'c,d', 'tag[]': 'a' }, { tag: ['c', 'd', 'a'] }],
    [{ 'page[]': '1' }, null],
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
  const span = Type.Object({ start_date: Type.Optional(dayField('')), end_date: Type.Optional(dayField('')) })
  const checkSpan = validatorFor({ schema: span, method: 'GET', url: '/', httpPart: 'querystring' })
  const backwards = { message: 'end_date must not be before start_date' }
  assert.throws(() => checkSpan({ start_date: '2026-02-01', end_date: '2026-01-31' }), backwards)
  assert.equal(checkSpan({ start_date: '2026-01-31', end_date: '2026-01-31' }), true)
  const twice = { message: 'page was sent 2 times; send it once' }
  assert.throws(() => validate({ page: ['1', '2'] }), twice)
  assert.throws(() => read({ tag: 'a\u0000' }), Problem)
  assert.throws(() => read({ x: '\ud800' }), Problem)
})
