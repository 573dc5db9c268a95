import type { ErrorObject } from 'ajv'

export type FieldError = { readonly field: string; readonly code: string; readonly message: string }

const CODES: Readonly<Record<string, string>> = {
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

/** The field of each error. Errors in the branches of a union are one error of the union's field. */
export function fieldErrorsOf(errors: readonly unknown[], part = 'body'): FieldError[] {
  const found = new Map<string, FieldError>()
  for (const error of errors as ErrorObject[]) {
    const inside = error.instancePath
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const params = error.params as {
      missingProperty?: string
      additionalProperty?: string
      unevaluatedProperty?: string
      allowedValues?: unknown[]
    }
    const last = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
    // Query parameters are flat: the caller does not see elements of a list.
    const steps = part === 'querystring' ? inside.slice(0, 1) : inside
    const field = [...steps, ...(last === undefined ? [] : [last])].join('.') || part
    const message =
      error.keyword === 'additionalProperties'
        ? 'is not a known field'
        : error.keyword === 'required'
          ? 'is required'
          : error.keyword === 'enum'
            ? `must be one of ${(params.allowedValues ?? []).join(', ')}`
            : (error.message ?? 'is not valid')
    if (!found.has(field)) found.set(field, { field, code: CODES[error.keyword] ?? 'invalid', message })
  }
  // An error of an object says nothing beside the error of its member.
  return [...found.values()].filter(({ field }) => ![...found.keys()].some((other) => other.startsWith(`${field}.`)))
}
