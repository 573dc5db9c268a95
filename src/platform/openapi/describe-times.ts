import { type DocumentPart, isPart, mapPart } from './document-parts.ts'

/** Patterns for the names of members that hold instants and days. */
const INSTANT =
  /(?:^|_)(?:at|deadline)$|_since$|_until$|^(?:expiration|due_by|(?:usable|valid)_from|transaction_date_time)$/
const DAY = /_on$|^(?:day|since|until|from|to|next_period|(?:start|end|purchase|value)_date)$/

/** Adds a format to each time in the document's responses, inferred from the member's name. */
export function describeTimes(document: DocumentPart): DocumentPart {
  const inSchema = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inSchema)
    if (!isPart(value)) return value
    return mapPart(value, (inner, keyword) => {
      if (keyword === 'example' || keyword === 'examples') return inner
      if (keyword !== 'properties') return inSchema(inner)
      return mapPart(inner, (member, name) => withFormat(inSchema(member), guessFormat(name)))
    })
  }
  return mapPart(document, (part, name) => (name === 'components' ? mapPart(part, inSchema) : part))
}

function guessFormat(name: string): string | null {
  if (INSTANT.test(name)) return 'date-time'
  return DAY.test(name) ? 'date' : null
}

/** Leaves a schema unchanged if it already has a format or pattern. */
function withFormat(schema: unknown, format: string | null): unknown {
  if (!isPart(schema) || format === null) return schema
  const isText = [schema['type']].flat().includes('string')
  return isText && !('format' in schema) && !('pattern' in schema) ? { ...schema, format } : schema
}
