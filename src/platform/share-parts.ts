import { STATUS_CODES } from 'node:http'
import { type DocumentPart, isPart, mapOperations, mapped, pascalCase } from './document-parts.ts'

/** A part that may be a component, under this name in this section. */
type SharedPart = { readonly section: 'parameters' | 'responses'; readonly name: string; readonly part: DocumentPart }

/**
 * The document with its refusals and repeated parameters as components. Of the parameters of one name and place, the
 * one that most operations have becomes the component, if at least two have it; the others stay where they are.
 */
export function shareParts(document: DocumentPart): DocumentPart {
  const counted = new Map<string, { candidate: SharedPart; count: number }>()
  const count = (candidate: SharedPart) => {
    const key = JSON.stringify(candidate)
    const found = counted.get(key) ?? { candidate, count: 0 }
    counted.set(key, { candidate, count: found.count + 1 })
    return candidate.part
  }
  mapSharedParts(document, count)
  const often = [...counted.values()].filter(({ count: times }) => times > 1).sort((a, b) => b.count - a.count)
  const shared = new Map<string, SharedPart>()
  for (const { candidate } of often) {
    const pointer = pointerTo(candidate)
    if (!shared.has(pointer)) shared.set(pointer, candidate)
  }
  const refer = (candidate: SharedPart): DocumentPart => {
    const pointer = pointerTo(candidate)
    const isShared = JSON.stringify(shared.get(pointer)) === JSON.stringify(candidate)
    return isShared ? { $ref: pointer } : candidate.part
  }
  const sectionOf = (wanted: string) =>
    Object.fromEntries(
      [...shared.values()]
        .filter(({ section }) => section === wanted)
        .map(({ name, part }) => [name, part] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  return {
    ...mapSharedParts(document, refer),
    components: {
      ...(document['components'] as DocumentPart),
      parameters: sectionOf('parameters'),
      responses: sectionOf('responses'),
    },
  }
}

const pointerTo = ({ section, name }: SharedPart) => `#/components/${section}/${name}`

function mapSharedParts(document: DocumentPart, change: (candidate: SharedPart) => DocumentPart): DocumentPart {
  const inOperation = (operation: DocumentPart) =>
    mapped(operation, (value, key) => {
      if (key === 'parameters' && Array.isArray(value))
        return value.map((part: DocumentPart) => {
          const name = pascalCase(String(part['name'])) + pascalCase(String(part['in']))
          return change({ section: 'parameters', name, part })
        })
      if (key !== 'responses') return value
      return mapped(value, (part, status) => {
        const isRefusal = isPart(part) && isPart(part['content']) && PROBLEM in part['content']
        return isRefusal ? change({ section: 'responses', name: pascalCase(STATUS_CODES[status] ?? ''), part }) : part
      })
    })
  return {
    ...document,
    paths: mapOperations(document['paths'], inOperation),
    webhooks: mapOperations(document['webhooks'], inOperation),
  }
}

const PROBLEM = 'application/problem+json'
