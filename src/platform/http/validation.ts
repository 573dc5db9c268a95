import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { isDay, isInstant } from '../calendar.ts'
import { isCurrency } from '../money.ts'
import { runInSlices } from '../slices.ts'
import { isEmail, isFact, isIdentifier, isProse, isReadableLine } from '../text/readable.ts'
import { type FieldError, LISTED_MAX, toFieldErrors } from './field-errors.ts'
import { buildTextError, isBadText } from './json.ts'
import { invalidInput, Problem } from './problems.ts'

// Ajv removes and coerces nothing. The text of paths and queries is converted below.
const OPTIONS = {
  verbose: true,
  strict: false,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: true,
  // Optimizing the generated code triples the time to compile a schema, and V8 optimizes it anyway.
  code: { optimize: false },
}
const firstError = withFormats(new Ajv2020({ ...OPTIONS, allErrors: false }))
const allErrors = withFormats(new Ajv2020({ ...OPTIONS, allErrors: true }))

// Each value can have an error, and finding one takes two microseconds.
const FULLY_CHECKED_VALUES_MAX = 10_000

function withFormats(bare: Ajv2020): Ajv2020 {
  // All formats use linear-time patterns or library parsers. Days and instants are checked exactly, because money
  // depends on them.
  bare.addFormat('email', isEmail)
  bare.addFormat('date', isDay)
  bare.addFormat('date-time', isInstant)
  bare.addFormat('currency', isCurrency)
  // These are formats rather than patterns, because the regex engines of many languages cannot compile the patterns.
  bare.addFormat('identifier', isIdentifier)
  bare.addFormat('printable', isReadableLine)
  bare.addFormat('fact', isFact)
  bare.addFormat('prose', isProse)
  bare.addFormat('uri', (text: string) => URL.canParse(text))
  return bare
}

/**
 * Validates against a route's schema: bodies unchanged, and paths and queries after conversion from text, with
 * comma-separated lists as arrays. Schemas are compiled on first use, because compiling all of them would take most of
 * the startup time. Throws Problem invalid_input naming the invalid fields.
 */
export const validatorFor: FastifySchemaCompiler<unknown> = ({ schema, httpPart = 'body' }) => {
  const properties = Object.entries((schema as AddressSchema).properties ?? {})
  const types = httpPart === 'body' ? null : new Map(properties.map(([name, { type }]) => [name, type]))
  const check = (data: unknown): boolean => {
    if (types !== null) readAddress(data as Record<string, unknown>, types)
    validate(schema as object, data, httpPart)
    refuseBackwards(properties, data as Record<string, unknown>)
    return true
  }
  return check as never
}

/** Parameter names that form a range of days or instants. */
const SPANS = [
  ['start_date', 'end_date'],
  ['from', 'to'],
  ['since', 'until'],
] as const

/** Rejects a range that ends before it begins, which would otherwise look like a range without any activity. */
function refuseBackwards(
  properties: readonly (readonly [string, { readonly format?: string }])[],
  data: unknown,
): void {
  const dated = new Set(properties.flatMap(([name, { format }]) => (format?.startsWith('date') ? [name] : [])))
  for (const [start, end] of SPANS) {
    if (!dated.has(start) || !dated.has(end)) continue
    const [first, last] = [(data as Record<string, unknown>)[start], (data as Record<string, unknown>)[end]]
    if (typeof first !== 'string' || typeof last !== 'string' || Date.parse(first) <= Date.parse(last)) continue
    throw invalidInput([{ field: end, code: 'out_of_range', message: `must not be before ${start}` }])
  }
}

function validate(schema: object, data: unknown, part: string): void {
  if (part === 'body') dropNulls(schema, data)
  // Ajv caches compiled schemas.
  const isValid = firstError.compile(schema)
  if (isValid(data)) return
  const isSound = hasManyValues(data) ? isValid : allErrors.compile(schema)
  isSound(data)
  const { listed, more } = toFieldErrors(isSound.errors ?? [], part)
  throw invalidInput(listed, more)
}

/** Checks data against a schema, for responses from other services. */
export function matches<Schema extends TSchema>(schema: Schema, data: unknown): data is Static<Schema> {
  return firstError.validate(schema, data)
}

/** Returns true if there are so many values that only the first error is reported. */
function hasManyValues(data: unknown): boolean {
  let left = FULLY_CHECKED_VALUES_MAX
  const isBeyond = (value: unknown): boolean =>
    --left < 0 || (typeof value === 'object' && value !== null && Object.values(value).some(isBeyond))
  return isBeyond(data)
}

type BodySchema = {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly BodySchema[]
  readonly items?: BodySchema
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly required?: readonly string[]
}

/** Removes null members where the schema gives null no meaning, because many clients write absent values as null. */
function dropNulls({ properties = {}, required = [], items }: BodySchema, data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  if (Array.isArray(data)) {
    if (items?.properties !== undefined) for (const item of data) dropNulls(items, item)
    return
  }
  const members = data as Record<string, unknown>
  for (const name in members) {
    const schema = properties[name]
    const value = members[name]
    if (schema === undefined || typeof value !== 'object') continue
    if (value !== null) dropNulls(schema, value)
    else if (!required.includes(name) && !takesNull(schema)) delete members[name]
  }
}

function takesNull({ type, anyOf }: BodySchema): boolean {
  if (type === undefined) return anyOf?.some(takesNull) ?? true
  return [type].flat().includes('null')
}

type SerializerFactory = ReturnType<typeof SerializerSelector>

/** Compiles Fastify's own serializers on the first response that needs them. */
const buildSerializer: SerializerFactory = (...options) => {
  const compile = SerializerSelector()(...options)
  return (route) => {
    let serialize: ReturnType<typeof compile> | null = null
    return (data) => {
      serialize ??= compile(route)
      return serialize(data)
    }
  }
}

/** Cast for Fastify, whose types cover only its own validators. */
export const compilersFactory = { buildValidator: () => validatorFor as never, buildSerializer }

type AddressSchema = {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly format?: string }>>
}

/** Text that looks like a number is converted. Anything else stays text and is rejected where a number is required. */
const NUMERALS: Readonly<Record<string, RegExp>> = { integer: /^-?\d{1,16}$/, number: /^-?\d{1,16}(\.\d{1,16})?$/ }

function readAddress(data: Record<string, unknown>, types: ReadonlyMap<string, string | undefined>): void {
  for (const name of Object.keys(data)) {
    const value = data[name]
    const texts = Array.isArray(value) ? value.map(String) : [String(value)]
    if (texts.some(isBadText)) throw invalidInput([buildTextError(name)])
    const list = name.replace(/\[\]$/, '')
    const type = types.get(name) ?? (types.get(list) === 'array' ? 'array' : undefined)
    if (type === 'array') {
      // Some clients write lists as name[]=a&name[]=b.
      const others = list === name ? [] : [data[list] ?? []].flat()
      delete data[name]
      data[list] = [...others, ...texts.flatMap((text) => text.split(','))]
    } else if (Array.isArray(value) && types.has(name)) {
      const message = `was sent ${value.length} times; send it once`
      throw invalidInput([{ field: name, code: 'repeated_field', message }])
    } else if (typeof value === 'string' && NUMERALS[type ?? '']?.test(value)) data[name] = Number(value)
  }
}

// Errors beyond this are not even counted.
const COUNTED_MAX = 1_000

/**
 * Validates a body with long lists in slices, first without the lists, then item by item, and returns it.
 * @throws Problem invalid_input naming the invalid fields
 */
export function checkLists(schema: TSchema, body: unknown, members: readonly string[]): Promise<unknown> {
  return runInSlices(checkEach(schema as unknown as BodySchema, body, members))
}

function* checkEach(schema: BodySchema, body: unknown, members: readonly string[]): Generator<undefined, unknown> {
  const lists = Object.entries(body ?? {}).filter(([name, list]) => members.includes(name) && Array.isArray(list))
  if (lists.length === 0) {
    validate(schema, body, 'body')
    return body
  }
  const rest = { ...(body as object), ...Object.fromEntries(lists.map(([name]) => [name, []])) }
  validate(schema, rest, 'body')
  const errors: FieldError[] = []
  let more = 0
  for (const [name, items] of lists as [string, unknown[]][])
    for (const [index, item] of items.entries()) {
      yield
      if (errors.length + more > COUNTED_MAX) break
      const fault = findFault(schema.properties?.[name]?.items ?? {}, item)
      for (const error of fault?.errors ?? []) {
        const inside = error.field === 'body' ? '' : `.${error.field}`
        if (errors.length < LISTED_MAX) errors.push({ ...error, field: `${name}.${index}${inside}` })
        else more++
      }
      more += fault?.moreErrors ?? 0
    }
  if (errors.length > 0) throw invalidInput(errors, more)
  return { ...rest, ...Object.fromEntries(lists) }
}

function findFault(schema: object, item: unknown): Problem | null {
  try {
    validate(schema, item, 'body')
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** @throws Problem invalid_input naming each invalid field */
export function checkInput<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  return (value) => {
    validate(schema as object, value, 'body')
    return value as Static<Schema>
  }
}
