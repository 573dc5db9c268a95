import { type DocumentPart, isPart, mapOperations, mapPart, toPascalCase } from './document-parts.ts'

/** A schema that becomes a component, with its explicit names and every place that uses it without one. */
type Shape = {
  readonly titles: Set<string>
  readonly places: Place[]
  schema: unknown
}
type Place = {
  readonly parent: Shape | null
  readonly name: string
}

const REFERENCE = Symbol('reference')
type Referring = DocumentPart & { readonly [REFERENCE]?: { readonly shape: Shape; readonly title?: string } }

/** The shapes found so far, keyed by their JSON, and the document's own named schemas. */
type Known = { readonly shapes: Map<string, Shape>; readonly given: DocumentPart }

/**
 * Creates a component for each object and enum schema in the document. Names follow a single rule
 * (docs/decisions/0058-named-schemas.md):
 *
 * - `named(name, schema)` names a schema explicitly;
 * - otherwise a body is the `…Input` and a response the `…Result` of its operation, because generators reserve
 *   `…Request` and `…Response` for types of their own, and a member is named after its object plus its own name, in the
 *   singular for an array element;
 * - identical schemas in several places become one component, with the shortest of the candidate names.
 *
 * A component already in the document replaces the one with its name. Other different schemas with the same name become
 * `Name` and `Name_2`, which a test rejects.
 */
export function nameSchemas(document: DocumentPart): DocumentPart {
  const given = (document['components'] as DocumentPart)['schemas'] as DocumentPart
  const known: Known = { shapes: new Map(), given }
  const read = (operation: DocumentPart) => readOperation(operation, known)
  const paths = mapOperations(document['paths'], read)
  const webhooks = mapOperations(document['webhooks'], read)
  for (const title of Object.keys(given)) readSchema({ title }, { parent: null, name: title }, known)
  const { components, names } = nameShapes([...known.shapes.values()])
  const schemas = components.map(([name, schema]) => [name, withReferences(schema, names)] as const)
  return {
    ...document,
    paths: withReferences(paths, names),
    webhooks: withReferences(webhooks, names),
    components: {
      ...(document['components'] as DocumentPart),
      schemas: Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

function readOperation(operation: DocumentPart, known: Known): DocumentPart {
  const owner = toPascalCase(String(operation['operationId']))
  const readIn = (holder: unknown, name: string) =>
    isPart(holder) && 'schema' in holder
      ? { ...holder, schema: readSchema(holder['schema'], { parent: null, name }, known) }
      : holder
  const withContent = (part: unknown, name: string) =>
    mapPart(part, (value, key) => (key === 'content' ? mapPart(value, (media) => readIn(media, name)) : value))
  return mapPart(operation, (value, key) => {
    if (key === 'parameters' && Array.isArray(value))
      return value.map((parameter) => readIn(parameter, owner + toPascalCase(String(parameter.name))))
    if (key === 'requestBody') return withContent(value, `${owner}Input`)
    if (key === 'responses') return mapPart(value, (response) => withContent(response, `${owner}Result`))
    return value
  })
}

// Keywords that describe one use of a schema rather than the schema itself, so they stay next to the reference.
const OF_THE_PLACE: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', 'deprecated'])

/** Replaces components inside the schema with placeholders for references. */
function readSchema(schema: unknown, place: Place, known: Known): unknown {
  if (!isPart(schema)) return schema
  if (!isComponent(schema)) return readInner(schema, place, known)
  const { title } = schema
  const whole = typeof title === 'string' && title in known.given ? (known.given[title] as DocumentPart) : schema
  const own = only(whole, (keyword) => !OF_THE_PLACE.has(keyword))
  const key = JSON.stringify(own, withoutTitles)
  let shape = known.shapes.get(key)
  if (shape === undefined) {
    shape = { titles: new Set(), places: [], schema: null }
    known.shapes.set(key, shape)
    shape.schema = readInner(own, { parent: shape, name: '' }, known)
  }
  if (typeof title === 'string') shape.titles.add(title)
  else shape.places.push(place)
  const beside = only(schema, (keyword) => keyword !== 'title' && OF_THE_PLACE.has(keyword))
  return { ...beside, [REFERENCE]: { shape, title } }
}

/** Drops only schema titles, because a member may also be called title. */
function withoutTitles(name: string, value: unknown): unknown {
  return name === 'title' && typeof value === 'string' ? undefined : value
}

/**
 * Returns false for an unnamed enum with one value, which is a constant, and for an unnamed object without members,
 * which can be anything.
 */
function isComponent({ title, properties, enum: values }: DocumentPart): boolean {
  if (typeof title === 'string') return true
  if (Array.isArray(values)) return values.length > 1
  return isPart(properties) && Object.keys(properties).length > 0
}

function readInner(schema: DocumentPart, place: Place, known: Known): DocumentPart {
  const { parent, name } = place
  return mapPart(schema, (value, keyword) => {
    if (keyword === 'properties')
      return mapPart(value, (inner, member) => readSchema(inner, { parent, name: name + toPascalCase(member) }, known))
    if (keyword === 'items' || keyword === 'additionalProperties')
      return readSchema(value, { parent, name: singular(name) }, known)
    if (Array.isArray(value) && ALTERNATIVES.has(keyword)) return value.map((one) => readSchema(one, place, known))
    return value
  })
}

const ALTERNATIVES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf'])

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}

type Names = (shape: Shape, title?: string) => string

/**
 * Returns the components sorted by name, and a function that names a shape, given the title at the place where it is
 * used.
 */
function nameShapes(shapes: readonly Shape[]): { readonly components: [string, unknown][]; readonly names: Names } {
  const found = new Map<Shape, string>()
  const toName = (shape: Shape): string => {
    const name = found.get(shape) ?? shortest(shape.titles.size > 0 ? [...shape.titles] : shape.places.map(fullName))
    found.set(shape, name)
    return name
  }
  const fullName = ({ parent, name }: Place): string => (parent === null ? name : toName(parent) + name)
  const taken = new Map<string, Shape>()
  const numbered = new Map<Shape, Map<string, string>>()
  for (const shape of shapes)
    for (const name of shape.titles.size > 0 ? shape.titles : [toName(shape)]) {
      let free = name
      for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
      taken.set(free, shape)
      numbered.set(shape, (numbered.get(shape) ?? new Map<string, string>()).set(name, free))
    }
  return {
    components: [...taken].map(([name, shape]) => [name, shape.schema]),
    names: (shape, title) => numbered.get(shape)?.get(title ?? toName(shape)) ?? '',
  }
}

function shortest(names: readonly string[]): string {
  return names.reduce((one, other) =>
    one.length < other.length || (one.length === other.length && one < other) ? one : other,
  )
}

function withReferences(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => withReferences(one, names))
  if (!isPart(value)) return value
  const inner = mapPart(value, (one) => withReferences(one, names))
  const reference = (value as Referring)[REFERENCE]
  if (reference === undefined) return inner
  return { $ref: `#/components/schemas/${names(reference.shape, reference.title)}`, ...inner }
}

function only(part: DocumentPart, isWanted: (name: string) => boolean): DocumentPart {
  return Object.fromEntries(Object.entries(part).filter(([name]) => isWanted(name)))
}
