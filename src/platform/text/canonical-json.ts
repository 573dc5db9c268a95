/**
 * Yields `toCanonicalJson(value)` in pieces, one for each member of a top-level object and each item of a list inside it.
 */
export function* yieldCanonicalPieces(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return yield toCanonicalJson(value)
  let separator = '{'
  for (const [name, inner] of Object.entries(Object.fromEntries(sortedMembers(value)))) {
    if (inner === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (Array.isArray(inner)) yield* itemPieces(inner)
    else yield toCanonicalJson(inner)
  }
  yield separator === '{' ? '{}' : '}'
}

function* itemPieces(items: readonly unknown[]): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index === 0 ? '[' : ','}${toCanonicalJson(item)}`
  yield items.length === 0 ? '[]' : ']'
}

/** Serializes to JSON with sorted members, so values that differ only in the order of members produce the same text. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(sortedMembers(inner))
      : inner,
  )
}

function sortedMembers(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}
