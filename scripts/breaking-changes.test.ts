import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakingChanges } from './breaking-changes.ts'

type Schema = Record<string, unknown>

/** A document with a single operation. */
function makeDocument(parts: {
  readonly parameters?: readonly object[]
  readonly body?: Schema
  readonly bodyRequired?: boolean
  readonly answer?: Schema
  readonly statuses?: readonly string[]
  readonly event?: Schema
}) {
  const { parameters = [], body, bodyRequired = true, answer = {}, statuses = ['404'], event = {} } = parts
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
  const operation = {
    parameters,
    ...(body === undefined ? {} : { requestBody: { required: bodyRequired, ...json(body) } }),
    responses: { 200: json(answer), ...Object.fromEntries(statuses.map((status) => [status, {}])) },
  }
  return {
    paths: { '/claims': { post: operation } },
    webhooks: { 'claim.opened': { post: { requestBody: json(event), responses: {} } } },
  }
}

const object = (properties: Schema, required: readonly string[] = [], others: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required,
  ...others,
})
const strict = (properties: Schema, required: readonly string[] = []) =>
  object(properties, required, { additionalProperties: false })
const text = { type: 'string' }
const maybeText = { type: ['string', 'null'] }
const list = (...values: string[]) => ({ type: 'string', enum: values })
const query = (name: string, schema: Schema, required = false) => ({ in: 'query', name, required, schema })

type Parts = Parameters<typeof makeDocument>[0]
const cases: readonly [change: string, before: Parts, after: Parts, fault: string | null][] = [
  ['nothing', { body: strict({ a: text }) }, { body: strict({ a: text }) }, null],
  ['a new optional parameter', {}, { parameters: [query('a', text)] }, null],
  ['a new required parameter', {}, { parameters: [query('a', text, true)] }, 'query a is new and required'],
  ['a parameter less', { parameters: [query('a', text)] }, {}, 'query a is removed'],
  [
    'a parameter that became required',
    { parameters: [query('a', text)] },
    { parameters: [query('a', text, true)] },
    'query a became required',
  ],
  [
    'a shorter list of a parameter',
    { parameters: [query('a', list('x', 'y'))] },
    { parameters: [query('a', list('x'))] },
    'query a no longer takes y',
  ],
  ['a body where none was', {}, { body: strict({}) }, 'a body became required'],
  ['an optional body where none was', {}, { body: strict({}), bodyRequired: false }, null],
  ['a body less', { body: strict({}) }, {}, 'the body is removed'],
  ['a new optional member of a body', { body: strict({}) }, { body: strict({ a: text }) }, null],
  [
    'a new required member of a body',
    { body: strict({}) },
    { body: strict({ a: text }, ['a']) },
    'body.a became required',
  ],
  [
    'a member of a body that became required',
    { body: strict({ a: text }) },
    { body: strict({ a: text }, ['a']) },
    'body.a became required',
  ],
  [
    'a member of a body that became optional',
    { body: strict({ a: text }, ['a']) },
    { body: strict({ a: text }) },
    null,
  ],
  ['a member of a strict body less', { body: strict({ a: text }) }, { body: strict({}) }, 'body.a is removed'],
  ['a member of an open body less', { body: object({ a: text }) }, { body: object({}) }, null],
  [
    'another type of a member of a body',
    { body: strict({ a: text }) },
    { body: strict({ a: { type: 'integer' } }) },
    'body.a no longer takes string',
  ],
  ['a body that takes null, too', { body: strict({ a: text }) }, { body: strict({ a: maybeText }) }, null],
  [
    'a body that takes null no longer',
    { body: strict({ a: maybeText }) },
    { body: strict({ a: text }) },
    'body.a no longer takes null',
  ],
  ['a longer list of a body', { body: strict({ a: list('x') }) }, { body: strict({ a: list('x', 'y') }) }, null],
  [
    'a shorter list of a body',
    { body: strict({ a: list('x', 'y') }) },
    { body: strict({ a: list('y') }) },
    'body.a no longer takes x',
  ],
  [
    'a list in place of any text',
    { body: strict({ a: text }) },
    { body: strict({ a: list('x') }) },
    'body.a no longer takes other values than those of a list',
  ],
  [
    'a lower bound of a body',
    { body: strict({ a: { ...text, maxLength: 9 } }) },
    { body: strict({ a: { ...text, maxLength: 8 } }) },
    'body.a has a narrower maxLength: 8',
  ],
  [
    'a new pattern of a body',
    { body: strict({ a: text }) },
    { body: strict({ a: { ...text, pattern: '^x' } }) },
    'body.a has a narrower pattern: ^x',
  ],
  [
    'one alternative of a body less',
    { body: { anyOf: [strict({ a: text }, ['a']), text] } },
    { body: strict({ a: text }, ['a']) },
    'body no longer takes string',
  ],
  ['a new member of an answer', { answer: object({}) }, { answer: object({ a: text }, ['a']) }, null],
  ['a member of an answer less', { answer: object({ a: text }) }, { answer: object({}) }, '200.a is removed'],
  [
    'a member of an answer that may be missing',
    { answer: object({ a: text }, ['a']) },
    { answer: object({ a: text }) },
    '200.a may now be missing',
  ],
  [
    'a member of an answer that may be null',
    { answer: object({ a: text }) },
    { answer: object({ a: maybeText }) },
    '200.a may now be null',
  ],
  [
    'a member of an answer that is never null',
    { answer: object({ a: maybeText }) },
    { answer: object({ a: text }) },
    null,
  ],
  [
    'a longer list of an answer',
    { answer: object({ a: list('x') }) },
    { answer: object({ a: list('x', 'y') }) },
    '200.a may now be y',
  ],
  [
    'a shorter list of an answer',
    { answer: object({ a: list('x', 'y') }) },
    { answer: object({ a: list('x') }) },
    null,
  ],
  ['a longer text of an answer', { answer: { ...text, maxLength: 8 } }, { answer: text }, null],
  [
    'another type of the elements of an answer',
    { answer: { type: 'array', items: object({ a: text }) } },
    { answer: { type: 'array', items: object({ a: { type: 'number' } }) } },
    '200[].a may now be number',
  ],
  ['a whole number in place of any number', { answer: { type: 'number' } }, { answer: { type: 'integer' } }, null],
  ['a status less', { statuses: ['404', '409'] }, { statuses: ['404'] }, 'status 409 is removed'],
  ['a further status', { statuses: ['404'] }, { statuses: ['404', '409'] }, null],
]

for (const [change, before, after, fault] of cases)
  test(`${change} ${fault === null ? 'breaks nothing' : 'breaks callers'}`, () => {
    const found = breakingChanges(makeDocument(before), makeDocument(after))
    assert.deepEqual(found, fault === null ? [] : [`POST /claims: ${fault}`])
  })

test('removing an operation or webhook breaks callers', () => {
  const { paths, webhooks } = makeDocument({})
  assert.deepEqual(breakingChanges({ paths, webhooks }, { paths: {}, webhooks: {} }), [
    'POST /claims is removed',
    'POST claim.opened is removed',
  ])
  assert.deepEqual(breakingChanges({ paths: {}, webhooks: {} }, { paths, webhooks }), [])
})

test('a webhook is compared like a response', () => {
  const [before, after] = [makeDocument({ event: object({ a: text }) }), makeDocument({ event: object({}) })]
  assert.deepEqual(breakingChanges(before, after), ['POST claim.opened: body.a is removed'])
  assert.deepEqual(breakingChanges(after, before), [])
})

test('only the content of a schema counts, however it is split into components', () => {
  const before = makeDocument({ answer: object({ a: text, b: text }, ['a', 'b']) })
  const after = {
    ...makeDocument({ answer: { $ref: '#/components/schemas/Whole' } }),
    components: {
      schemas: {
        Base: object({ a: text }, ['a']),
        Whole: {
          allOf: [{ $ref: '#/components/schemas/Base' }, object({ b: { $ref: '#/components/schemas/B' } }, ['b'])],
        },
        B: text,
      },
    },
  }
  assert.deepEqual(breakingChanges(before, after), [])
  assert.deepEqual(breakingChanges(after, before), [])
})
