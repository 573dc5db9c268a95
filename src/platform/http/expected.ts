/** The parts of a JSON schema that say what a value must be. */
export type FieldSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly properties?: Readonly<Record<string, FieldSchema>>
}

/** What a value must be, with an example: "a number above 0, such as 12.50". */
export function expectedBy(schema: FieldSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(expectedBy).join(', or ')
  const types = [schema.type ?? 'string'].flat()
  const known = types.map((type) => [type, BY_TYPE[type]?.(schema) ?? type])
  return known.map(([type, words]) => `${words}${exampleIn(schema, type ?? '')}`).join(', or ')
}

const BY_TYPE: Readonly<Record<string, (schema: FieldSchema) => string>> = {
  number: (schema) => `a number${rangeOf(schema)}`,
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  boolean: () => 'true or false',
  array: ({ maxItems }) => (maxItems === undefined ? 'a list' : `a list of at most ${maxItems} items`),
  object: ({ minProperties = 0, properties = {} }) =>
    minProperties > 0
      ? `an object with at least ${minProperties} of ${Object.keys(properties).join(', ')}`
      : 'an object',
  string: ({ format = '', minLength = 0, maxLength }) => {
    const kind = FORMATS[format]?.kind ?? 'text'
    if (maxLength === undefined || (kind !== 'text' && format !== 'printable')) return kind
    const length = minLength > 0 ? `${minLength} to ${maxLength}` : `at most ${maxLength}`
    return `text of ${length} ${format === 'printable' ? 'printable ' : ''}characters`
  },
}

const FORMATS: Readonly<Record<string, { readonly kind: string; readonly example?: string }>> = {
  email: { kind: 'an e-mail address', example: 'ada@example.com' },
  date: { kind: 'a day', example: '2026-01-31' },
  'date-time': { kind: 'an instant', example: '2026-01-31T10:15:30Z' },
  currency: { kind: 'an ISO 4217 code', example: 'USD' },
  uri: { kind: 'an absolute URL', example: 'https://example.com/path' },
  printable: { kind: 'printable text of one line' },
  prose: { kind: 'text without control characters' },
}

const EXAMPLES: Readonly<Record<string, string>> = { number: '12.50', object: '{"key": "value"}' }

function exampleIn({ examples, format = '' }: FieldSchema, type: string): string {
  const given = examples?.[0]
  const shown = typeof given === 'object' ? JSON.stringify(given) : given
  const example = shown ?? FORMATS[format]?.example ?? EXAMPLES[type]
  return example === undefined ? '' : `, such as ${example}`
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: FieldSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  const above = exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]
  const most = maximum === undefined ? [] : [`at most ${maximum}`]
  return [...above, ...most].map((one) => ` ${one}`).join(' and')
}
