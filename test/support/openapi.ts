type Node = Record<string, unknown>

/** The parts of a schema that the tests read. */
export type Schema = {
  readonly example?: unknown
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
}

/**
 * Returns the document with every reference resolved and with inherited fields merged into every schema that extends
 * another. Siblings of a reference take precedence.
 */
export function dereference(document: object): Node {
  const resolve = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(resolve)
    const { $ref, ...own } = value as Node
    const target = typeof $ref === 'string' ? (resolve(valueAt(document, $ref)) as Node) : {}
    return withInherited({
      ...target,
      ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, resolve(one)])),
    })
  }
  return resolve(document) as Node
}

function withInherited({ allOf, ...own }: Node): Node {
  if (!Array.isArray(allOf)) return allOf === undefined ? own : { ...own, allOf }
  const parts = allOf as { readonly properties: Node; readonly required?: readonly string[] }[]
  return {
    type: 'object',
    required: parts.flatMap(({ required = [] }) => required),
    properties: parts.map(({ properties }) => properties).reduce(mergedMembers, {}),
    ...own,
  }
}

/** Merges fields. A field that narrows an inherited one keeps the rest of the inherited schema. */
function mergedMembers(inherited: Node, members: Node): Node {
  const merged = Object.entries(members).map(([name, member]) => {
    const narrowed = { ...(inherited[name] as Node | undefined), ...(member as Node) }
    return [name, narrowed] as const
  })
  return { ...inherited, ...Object.fromEntries(merged) }
}

/** Resolves a pointer such as `#/components/schemas/Claim`. */
export function valueAt(document: object, pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((inner, step) => (inner as Node | undefined)?.[step], document)
}

/** Returns the description of a part. If the part is nullable, the description is nested one level down. */
export function findDescription(part: object): string | null {
  if ('description' in part && typeof part.description === 'string' && part.description !== '') return part.description
  const inner = 'anyOf' in part && Array.isArray(part.anyOf) ? part.anyOf : []
  return inner.map(findDescription).find((found) => found !== null) ?? null
}
