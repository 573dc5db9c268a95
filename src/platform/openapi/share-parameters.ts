import { type DocumentPart, mapOperations, mapPart, toPascalCase } from './document-parts.ts'

/** A parameter that might become a component with this name. */
type SharedParameter = { readonly name: string; readonly part: DocumentPart }

/**
 * Replaces repeated parameters in the document with components. Among parameters with the same name and location, the
 * most common one becomes the component if at least two operations use it. The others stay inline.
 */
export function shareParameters(document: DocumentPart): DocumentPart {
  const counted = new Map<string, { candidate: SharedParameter; count: number }>()
  const count = (candidate: SharedParameter) => {
    const key = JSON.stringify(candidate)
    const found = counted.get(key) ?? { candidate, count: 0 }
    counted.set(key, { candidate, count: found.count + 1 })
    return candidate.part
  }
  mapParameters(document, count)
  const often = [...counted.values()].filter(({ count: times }) => times > 1).sort((a, b) => b.count - a.count)
  const shared = new Map<string, SharedParameter>()
  for (const { candidate } of often) {
    const pointer = pointerTo(candidate)
    if (!shared.has(pointer)) shared.set(pointer, candidate)
  }
  const refer = (candidate: SharedParameter): DocumentPart => {
    const pointer = pointerTo(candidate)
    const isShared = JSON.stringify(shared.get(pointer)) === JSON.stringify(candidate)
    return isShared ? { $ref: pointer } : candidate.part
  }
  const parameters = [...shared.values()].map(({ name, part }) => [name, part] as const)
  return {
    ...mapParameters(document, refer),
    components: {
      ...(document['components'] as DocumentPart),
      parameters: Object.fromEntries(parameters.sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

const pointerTo = ({ name }: SharedParameter) => `#/components/parameters/${name}`

function mapParameters(document: DocumentPart, change: (candidate: SharedParameter) => DocumentPart): DocumentPart {
  const inOperation = (operation: DocumentPart) =>
    mapPart(operation, (value, key) => {
      if (key !== 'parameters' || !Array.isArray(value)) return value
      return value.map((part: DocumentPart) =>
        change({ name: toPascalCase(String(part['name'])) + toPascalCase(String(part['in'])), part }),
      )
    })
  return {
    ...document,
    paths: mapOperations(document['paths'], inOperation),
    webhooks: mapOperations(document['webhooks'], inOperation),
  }
}
