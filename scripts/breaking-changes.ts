import { dereference } from '../test/support/openapi.ts'

/**
 * Finds the changes between two OpenAPI documents that break existing callers.
 *
 * Both directions follow one rule: the reader must understand what the other side writes. An existing caller writes
 * requests, which the new service reads. The new service writes responses and webhooks, which an existing caller reads.
 */

type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly pattern?: string
  readonly format?: string
} & { readonly [bound in Bound]?: number }
type Bound = (typeof LEAST)[number] | (typeof MOST)[number]
type Parameter = { readonly in: string; readonly name: string; readonly required?: boolean; readonly schema: Schema }
type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}
type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Direction = 'request' | 'answer'

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const

/** Returns one line per breaking change, with its operation and location. */
export function breakingChanges(before: object, after: object): string[] {
  const [old, now] = [dereference(before), dereference(after)] as { paths: Operations; webhooks?: Operations }[]
  return [
    ...eachOperation(old?.paths, now?.paths, operationFaults),
    ...eachOperation(old?.webhooks, now?.webhooks, webhookFaults),
  ]
}

function eachOperation(
  before: Operations = {},
  after: Operations = {},
  findFaults: (before: Operation, after: Operation) => string[],
): string[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`
      const now = after[path]?.[method]
      return now === undefined ? [`${name} is removed`] : findFaults(old, now).map((fault) => `${name}: ${fault}`)
    }),
  )
}

function operationFaults(before: Operation, after: Operation): string[] {
  return [
    ...parameterFaults(before.parameters ?? [], after.parameters ?? []),
    ...bodyFaults(before, after),
    ...Object.entries(before.responses).flatMap(([status, old]) => {
      const now = after.responses[status]
      return now === undefined ? [`status ${status} is removed`] : contentFaults(old, now, 'answer', status)
    }),
  ]
}

function bodyFaults({ requestBody: old }: Operation, { requestBody: now }: Operation): string[] {
  if (old === undefined) return now?.required === true ? ['a body became required'] : []
  if (now === undefined) return ['the body is removed']
  const required = now.required === true && old.required !== true ? ['the body became required'] : []
  return [...required, ...contentFaults(old, now, 'request', 'body')]
}

/** Compares a webhook, whose body the service writes and whose headers receivers read. */
function webhookFaults(before: Operation, after: Operation): string[] {
  const headers = (before.parameters ?? []).filter(({ name }) => !after.parameters?.some((one) => one.name === name))
  return [
    ...headers.map(({ name }) => `header ${name} is removed`),
    ...contentFaults(before.requestBody ?? {}, after.requestBody ?? {}, 'answer', 'body'),
  ]
}

function parameterFaults(before: readonly Parameter[], after: readonly Parameter[]): string[] {
  const same = (one: Parameter) => (other: Parameter) => one.in === other.in && one.name === other.name
  const removed = before.flatMap((old) => {
    const now = after.find(same(old))
    const where = `${old.in} ${old.name}`
    // Unknown parameters are rejected.
    if (now === undefined) return [`${where} is removed`]
    const required = now.required === true && old.required !== true ? [`${where} became required`] : []
    return [...required, ...schemaFaults(old.schema, now.schema, 'request', where)]
  })
  const added = after.filter((now) => now.required === true && !before.some(same(now)))
  return [...removed, ...added.map((now) => `${now.in} ${now.name} is new and required`)]
}

function contentFaults(before: Content, after: Content, direction: Direction, where: string): string[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema: old = {} }]) => {
    const now = after.content?.[type]
    if (now === undefined) return [`${where}: ${type} is removed`]
    const [writes, reads] = direction === 'request' ? [old, now.schema ?? {}] : [now.schema ?? {}, old]
    return schemaFaults(writes, reads, direction, where)
  })
}

/** Returns what one side's schema lets it write but the other side's schema does not let it read. */
function schemaFaults(writes: Schema, reads: Schema, direction: Direction, where: string): string[] {
  return collectAlternatives(writes).flatMap((one) => {
    const readable = collectAlternatives(reads).filter((other) => isOfType(one, other))
    const faults = readable.map((other) => faultsInType(one, other, direction, where))
    const [first = [`${where} ${CHANGED[direction]} ${one.type ?? 'anything'}`], ...others] = faults
    return others.reduce((least, some) => (some.length < least.length ? some : least), first)
  })
}

const CHANGED: Readonly<Record<Direction, string>> = { request: 'no longer takes', answer: 'may now be' }

/** Splits a schema into one per alternative and type. */
function collectAlternatives(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return alternatives.flatMap(collectAlternatives)
  return Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema]
}

function isOfType({ type }: Schema, reads: Schema): boolean {
  return reads.type === undefined || reads.type === type || (reads.type === 'number' && type === 'integer')
}

function faultsInType(writes: Schema, reads: Schema, direction: Direction, where: string): string[] {
  return [
    ...valueFaults(writes, reads, direction, where),
    ...(direction === 'request' ? boundFaults(writes, reads, where) : []),
    ...memberFaults(writes, reads, direction, where),
    ...(reads.items === undefined ? [] : schemaFaults(writes.items ?? {}, reads.items, direction, `${where}[]`)),
  ]
}

function valueFaults(writes: Schema, reads: Schema, direction: Direction, where: string): string[] {
  const [written, read] = [listValues(writes), listValues(reads)]
  if (read === null) return []
  if (written === null) return [`${where} ${CHANGED[direction]} other values than those of a list`]
  return written.filter((value) => !read.includes(value)).map((value) => `${where} ${CHANGED[direction]} ${value}`)
}

function listValues(schema: Schema): readonly unknown[] | null {
  if (schema.enum !== undefined) return schema.enum
  return schema.const === undefined ? null : [schema.const]
}

function boundFaults(writes: Schema, reads: Schema, where: string): string[] {
  if (listValues(writes) !== null) return []
  return [
    ...LEAST.filter((bound) => (writes[bound] ?? -Infinity) < (reads[bound] ?? -Infinity)),
    ...MOST.filter((bound) => (writes[bound] ?? Infinity) > (reads[bound] ?? Infinity)),
    ...(['pattern', 'format'] as const).filter((rule) => reads[rule] !== undefined && reads[rule] !== writes[rule]),
  ].map((rule) => `${where} has a narrower ${rule}: ${reads[rule]}`)
}

function memberFaults(writes: Schema, reads: Schema, direction: Direction, where: string): string[] {
  const { properties: written = {}, required: sent = [] } = writes
  const { properties: known = {}, required: needed = [], additionalProperties } = reads
  const isRemoved = (name: string) =>
    direction === 'request' ? name in written && !(name in known) && additionalProperties === false : !(name in written)
  const names = [...new Set([...Object.keys(written), ...Object.keys(known)])]
  return names.flatMap((name) => {
    const member = where === '' ? name : `${where}.${name}`
    const isKnown = name in known
    if (isRemoved(name) && (direction === 'request' || isKnown)) return [`${member} is removed`]
    const faults =
      name in written && isKnown ? schemaFaults(written[name] ?? {}, known[name] ?? {}, direction, member) : []
    if (!needed.includes(name) || sent.includes(name)) return faults
    return [`${member} ${direction === 'request' ? 'became required' : 'may now be missing'}`, ...faults]
  })
}
