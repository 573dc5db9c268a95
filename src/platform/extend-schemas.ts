import { type DocumentPart, isPart, mapped } from './document-parts.ts'

// Fewer members in common say nothing.
const MEMBERS_MIN = 4

type Members = Readonly<Record<string, unknown>>
type ObjectSchema = {
  readonly properties: Members
  readonly required: ReadonlySet<unknown>
  readonly example: unknown
}

/**
 * The document with each component that has all members of another one, and more, as that one and the rest:
 * `OperatorClaim` is a `Claim` with further members, `ClaimPage` a `Page` with claims. Where several fit,
 * the largest.
 */
export function extendSchemas(document: DocumentPart): DocumentPart {
  const components = document['components'] as DocumentPart
  const schemas = new Map<string, ObjectSchema>()
  for (const [name, schema] of Object.entries(components['schemas'] as DocumentPart)) {
    const read = readObject(schema)
    if (read !== null) schemas.set(name, read)
  }
  const texts = new Map<unknown, string>()
  const textOf = (value: unknown): string => {
    const text = texts.get(value) ?? JSON.stringify(value)
    texts.set(value, text)
    return text
  }
  const extend = (schema: unknown, name: string): unknown => {
    const own = schemas.get(name)
    if (own === undefined) return schema
    let base: string | null = null
    let members = MEMBERS_MIN - 1
    for (const [other, { properties, required }] of schemas) {
      const names = Object.keys(properties)
      if (names.length <= members || names.length >= Object.keys(own.properties).length) continue
      const isInside = names.every(
        (member) =>
          textOf(own.properties[member] ?? null) === textOf(properties[member]) &&
          own.required.has(member) === required.has(member),
      )
      if (isInside) [base, members] = [other, names.length]
    }
    return base === null ? schema : extended(own, base, schemas.get(base)?.properties ?? {})
  }
  return { ...document, components: { ...components, schemas: mapped(components['schemas'], extend) } }
}

/** An object that may have further members; null for everything else. */
function readObject(schema: unknown): ObjectSchema | null {
  if (!isPart(schema)) return null
  const { type, properties, required = [], example, ...others } = schema
  if (type !== 'object' || !isPart(properties) || !Array.isArray(required) || Object.keys(others).length > 0)
    return null
  return { properties, required: new Set(required), example }
}

function extended({ properties, required, example }: ObjectSchema, base: string, inherited: Members): DocumentPart {
  const further = Object.entries(properties).filter(([member]) => !(member in inherited))
  const needed = further.map(([member]) => member).filter((member) => required.has(member))
  const rest = {
    type: 'object',
    ...(needed.length > 0 && { required: needed }),
    properties: Object.fromEntries(further),
  }
  return { allOf: [{ $ref: `#/components/schemas/${base}` }, rest], ...(example !== undefined && { example }) }
}
