import type { Schema } from '../support/openapi.ts'
import type { Operation, Parameter } from './operations.ts'
import type { Row } from './row.ts'

/** A valid request with one invalid part. The response must be a 400 that identifies the field. */
type Spoilt = { readonly what: string; readonly field: string; readonly request: Row }

const NUL = '\u0000'
// The first of these texts that violates a pattern is used as the invalid value.
const ODD_TEXTS = ['1969-12-31', '1000', 'usd', 'N1', 'x', 'line\nbreak']
const WRONG_TEXTS: Readonly<Record<string, string>> = {
  email: 'nobody@',
  date: '2026-02-30',
  'date-time': '2026-01-02 03:04',
  identifier: 'over\u202Eride',
  printable: 'line\nbreak',
  fact: 'line\nbreak',
  prose: 'a\u0007',
}

/** Yields requests with one invalid part each, derived from the published schemas. */
export function* spoiltRequests(operation: Operation): Generator<Spoilt> {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header')
  for (const parameter of parameters) yield* spoiltParameter(operation.row, parameter)
  if (operation.row.lenientQuery === undefined && operation.operationId !== 'takeLinkerWebhook') {
    yield* inQuery(operation.row, 'nonsense', 'unknown field', '1')
  }
  const schema = getBodySchema(operation)
  if (schema !== null) yield* spoiltBody(operation.row, schema)
  else if (operation.method !== 'GET' && operation.row.scope !== 'open') {
    yield { what: 'unknown field in a body', field: 'nonsense', request: { ...operation.row, body: { nonsense: 1 } } }
  }
}

/**
 * Returns the schema of a request's body. If several shapes are accepted, returns the first, which the rows use. Null
 * if the operation accepts no JSON.
 */
export function getBodySchema(operation: Operation): Schema | null {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema?.anyOf?.[0] ?? schema ?? null
}

function* spoiltParameter(row: Row, { name, in: place, required, schema }: Parameter): Generator<Spoilt> {
  const inPath = function* (what: string, value: string): Generator<Spoilt> {
    yield { what: `${what} in the path`, field: name, request: { ...row, params: { ...row.params, [name]: value } } }
  }
  const spoil = (what: string, value: string) =>
    place === 'path' ? inPath(what, value) : inQuery(row, name, what, value)
  if (required && place === 'query') {
    const { [name]: _, ...query } = row.query ?? {}
    yield { what: 'missing parameter', field: name, request: { ...row, query } }
  }
  yield* spoil('NUL', `a${NUL}b`)
  const inner = schema.type === 'array' ? (schema.items ?? {}) : schema
  if (inner.type === 'integer' || inner.type === 'number') {
    for (const value of ['abc', '1e1', '0x1', ' 1', '99999999999999999999']) yield* spoil('wrong type', value)
    if (inner.type === 'integer') yield* spoil('wrong type', '1.5')
  }
  for (const value of numbersOutside(inner)) yield* spoil('out of range', String(value))
  // An empty path segment would make it a different path.
  const texts = textsOutside(inner).filter((value) => place === 'query' || value !== '')
  for (const value of texts) yield* spoil('not acceptable', value)
}

function* inQuery(row: Row, name: string, what: string, value: string): Generator<Spoilt> {
  yield { what: `${what} in the query`, field: name, request: { ...row, query: { ...row.query, [name]: value } } }
}

function* spoiltBody(row: Row, schema: Schema): Generator<Spoilt> {
  const body = row.body ?? {}
  const withField = (what: string, field: string, value: unknown): Spoilt => ({
    what: `${what} in the body`,
    field,
    request: { ...row, body: { ...body, [field]: value } },
  })
  for (const field of schema.required ?? []) {
    const { [field]: _, ...rest } = body
    yield { what: 'missing field', field, request: { ...row, body: rest } }
  }
  if (schema.additionalProperties === false) yield withField('unknown field', 'nonsense', 1)
  for (const [field, given] of Object.entries(schema.properties ?? {})) {
    const inner = given.anyOf?.find((one) => one.type !== 'null') ?? given
    const types = [given, ...(given.anyOf ?? [])].flatMap((one) => one.type ?? [])
    for (const [type, value] of Object.entries({ boolean: true, array: [[]], number: 7, string: '7' })) {
      const fits = types.includes(type) || (type === 'number' && types.includes('integer'))
      if (!fits) yield withField('wrong type', field, value)
    }
    if (schema.required?.includes(field) && !types.includes('null')) yield withField('null', field, null)
    if (types.includes('string')) yield withField('NUL', field, `a${NUL}b`)
    if (types.includes('string')) yield withField('half a surrogate pair', field, 'a\ud800')
    if (types.includes('object')) yield withField('NUL', field, { inner: [`a${NUL}b`] })
    for (const value of numbersOutside(inner)) yield withField('out of range', field, value)
    for (const value of textsOutside(inner)) yield withField('not acceptable', field, value)
    for (const value of textsOutside(inner.items ?? {})) yield withField('not acceptable', field, [value])
    if ((inner.minItems ?? 0) > 0) yield withField('too few', field, [])
    if (inner.maxItems !== undefined)
      yield withField('too many', field, Array(inner.maxItems + 1).fill(soundValue(inner.items ?? {})))
  }
}

/** Returns a valid value for filling a list whose only fault is the number of values. */
function soundValue({ type, enum: allowed, minimum, required = [], properties = {} }: Schema): unknown {
  if (allowed !== undefined) return allowed[0]
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, soundValue(properties[name] ?? {})]))
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? (minimum ?? 1) : 'user.created'
}

function numbersOutside({ type, minimum, exclusiveMinimum, maximum }: Schema): number[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum, exclusiveMinimum - 1]),
    ...(maximum === undefined ? [] : [type === 'integer' ? maximum + 1 : maximum * 2]),
  ]
}

function textsOutside({ enum: allowed, minLength, maxLength, pattern, format }: Schema): string[] {
  const wrong = [
    pattern === undefined ? undefined : ODD_TEXTS.find((text) => !new RegExp(pattern, 'u').test(text)),
    format === undefined ? undefined : WRONG_TEXTS[format],
  ].filter((text) => text !== undefined)
  return [
    ...wrong,
    ...(allowed === undefined ? [] : ['NONSENSE']),
    ...(minLength === undefined ? [] : ['']),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ]
}
