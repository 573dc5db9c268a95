import { type DocumentPart, isPart, mapped } from './document-parts.ts'

/** Names of members that are instants, and of those that are days. */
const INSTANT =
  /(?:^|_)(?:at|deadline)$|_since$|_until$|^(?:expiration|due_by|(?:usable|valid)_from|transaction_date_time)$/
const DAY = /_on$|^(?:day|since|until|from|to|next_period|(?:start|end|purchase|value)_date)$/

/** Adds the format of each time in responses to the document; it follows from the name of the member. */
export function describeTimes(document: DocumentPart): DocumentPart {
  const inSchema = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inSchema)
    if (!isPart(value)) return value
    return mapped(value, (inner, keyword) => {
      if (keyword === 'example' || keyword === 'examples') return inner
      if (keyword !== 'properties') return inSchema(inner)
      return mapped(inner, (member, name) => withFormat(inSchema(member), guessFormat(name)))
    })
  }
  return mapped(document, (part, name) => (name === 'components' ? mapped(part, inSchema) : part))
}

function guessFormat(name: string): string | null {
  if (INSTANT.test(name)) return 'date-time'
  return DAY.test(name) ? 'date' : null
}

/** A schema that already has a format or a pattern stays unchanged. */
function withFormat(schema: unknown, format: string | null): unknown {
  if (!isPart(schema) || format === null) return schema
  const isText = [schema['type']].flat().includes('string')
  return isText && !('format' in schema) && !('pattern' in schema) ? { ...schema, format } : schema
}
