import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { enumField, named, namedObject, nullable, pageSchema } from '../http/index.ts'
import { extendSchemas } from './extend-schemas.ts'
import { nameSchemas } from './name-schemas.ts'
import { shareParameters } from './share-parameters.ts'
import { moveExamples, shortenNullables } from './shorten-document.ts'

type Given = { readonly body?: TSchema; readonly answer?: TSchema; readonly parameters?: readonly object[] }

/** Builds a document with the given operations, keyed by id. */
function makeDocument(operations: Readonly<Record<string, Given>>, schemas: Readonly<Record<string, object>> = {}) {
  const content = (schema: TSchema) => ({ content: { 'application/json': { schema } } })
  const paths = Object.entries(operations).map(([operationId, { body, answer = Type.Null(), parameters = [] }]) => {
    const refusal = { description: 'Refused', content: { 'application/problem+json': {} } }
    const responses = { 200: content(answer), 404: refusal }
    const operation = { operationId, parameters, ...(body && { requestBody: content(body) }), responses }
    return [`/${operationId}`, { post: operation }]
  })
  return JSON.parse(JSON.stringify({ paths: Object.fromEntries(paths), webhooks: {}, components: { schemas } }))
}

type Components = Readonly<Record<string, Record<string, unknown>>>
const getComponents = (document: object) => (document as { components: Record<string, Components> }).components
function nameAndGetSchemas(operations: Readonly<Record<string, Given>>, schemas?: Readonly<Record<string, object>>) {
  return getComponents(nameSchemas(makeDocument(operations, schemas)))['schemas'] ?? {}
}
const nameComponents = (operations: Readonly<Record<string, Given>>) => Object.keys(nameAndGetSchemas(operations))

const note = Type.Object({ text: Type.String() })
const claim = () => namedObject('Claim', { claim_id: Type.String(), status: enumField(['open', 'granted']) })

test('a named schema keeps its name, and its members are named after it', () => {
  const answer = namedObject('Claim', {
    status: enumField(['open', 'granted']),
    notes: Type.Array(note),
    last_entries: Type.Array(Type.Object({ at: Type.String() })),
    by_party: Type.Record(Type.String(), Type.Object({ count: Type.Integer() })),
  })
  assert.deepEqual(nameComponents({ getClaim: { answer } }), ['Claim', 'ClaimLastEntry', 'ClaimNote', 'ClaimStatus'])
})

test('an unnamed body or response is named after its operation, and a page after its elements', () => {
  const body = Type.Object({ kind: enumField(['missing', 'other']) })
  const answer = Type.Object({ claim_id: Type.String() })
  assert.deepEqual(nameComponents({ openClaim: { body, answer } }), [
    'OpenClaimInput',
    'OpenClaimInputKind',
    'OpenClaimResult',
  ])
  assert.deepEqual(nameComponents({ listClaims: { answer: pageSchema(claim()) } }), [
    'Claim',
    'ClaimPage',
    'ClaimStatus',
  ])
})

test('identical schemas become one component with the shortest of their names', () => {
  const status = { name: 'status', in: 'query', schema: enumField(['open', 'granted'], 'Only these.') }
  const operations = {
    listClaims: { answer: pageSchema(claim()), parameters: [status] },
    getClaim: { answer: claim() },
  }
  assert.deepEqual(nameComponents(operations), ['Claim', 'ClaimPage', 'ClaimStatus'])
})

test('an unnamed schema takes the name of an identical named one', () => {
  const copy = Type.Object({ claim: Type.Object(claim().properties, { description: 'After it.' }) })
  const schemas = nameAndGetSchemas({ getClaim: { answer: claim() }, grantClaim: { answer: copy } })
  assert.deepEqual(Object.keys(schemas), ['Claim', 'ClaimStatus', 'GrantClaimResult'])
  assert.deepEqual(schemas['GrantClaimResult']?.['properties'], {
    claim: { $ref: '#/components/schemas/Claim', description: 'After it.' },
  })
})

test('identical enums with two names become two components', () => {
  const values = ['publisher', 'user'] as const
  const answer = Type.Object({ author: named('Author', enumField(values)), view: named('View', enumField(values)) })
  assert.deepEqual(nameComponents({ getClaim: { answer } }), ['Author', 'GetClaimResult', 'View'])
})

test('different schemas with the same name get numbered names, which other tests reject', () => {
  const operations = { getClaim: { answer: claim() }, getOther: { answer: namedObject('Claim', { other: note }) } }
  assert.deepEqual(nameComponents(operations), ['Claim', 'ClaimOther', 'ClaimStatus', 'Claim_2'])
})

test('a schema defined in the document replaces the one with the same name', () => {
  const event = { oneOf: [{ ...note, title: 'Note' }] }
  const schemas = nameAndGetSchemas(
    { getEvent: { answer: namedObject('Event', { data: Type.Unknown() }) } },
    { Event: event },
  )
  assert.deepEqual(schemas['Event'], { oneOf: [{ $ref: '#/components/schemas/Note' }] })
  assert.deepEqual(Object.keys(schemas), ['Event', 'Note'])
})

test('a schema may have a member called title', () => {
  const schemas = nameAndGetSchemas({ getProblem: { answer: namedObject('Problem', { title: Type.String() }) } })
  assert.deepEqual(schemas['Problem']?.['properties'], { title: { type: 'string' } })
})

test('a schema with all members of another schema extends it', () => {
  const members = { a: Type.String(), b: Type.String(), c: Type.Number(), d: Type.Boolean() }
  const whole = namedObject('Whole', { ...members, e: Type.Optional(Type.String()), f: Type.String() })
  const strict = namedObject('Strict', { ...members, e: Type.String() }, { additionalProperties: false })
  const operations = { a: { answer: namedObject('Base', members) }, b: { answer: whole }, c: { body: strict } }
  const schemas = getComponents(extendSchemas(nameSchemas(makeDocument(operations))))['schemas'] ?? {}
  const rest = { type: 'object', required: ['f'], properties: { e: { type: 'string' }, f: { type: 'string' } } }
  assert.deepEqual(schemas['Whole'], { allOf: [{ $ref: '#/components/schemas/Base' }, rest] })
  assert.ok(schemas['Strict']?.['properties'], 'it may have no further members, so it stays whole')
})

test('a nullable scalar becomes a pair of types, and examples move to their schemas', () => {
  const shortened = shortenNullables({ a: nullable(Type.String({ description: 'A.' })), b: nullable(claim()) })
  assert.deepEqual(shortened['a'], { type: ['string', 'null'], description: 'A.' })
  assert.ok('anyOf' in (shortened['b'] as object))
  const document = makeDocument({ getClaim: { answer: claim() } })
  const media = document.paths['/getClaim'].post.responses['200'].content['application/json']
  media.example = { claim_id: 'clm_1', status: 'open' }
  assert.deepEqual(getComponents(moveExamples(nameSchemas(document)))['schemas']?.['Claim']?.['example'], media.example)
})

test('repeated parameters become components, unless their descriptions differ', () => {
  const page = (description: string) => ({ name: 'page', in: 'query', description, schema: { type: 'integer' } })
  const operations = {
    a: { parameters: [page('A.')] },
    b: { parameters: [page('B.')] },
    c: { parameters: [page('B.')] },
  }
  const shared = shareParameters(nameSchemas(makeDocument(operations))) as { paths: Record<string, { post: Given }> }
  assert.deepEqual(Object.keys(getComponents(shared)['parameters'] ?? {}), ['PageQuery'])
  assert.deepEqual(shared.paths['/a']?.post.parameters, [page('A.')])
  assert.deepEqual(shared.paths['/b']?.post.parameters, [{ $ref: '#/components/parameters/PageQuery' }])
})
