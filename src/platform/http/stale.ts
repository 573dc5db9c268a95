import { Refusal } from '../refusal.ts'
import { toCanonicalJson } from '../text/canonical-json.ts'
import type { HttpRefusal } from './problems.ts'

/** The schema description of the members that `refuseStale` compares. */
export const EXPECTED = 'The fields as you last read them. If any has changed since, the request fails with 409.'

// Longer values, such as an assortment's lists, are not quoted, so callers have to reload them.
const QUOTED_LENGTH_MAX = 200

/**
 * Compares members as the caller last read them with their current values.
 * @param prefix of the member names in the refusal
 * @throws Refusal changed_meanwhile naming the first member that differs
 */
export function refuseStale(expected: object, current: object, prefix = ''): void {
  const now = new Map<string, unknown>(Object.entries(current))
  for (const [name, value] of Object.entries(expected)) {
    const present = now.get(name)
    if (toCanonicalJson(value) === toCanonicalJson(present)) continue
    const field = `${prefix}${name}`
    const json = JSON.stringify(present)
    const isShort = json !== undefined && json.length <= QUOTED_LENGTH_MAX
    throw new Refusal<HttpRefusal>(
      'changed_meanwhile',
      `Someone else has changed ${field}${isShort ? `. It is now ${json}` : ''}. Your change was not saved.`,
      { members: { field, ...(isShort ? { current: present } : {}) } },
    )
  }
}
