import { type DocumentPart, isPart, mapPart } from './document-parts.ts'

/**
 * Descriptions of members whose schemas have none, keyed by `parent.member` or `member`. The parent is the nearest
 * enclosing member, ignoring arrays.
 */
export type Descriptions = Readonly<Record<string, string>>

/**
 * Adds descriptions to path parameters and members that have none. Query parameters filter or control a response, which
 * a member's description does not cover, so each needs its own.
 */
export function describeOpenapi(document: DocumentPart, descriptions: Descriptions): DocumentPart {
  const findDescription = (parent: string, member: string) =>
    descriptions[`${parent}.${member}`] ?? descriptions[member]

  const describeSchema = (schema: unknown, parent: string): unknown => {
    if (Array.isArray(schema)) return schema.map((one) => describeSchema(one, parent))
    if (!isPart(schema)) return schema
    return mapPart(schema, (value, keyword) => {
      if (keyword === 'properties' && isPart(value))
        return mapPart(value, (inner, name) =>
          withDescription(describeSchema(inner, name), findDescription(parent, name)),
        )
      return SUBSCHEMAS.has(keyword) ? describeSchema(value, parent) : value
    })
  }
  const describePart = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(describePart)
    if (!isPart(part)) return part
    const inner = mapPart(part, (value, name) => (name === 'schema' ? describeSchema(value, '') : describePart(value)))
    const { in: parameterPlace, name } = part
    return parameterPlace === 'path' ? withDescription(inner, findDescription('', String(name))) : inner
  }
  return mapPart(document, (value, name) => {
    if (name === 'components')
      return mapPart(value, (section, kind) =>
        kind === 'schemas' ? mapPart(section, (schema) => describeSchema(schema, '')) : section,
      )
    return name === 'paths' || name === 'webhooks' ? describePart(value) : value
  })
}

// The keywords of our schemas that contain other schemas.
const SUBSCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

function withDescription(part: unknown, description: string | undefined): unknown {
  return !isPart(part) || description === undefined || isDescribed(part) ? part : { ...part, description }
}

/** Returns true if the part or, for a nullable schema, its inner schema has a description. */
function isDescribed(part: DocumentPart): boolean {
  if (typeof part['description'] === 'string') return true
  return [part['schema'], part['anyOf'], part['oneOf']].flat().some((inner) => isPart(inner) && isDescribed(inner))
}
