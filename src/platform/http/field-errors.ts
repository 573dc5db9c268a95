import type { ErrorObject } from 'ajv'
import { describeExpected, type FieldSchema } from './expected.ts'

/** The error codes of a field. */
export const FIELD_CODES = [
  'required',
  'unknown_field',
  'repeated_field',
  'wrong_type',
  'not_allowed',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'too_wide',
  'out_of_range',
  'invalid_format',
  'invalid_characters',
  'invalid',
] as const
export type FieldCode = (typeof FIELD_CODES)[number]

export type FieldError = { readonly field: string; readonly code: FieldCode; readonly message: string }
/** The errors to list, and the number of those left out. */
type FieldErrors = { readonly listed: readonly FieldError[]; readonly more: number }

// Nobody reads more, and listing thousands of errors would take too long.
export const LISTED_MAX = 20
// Longer than any name in our schemas.
const NAME_LENGTH_MAX = 100
// For longer lists, callers should consult the API reference.
const KNOWN_LISTED_MAX = 9

const CODES: Readonly<Record<string, FieldCode>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  pattern: 'invalid_format',
  format: 'invalid_format',
}

type Params = {
  readonly missingProperty?: string
  readonly additionalProperty?: string
  readonly unevaluatedProperty?: string
}

/**
 * Returns the first error of each field, in linear time. Errors in the branches of a union count as one error of the
 * union's field.
 */
export function toFieldErrors(errors: readonly ErrorObject[], part = 'body'): FieldErrors {
  const found = new Map<string, ErrorObject>()
  /** Fields with an error inside them. Their own errors, such as those of a union, are redundant. */
  const outer = new Set<string>()
  for (const error of errors) {
    const path = toPath(error, part)
    const field = path.join('.') || part
    if (found.has(field)) continue
    found.set(field, error)
    for (let length = 1; length < path.length; length++) outer.add(path.slice(0, length).join('.'))
  }
  const all = [...found].filter(([field]) => !outer.has(field))
  const listed = all
    .slice(0, LISTED_MAX)
    .map(([field, error]) => ({ field, code: CODES[error.keyword] ?? 'invalid', message: describeError(error) }))
  return { listed, more: all.length - listed.length }
}

function toPath({ instancePath, params }: ErrorObject, part: string): string[] {
  const steps = instancePath.split('/').slice(1)
  const inside = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Params
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty
  // Query parameters are flat, so list indexes would mean nothing to the caller.
  return [...(part === 'querystring' ? inside.slice(0, 1) : inside), ...(last === undefined ? [] : [last])]
}

function describeError({ keyword, params, parentSchema = {}, message = 'is invalid' }: ErrorObject): string {
  const schema = parentSchema as FieldSchema
  const { missingProperty, additionalProperty } = params as Params
  if (missingProperty !== undefined) {
    const missing = schema.properties?.[missingProperty]
    return missing === undefined ? 'is required' : `is required: ${describeExpected(missing)}`
  }
  if (additionalProperty !== undefined) {
    const given = spelling(additionalProperty.slice(0, NAME_LENGTH_MAX))
    const known = Object.keys(schema.properties ?? {})
    const meant = known.find((name) => spelling(name) === given)
    if (meant !== undefined) return `is not a known field; did you mean ${meant}?`
    const isShort = known.length > 0 && known.length <= KNOWN_LISTED_MAX
    return `is not a known field${isShort ? `; known fields: ${known.join(', ')}` : ''}`
  }
  return keyword in CODES ? `must be ${describeExpected(schema)}` : message
}

function spelling(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
