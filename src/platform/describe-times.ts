import { type DocumentPart, isPart, mapped } from './document-parts.ts'

/** Members that are instants, and those that are days, by their names. */
const INSTANT =
  /(?:^|_)at$|_since$|_until$|^(?:deadline|expiration|due_by|(?:usable|valid)_from|transaction_date_time)$/
const DAY = /_on$|^(?:day|since|until|from|to|next_period|(?:start|end|purchase|value)_date)$/

/** The document with the format of each time in answers, which follows from the name of its member. */
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

/** A schema that says more about its texts, by a format or a pattern, stays as it is. */
function withFormat(schema: unknown, format: string | null): unknown {
  if (!isPart(schema) || format === null) return schema
  const isText = [schema['type']].flat().includes('string')
  return isText && !('format' in schema) && !('pattern' in schema) ? { ...schema, format } : schema
}
