/** What is said where schemas say nothing. */
export type Words = {
  /** By `parent.member` or `member`; the parent is the next member above, arrays aside. */
  readonly members: Readonly<Record<string, string>>
  /** By the operation's id. */
  readonly operations: Readonly<Record<string, string>>
}

type Part = { readonly [member: string]: unknown }

/** The same document, with a description at each operation, parameter and member that there is a word for. */
export function described<Document extends object>(document: Document, words: Words): Document {
  const wordFor = (parent: string, member: string) => words.members[`${parent}.${member}`] ?? words.members[member]

  const schemaOf = (schema: unknown, parent: string): unknown => {
    if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, parent))
    if (!isPart(schema)) return schema
    return mapped(schema, (value, keyword) => {
      if (keyword === 'properties' && isPart(value))
        return mapped(value, (inner, name) => memberOf(inner, parent, name))
      return SUBSCHEMAS.has(keyword) ? schemaOf(value, parent) : value
    })
  }
  const memberOf = (schema: unknown, parent: string, name: string): unknown => {
    const inner = schemaOf(schema, name)
    const word = wordFor(parent, name)
    return !isPart(inner) || word === undefined || isDescribed(inner) ? inner : { ...inner, description: word }
  }
  const partOf = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(partOf)
    if (!isPart(part)) return part
    const inner = mapped(part, (value, name) => (name === 'schema' ? schemaOf(value, '') : partOf(value)))
    const { in: place, name, operationId } = part
    const word =
      typeof operationId === 'string'
        ? words.operations[operationId]
        : place !== undefined
          ? wordFor('', String(name))
          : undefined
    return word === undefined || isDescribed(inner) ? inner : { ...inner, description: word }
  }
  return mapped(document as Part, (value, name) => (name === 'paths' ? partOf(value) : value)) as Document
}

// Of the ways in which a schema holds others, those that ours use.
const SUBSCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

/** A value that may be null is described inside. */
function isDescribed(part: Part): boolean {
  if (typeof part['description'] === 'string') return true
  return [part['schema'], part['anyOf'], part['oneOf']].flat().some((inner) => isPart(inner) && isDescribed(inner))
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapped(part: Part, change: (value: unknown, name: string) => unknown): Part {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value, name)]))
}
