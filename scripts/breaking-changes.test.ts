import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakingChanges } from './breaking-changes.ts'

type Schema = Record<string, unknown>

/** Builds a document with a single operation. */
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
  ['an unchanged document', { body: strict({ a: text }) }, { body: strict({ a: text }) }, null],
  ['a new optional parameter', {}, { parameters: [query('a', text)] }, null],
  ['a new required parameter', {}, { parameters: [query('a', text, true)] }, 'query a is new and required'],
  ['a removed parameter', { parameters: [query('a', text)] }, {}, 'query a is removed'],
  [
    'a parameter that became required',
    { parameters: [query('a', text)] },
    { parameters: [query('a', text, true)] },
    'query a became required',
  ],
  [
    'a parameter with fewer allowed values',
    { parameters: [query('a', list('x', 'y'))] },
    { parameters: [query('a', list('x'))] },
    'query a no longer takes y',
  ],
  ['a new required body', {}, { body: strict({}) }, 'a body became required'],
  ['a new optional body', {}, { body: strict({}), bodyRequired: false }, null],
  ['a removed body', { body: strict({}) }, {}, 'the body is removed'],
  ['a new optional body member', { body: strict({}) }, { body: strict({ a: text }) }, null],
  ['a new required body member', { body: strict({}) }, { body: strict({ a: text }, ['a']) }, 'body.a became required'],
  [
    'a body member that became required',
    { body: strict({ a: text }) },
    { body: strict({ a: text }, ['a']) },
    'body.a became required',
  ],
  ['a body member that became optional', { body: strict({ a: text }, ['a']) }, { body: strict({ a: text }) }, null],
  ['a member removed from a strict body', { body: strict({ a: text }) }, { body: strict({}) }, 'body.a is removed'],
  ['a member removed from an open body', { body: object({ a: text }) }, { body: object({}) }, null],
  [
    'a body member of another type',
    { body: strict({ a: text }) },
    { body: strict({ a: { type: 'integer' } }) },
    'body.a no longer takes string',
  ],
  ['a body member that now accepts null', { body: strict({ a: text }) }, { body: strict({ a: maybeText }) }, null],
  [
    'a body member that no longer accepts null',
    { body: strict({ a: maybeText }) },
    { body: strict({ a: text }) },
    'body.a no longer takes null',
  ],
  [
    'a body member with more allowed values',
    { body: strict({ a: list('x') }) },
    { body: strict({ a: list('x', 'y') }) },
    null,
  ],
  [
    'a body member with fewer allowed values',
    { body: strict({ a: list('x', 'y') }) },
    { body: strict({ a: list('y') }) },
    'body.a no longer takes x',
  ],
  [
    'a list of allowed values instead of any text',
    { body: strict({ a: text }) },
    { body: strict({ a: list('x') }) },
    'body.a no longer takes other values than those of a list',
  ],
  [
    'a body member with a lower maximum length',
    { body: strict({ a: { ...text, maxLength: 9 } }) },
    { body: strict({ a: { ...text, maxLength: 8 } }) },
    'body.a has a narrower maxLength: 8',
  ],
  [
    'a body member with a new pattern',
    { body: strict({ a: text }) },
    { body: strict({ a: { ...text, pattern: '^x' } }) },
    'body.a has a narrower pattern: ^x',
  ],
  [
    'a removed alternative of a body',
    { body: { anyOf: [strict({ a: text }, ['a']), text] } },
    { body: strict({ a: text }, ['a']) },
    'body no longer takes string',
  ],
  ['a new response member', { answer: object({}) }, { answer: object({ a: text }, ['a']) }, null],
  ['a removed response member', { answer: object({ a: text }) }, { answer: object({}) }, '200.a is removed'],
  [
    'a response member that can now be missing',
    { answer: object({ a: text }, ['a']) },
    { answer: object({ a: text }) },
    '200.a may now be missing',
  ],
  [
    'a response member that can now be null',
    { answer: object({ a: text }) },
    { answer: object({ a: maybeText }) },
    '200.a may now be null',
  ],
  [
    'a response member that is no longer null',
    { answer: object({ a: maybeText }) },
    { answer: object({ a: text }) },
    null,
  ],
  [
    'a response member with more possible values',
    { answer: object({ a: list('x') }) },
    { answer: object({ a: list('x', 'y') }) },
    '200.a may now be y',
  ],
  [
    'a response member with fewer possible values',
    { answer: object({ a: list('x', 'y') }) },
    { answer: object({ a: list('x') }) },
    null,
  ],
  ['a response without its maximum length', { answer: { ...text, maxLength: 8 } }, { answer: text }, null],
  [
    'response elements with a member of another type',
    { answer: { type: 'array', items: object({ a: text }) } },
    { answer: { type: 'array', items: object({ a: { type: 'number' } }) } },
    '200[].a may now be number',
  ],
  ['an integer instead of any number', { answer: { type: 'number' } }, { answer: { type: 'integer' } }, null],
  ['a removed status', { statuses: ['404', '409'] }, { statuses: ['404'] }, 'status 409 is removed'],
  ['a new status', { statuses: ['404'] }, { statuses: ['404', '409'] }, null],
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

test('only the content of a schema matters, regardless of how it is split into components', () => {
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
