/** The parts of a JSON schema that constrain a value. */
export type FieldSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, FieldSchema>>
}

/** Describes the expected value, with an example: "a number above 0, such as 12.50". */
export function describeExpected(schema: FieldSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeExpected).join(', or ')
  const types = [schema.type ?? 'string'].flat()
  const known = types.map((type) => [type, BY_TYPE[type]?.(schema) ?? type])
  return known.map(([type, words]) => `${words}${exampleIn(schema, type ?? '')}`).join(', or ')
}

const BY_TYPE: Readonly<Record<string, (schema: FieldSchema) => string>> = {
  number: (schema) => `a number${describeRange(schema)}`,
  integer: (schema) => `a whole number${describeRange(schema)}`,
  boolean: () => 'true or false',
  array: ({ minItems, maxItems }) => `a list${describeCount(minItems, maxItems, 'item')}`,
  object: ({ minProperties, maxProperties, properties = {} }) =>
    minProperties === undefined
      ? 'an object'
      : `an object with ${minProperties === maxProperties ? 'exactly' : 'at least'} ${minProperties} of ${Object.keys(properties).join(', ')}`,
  string: ({ pattern = '', format = '', minLength, maxLength }) => {
    // A pattern is stricter than the format of the same field.
    const meaning = PATTERNS.get(pattern)
    const clause = PRINTABLE[format]
    if (meaning === undefined && clause !== undefined) {
      const length = describeCount(minLength, maxLength, 'printable character')
      return `${length === '' ? 'printable text' : `text${length}`}${clause}`
    }
    const kind = meaning ?? FORMATS[format]?.kind ?? 'text'
    return FORMATS[format]?.isShort === true ? kind : `${kind}${describeCount(minLength, maxLength, 'character')}`
  },
}

const PATTERNS = new Map<string, string>()

/** Registers the phrase that completes "must be …" for a pattern. Every pattern in a schema needs one. */
export function explainPattern(pattern: string, kind: string): void {
  const known = PATTERNS.get(pattern)
  if (known !== undefined && known !== kind)
    throw new Error(`the pattern ${pattern} is described both as "${known}" and as "${kind}"`)
  PATTERNS.set(pattern, kind)
}

/** Describes the bounds of a length. Includes both, because the message is the same whichever bound is violated. */
function describeCount(min: number | undefined, max: number | undefined, unit: string): string {
  const units = max === 1 || (max === undefined && min === 1) ? unit : `${unit}s`
  if (max === undefined) return min === undefined || min === 0 ? '' : ` of at least ${min} ${units}`
  if (min === undefined || min === 0) return ` of at most ${max} ${units}`
  return min === max ? ` of ${max} ${units}` : ` of ${min} to ${max} ${units}`
}

type FormatWords = {
  readonly kind: string
  readonly example?: string
  /** Set if the values are always shorter than the field's maximum. */
  readonly isShort?: true
}
const FORMATS: Readonly<Record<string, FormatWords>> = {
  email: { kind: 'an email address', example: 'ada@example.com' },
  date: { kind: 'a date', example: '2026-01-31', isShort: true },
  'date-time': { kind: 'a timestamp', example: '2026-01-31T10:15:30Z', isShort: true },
  currency: { kind: 'an ISO 4217 code', example: 'USD', isShort: true },
  uri: { kind: 'an absolute URL', example: 'https://example.com/path' },
  prose: { kind: 'text without control characters' },
}

// Single-line formats, with their additional requirements.
const PRINTABLE: Readonly<Record<string, string>> = {
  identifier: ', none of them invisible',
  printable: ', without characters that hide or reorder text',
  fact: '',
}

const EXAMPLES: Readonly<Record<string, string>> = { number: '12.50', object: '{"key": "value"}' }

function exampleIn({ examples, format = '' }: FieldSchema, type: string): string {
  const given = examples?.[0]
  const shown = typeof given === 'object' ? JSON.stringify(given) : given
  const example = shown ?? FORMATS[format]?.example ?? EXAMPLES[type]
  return example === undefined ? '' : `, such as ${example}`
}

function describeRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FieldSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  const bounds = [
    minimum === undefined ? [] : ` of at least ${minimum}`,
    exclusiveMinimum === undefined ? [] : ` above ${exclusiveMinimum}`,
    maximum === undefined ? [] : ` at most ${maximum}`,
    exclusiveMaximum === undefined ? [] : ` below ${exclusiveMaximum}`,
  ]
  return bounds.flat().join(' and')
}
