import { type DocumentPart, isPart, mapOperations, mapPart } from './document-parts.ts'

/** Shortens nullable scalars in the document to the form `{"type": ["string", "null"]}`. */
export function shortenNullables(document: DocumentPart): DocumentPart {
  const shorten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shorten)
    if (!isPart(value)) return value
    const part = mapPart(value, (inner, name) => (name === 'example' || name === 'examples' ? inner : shorten(inner)))
    const { anyOf, ...beside } = part
    if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return part
    const [one] = anyOf
    const isPlain = SCALARS.has(one.type) && one.enum === undefined && one.title === undefined
    return isPlain ? { ...beside, ...one, type: [one.type, 'null'] } : part
  }
  return mapPart(document, shorten)
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/**
 * Moves the examples of bodies and responses to their schemas, where they are shown wherever the schema is used. For a
 * list, the example goes to the schema of its elements.
 */
export function moveExamples(document: DocumentPart): DocumentPart {
  const components = document['components'] as DocumentPart
  const schemas = components['schemas'] as DocumentPart
  const examples = new Map<unknown, unknown>()
  const take = (media: unknown): unknown => {
    if (!isPart(media) || !('example' in media) || !isPart(media['schema'])) return media
    const { example, ...rest } = media
    const { $ref } = media['schema']
    if ($ref === undefined) return media
    const [schema, shown] = findElement(schemas[nameIn($ref)], example) ?? [$ref, example]
    if (!examples.has(schema)) examples.set(schema, shown)
    return rest
  }
  const inContent = (holder: unknown) =>
    mapPart(holder, (value, key) => (key === 'content' ? mapPart(value, take) : value))
  const inOperation = (operation: DocumentPart) =>
    mapPart(operation, (value, key) => {
      if (key === 'requestBody') return inContent(value)
      return key === 'responses' ? mapPart(value, inContent) : value
    })
  const paths = mapOperations(document['paths'], inOperation)
  const shown = mapPart(schemas, (schema, name) => {
    const example = examples.get(`#/components/schemas/${name}`)
    return example === undefined ? schema : { ...(schema as DocumentPart), example }
  })
  return { ...document, paths, components: { ...components, schemas: shown } }
}

function nameIn(pointer: unknown): string {
  return String(pointer).replace('#/components/schemas/', '')
}

/** Returns the schema of a list's elements and the first element of its example. */
function findElement(list: unknown, example: unknown): readonly [unknown, unknown] | null {
  const at = (value: unknown, ...path: string[]) =>
    path.reduce<unknown>((part, name) => (isPart(part) ? part[name] : undefined), value)
  const schema = at(list, 'properties', 'content', 'items', '$ref')
  const content = at(example, 'content')
  return schema === undefined || !Array.isArray(content) || content.length === 0 ? null : [schema, content[0]]
}
