/** The document with each reference replaced by what it refers to; what stands beside a reference takes precedence. */
export function dereferenced(document: object): Record<string, unknown> {
  const resolve = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(resolve)
    const { $ref, ...own } = value as Record<string, unknown>
    const target = typeof $ref === 'string' ? (resolve(valueAt(document, $ref)) as object) : {}
    return { ...target, ...Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, resolve(inner)])) }
  }
  return resolve(document) as Record<string, unknown>
}

/** What a reference such as `#/components/schemas/Claim` points to. */
export function valueAt(document: object, pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], document)
}
