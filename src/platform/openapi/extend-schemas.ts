import { type DocumentPart, isPart, mapPart } from './document-parts.ts'

// Fewer shared members might be a coincidence.
const MEMBERS_MIN = 4

type Members = Readonly<Record<string, unknown>>
type ObjectSchema = {
  readonly properties: Members
  readonly required: ReadonlySet<unknown>
  readonly example: unknown
}

/**
 * Rewrites each component that has all of another component's members, plus more, as an extension of that component:
 * `OperatorClaim` becomes a `Claim` with more members, and `ClaimPage` a `Page` of claims. If several components fit,
 * the largest is used.
 */
export function extendSchemas(document: DocumentPart): DocumentPart {
  const components = document['components'] as DocumentPart
  const schemas = new Map<string, ObjectSchema>()
  for (const [name, schema] of Object.entries(components['schemas'] as DocumentPart)) {
    const read = readObject(schema)
    if (read !== null) schemas.set(name, read)
  }
  const texts = new Map<unknown, string>()
  const toText = (value: unknown): string => {
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
          toText(own.properties[member] ?? null) === toText(properties[member]) &&
          own.required.has(member) === required.has(member),
      )
      if (isInside) [base, members] = [other, names.length]
    }
    return base === null ? schema : extended(own, base, schemas.get(base)?.properties ?? {})
  }
  return { ...document, components: { ...components, schemas: mapPart(components['schemas'], extend) } }
}

/** Returns an object schema that allows additional members; null for any other schema. */
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
