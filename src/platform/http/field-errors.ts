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

/** Names the field of each fault; a union's branches are told once, by the union's own field. */
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
    // Query parameters are flat: which element of a list is at fault, the caller cannot see.
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
  // That a whole does not fit says nothing beside the part of it that does not.
  return [...found.values()].filter(({ field }) => ![...found.keys()].some((other) => other.startsWith(`${field}.`)))
}
