/** Publishers may want `2026-11-21T10:15:30:Z`, as their own format of instants has it; RFC 3339 has one colon fewer. */
export function instantOf(text: string): string {
  return text.replace(/:Z$/, 'Z')
}
