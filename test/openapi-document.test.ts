import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  buildHeading,
  CLIENT,
  currentDocument,
  DOCUMENT,
  inLines,
  PROBLEMS,
  problemsDocument,
} from '../scripts/openapi-document.ts'
import { DESCRIPTIONS } from '../src/descriptions.ts'
import { describeExpected, type FieldSchema } from '../src/platform/http/expected.ts'
import { REFUSALS } from '../src/refusals.ts'
import { testDatabase } from './support/postgres.ts'

// Tests the API document as served. test/journeys/openapi.test.ts compares it with the service's behavior.

const database = await testDatabase('document')
const text = await currentDocument(database.url)
await database.drop()
const document = JSON.parse(text)
const { schemas, parameters, responses } = document.components as Record<string, Record<string, Part>>

type Part = Readonly<Record<string, unknown>>

// The maximum length of a generated type name. Longer names are replaced through `named`.
const NAME_LENGTH_MAX = 40
// Programs and browsers load the entire document. Errors, headers and parameters are shared, so each operation adds
// little.
const BYTES_OF_OPERATION_MAX = 4_000

test('docs/reference/openapi.json matches the operations; `npm run openapi` writes it', () => {
  assert.equal(readFileSync(DOCUMENT, 'utf8'), inLines(text))
})

test("the console's client is generated from this document by `npm run openapi`", () => {
  const [heading] = readFileSync(CLIENT, 'utf8').split('\n')
  assert.equal(heading, buildHeading(readFileSync(DOCUMENT, 'utf8')))
})

// Patterns of headers and responses, which field error messages never mention.
const UNMENTIONED_PATTERNS: ReadonlySet<unknown> = new Set([
  '^evt_',
  '^\\d+$',
  '^[ -~]+$',
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d:?Z$',
])
// Formats that only responses use, so error messages about input never mention them.
const FORMATS_OF_ANSWERS: ReadonlySet<unknown> = new Set(['binary', 'password'])

test('every pattern and format has its own error message', () => {
  const fields = collectParts([document.paths, document.components]).filter(
    ({ type }) => type === 'string' || Array.isArray(type),
  )
  const ofField = (name: 'pattern' | 'format') => new Set(fields.flatMap((field) => field[name] ?? []))
  const patterns = [...ofField('pattern')].filter((pattern) => !UNMENTIONED_PATTERNS.has(pattern))
  const formats = [...ofField('format')].filter((format) => !FORMATS_OF_ANSWERS.has(format))
  assert.ok(patterns.length > 20 && formats.length > 5)
  const asked = [...patterns.map((pattern) => ({ pattern })), ...formats.map((format) => ({ format }))] as FieldSchema[]
  assert.deepEqual(
    asked.filter((field) => describeExpected({ type: 'string', ...field }) === 'text'),
    [],
  )
})

test('every component has a unique name that reads like a type name', () => {
  const names = Object.values(document.components as Record<string, object>).flatMap(Object.keys)
  assert.ok(names.length > 300)
  const isName = (name: string) => /^[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]*)*$/.test(name) && name.length <= NAME_LENGTH_MAX
  // A name such as `Claim_2` means that two different schemas are called `Claim`.
  assert.deepEqual(
    names.filter((name) => !isName(name)),
    [],
  )
  // Generators write one type per component, and a request and a response type for each operation.
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  const operations = collectParts(document.paths).flatMap(({ operationId }) => String(operationId ?? '').toLowerCase())
  const generated = new Set(operations.flatMap((id) => [`${id}request`, `${id}response`]))
  assert.deepEqual(
    names.filter((name) => generated.has(name.toLowerCase())),
    [],
  )
})

test('the introduction explains what all operations share', () => {
  const headings = ['Keys', 'Errors', 'Retrying writes', 'Lists', 'Limits', 'Money and time', 'Events', 'Versions']
  for (const heading of headings) assert.match(document.info.description, new RegExp(`^## ${heading}$`, 'm'))
})

test('headers are documented for the requests that read them and the responses that send them', () => {
  const { createUser, listUsers, signIn } = Object.fromEntries(
    collectParts(document.paths).map((operation) => [operation['operationId'], operation]),
  ) as Record<string, { parameters?: Part[]; responses: Record<string, { headers?: object }> }>
  const read = (createUser?.parameters ?? []).map(({ $ref }) => String($ref).replace(/.*\//, ''))
  assert.deepEqual(read, ['IdempotencyKeyHeader', 'LaurelVersionHeader', 'LaurelPublisherHeader'])
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  for (const operation of [createUser, listUsers, signIn])
    assert.deepEqual(
      ['X-Request-Id', ...limits].filter((name) => !(name in (operation?.responses['200']?.headers ?? {}))),
      [],
    )
})

test('a schema that several operations share is not named after one of them', () => {
  const counts = new Map<unknown, number>()
  for (const { $ref } of collectParts(document)) counts.set($ref, (counts.get($ref) ?? 0) + 1)
  const shared = Object.keys(schemas ?? {}).filter(
    (name) => /(Input|Result)$/.test(name) && (counts.get(`#/components/schemas/${name}`) ?? 0) > 1,
  )
  assert.deepEqual(shared, [])
})

test('no two components are identical, except enums that happen to have the same values', () => {
  const names = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    const key = JSON.stringify(schema)
    names.set(key, [...(names.get(key) ?? []), name])
  }
  // One enum is the author of a message on a claim, and the other is the audience of a decision.
  assert.deepEqual(
    [...names.values()].filter(({ length }) => length > 1),
    [['ClaimAuthor', 'DecisionView']],
  )
})

test('objects and enums are always components', () => {
  const inside = (part: Part) => Object.values(part).flatMap((value) => collectParts(value))
  const tops = Object.values(schemas ?? {}).flatMap((schema) =>
    // Fields that a component adds to the one it extends are not inline objects.
    Array.isArray(schema['allOf']) ? schema['allOf'].flatMap(inside) : inside(schema),
  )
  const inline = [
    ...tops,
    ...collectParts(document.paths),
    ...collectParts(document.webhooks),
    ...collectParts(parameters),
  ].filter(
    (part) =>
      (isObject(part['properties']) && Object.keys(part['properties']).length > 0) ||
      (Array.isArray(part['enum']) && part['enum'].length > 1),
  )
  assert.deepEqual(inline, [])
})

// These descriptions apply to every field with the name, whether or not its schema lists the values.
const GENERAL_DEFAULTS: ReadonlySet<string> = new Set([
  'account_status',
  'category_id',
  'latitude',
  'longitude',
  'offer_type',
  'reward_type',
  'status',
  'status_reason',
])

test('a default description applies only to fields of the same kind', () => {
  const kinds = new Map<string, Set<string>>()
  for (const { properties = {} } of collectParts(schemas))
    for (const [name, field] of Object.entries(properties as Record<string, Part>))
      if (DESCRIPTIONS[name] !== undefined && DESCRIPTIONS[name] === findDescription(field))
        kinds.set(name, (kinds.get(name) ?? new Set()).add(findKind(field)))
  assert.ok(kinds.size > 100)
  const mixed = [...kinds].filter(([name, { size }]) => size > 1 && !GENERAL_DEFAULTS.has(name))
  assert.deepEqual(mixed, [])
})

test('every component is used', () => {
  const used = new Set(collectParts(document).map(({ $ref }) => $ref))
  const sections = Object.entries({ schemas, parameters, responses })
  const pointers = sections.flatMap(([section, all = {}]) =>
    Object.keys(all).map((name) => `#/components/${section}/${name}`),
  )
  assert.deepEqual(
    pointers.filter((pointer) => !used.has(pointer)),
    [],
  )
})

test('docs/reference/problems.md lists every code; `npm run openapi` writes it', () => {
  assert.equal(readFileSync(PROBLEMS, 'utf8'), problemsDocument())
})

test('Problem.code is an enum of all codes, and every response lists the codes of its status', () => {
  const listed = new Set(schemas?.['ProblemCode']?.['enum'] as string[])
  const operations = Object.values(document.paths as Record<string, Record<string, { responses: object }>>)
  const answered = operations.flatMap(Object.values).flatMap(({ responses: ofStatus }) => Object.entries(ofStatus))
  let count = 0
  for (const [status, { $ref }] of answered as [string, { $ref?: string }][]) {
    if ($ref === undefined) continue
    const response = responses?.[$ref.replace('#/components/responses/', '')]
    const codes = collectParts(response).flatMap(
      ({ const: only, enum: some }) => (some ?? only ?? []) as string | string[],
    )
    assert.ok(codes.length > 0, $ref)
    for (const code of codes) {
      count++
      assert.ok(listed.has(code), code)
      assert.equal(String(REFUSALS[code as keyof typeof REFUSALS].status), status, code)
    }
  }
  assert.ok(count > 1_000)
})

test('every event is a webhook and a variant of Event, discriminated by its type', () => {
  const event = schemas?.['Event'] as { discriminator: { mapping: Record<string, string> }; oneOf: { $ref: string }[] }
  const { mapping } = event.discriminator
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(mapping))
  assert.deepEqual(
    event.oneOf.map(({ $ref }) => $ref),
    Object.values(mapping),
  )
  assert.deepEqual(schemas?.['EventType']?.['enum'], Object.keys(mapping))
})

test('the document stays small enough to load in one piece', () => {
  const operations = Object.values(document.paths as object).flatMap(Object.values)
  assert.ok(text.length <= operations.length * BYTES_OF_OPERATION_MAX, `${text.length} bytes`)
})

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the description of a field. If the field is nullable, the description may be nested. */
function findDescription(field: Part): unknown {
  return field['description'] ?? collectParts(field['anyOf']).find((inner) => 'description' in inner)?.['description']
}

/** Returns the type of a field without null, or the values that the field lists. */
function findKind(field: Part): string {
  const { $ref, anyOf, enum: values, type } = field
  if (typeof $ref === 'string') return findKind(schemas?.[$ref.replace('#/components/schemas/', '')] ?? {})
  const kinds = Array.isArray(anyOf) ? anyOf.map(findKind) : [values ?? type ?? 'object'].flat().map(String)
  return kinds.filter((kind) => kind !== 'null').join()
}

/** Returns every object in the document except those inside examples. */
function collectParts(value: unknown): Part[] {
  if (Array.isArray(value)) return value.flatMap(collectParts)
  if (!isObject(value)) return []
  const inner = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return [value, ...inner.flatMap(([, one]) => collectParts(one))]
}
