/**
 * Converts an instant to RFC 3339. Some publishers use their own format, such as `2026-11-21T10:15:30:Z`, which has an
 * extra colon.
 */
export function toInstant(text: string): string {
  return text.replace(/:Z$/, 'Z')
}
