/** Collects the space-separated words from a pack's lines. */
export const toSet = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

/** Defers building a table until it is first needed, so that it does not slow down startup. */
export function defer<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
