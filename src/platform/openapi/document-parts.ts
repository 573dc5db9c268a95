/** A JSON object within the OpenAPI document. */
export type DocumentPart = { readonly [member: string]: unknown }

export function isPart(value: unknown): value is DocumentPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapPart(part: unknown, change: (value: unknown, name: string) => unknown): DocumentPart {
  if (!isPart(part)) return {}
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value, name)]))
}

/** Maps each operation in the paths or webhooks of a document. */
export function mapOperations(paths: unknown, change: (operation: DocumentPart) => DocumentPart): DocumentPart {
  return mapPart(paths, (methods) =>
    mapPart(methods, (operation) => (isPart(operation) ? change(operation) : operation)),
  )
}

/** Converts `publisher_user_id` and `openClaim` to `PublisherUserId` and `OpenClaim`. */
export function toPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
