import { type DocumentPart, isPart, mapped } from './document-parts.ts'

/**
 * Descriptions of members whose schemas have none, keyed by `parent.member` or `member`. The parent is the nearest
 * enclosing member, ignoring arrays.
 */
export type Descriptions = Readonly<Record<string, string>>

/**
 * Adds descriptions to path parameters and members that have none. Query parameters filter or control a response, which
 * the description of a member never says, so each needs its own.
 */
export function describeOpenapi(document: DocumentPart, descriptions: Descriptions): DocumentPart {
  const descriptionOf = (parent: string, member: string) => descriptions[`${parent}.${member}`] ?? descriptions[member]

  const schemaOf = (schema: unknown, parent: string): unknown => {
    if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, parent))
    if (!isPart(schema)) return schema
    return mapped(schema, (value, keyword) => {
      if (keyword === 'properties' && isPart(value))
        return mapped(value, (inner, name) => withDescription(schemaOf(inner, name), descriptionOf(parent, name)))
      return SUBSCHEMAS.has(keyword) ? schemaOf(value, parent) : value
    })
  }
  const partOf = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(partOf)
    if (!isPart(part)) return part
    const inner = mapped(part, (value, name) => (name === 'schema' ? schemaOf(value, '') : partOf(value)))
    const { in: parameterPlace, name } = part
    return parameterPlace === 'path' ? withDescription(inner, descriptionOf('', String(name))) : inner
  }
  return mapped(document, (value, name) => {
    if (name === 'components')
      return mapped(value, (section, kind) =>
        kind === 'schemas' ? mapped(section, (schema) => schemaOf(schema, '')) : section,
      )
    return name === 'paths' || name === 'webhooks' ? partOf(value) : value
  })
}

// The keywords of our schemas that contain other schemas.
const SUBSCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

function withDescription(part: unknown, description: string | undefined): unknown {
  return !isPart(part) || description === undefined || isDescribed(part) ? part : { ...part, description }
}

/** True if the part has a description. For a nullable schema, it is inside. */
function isDescribed(part: DocumentPart): boolean {
  if (typeof part['description'] === 'string') return true
  return [part['schema'], part['anyOf'], part['oneOf']].flat().some((inner) => isPart(inner) && isDescribed(inner))
}
