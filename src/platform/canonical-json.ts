/** JSON with sorted members: values that differ only in the order of their members have the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
