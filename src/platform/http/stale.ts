import { canonicalJson } from '../canonical-json.ts'
import { Refusal } from '../refusal.ts'
import type { HttpRefusal } from './problems.ts'

/** The description of what `refuseStale` compares. */
export const EXPECTED = 'The members as you last read them. If one of them has changed since, nothing is changed: 409.'

// Longer ones, such as lists of an assortment, are left for the caller to read again.
const QUOTED_LENGTH_MAX = 200

/**
 * Compares the members that somebody read before editing with what they are now.
 * @param prefix of the names of the members in the refusal
 * @throws Refusal changed_meanwhile naming the first that differs
 */
export function refuseStale(expected: object, current: object, prefix = ''): void {
  const now = new Map<string, unknown>(Object.entries(current))
  for (const [name, value] of Object.entries(expected)) {
    const present = now.get(name)
    if (canonicalJson(value) === canonicalJson(present)) continue
    const field = `${prefix}${name}`
    const json = JSON.stringify(present)
    const isShort = json !== undefined && json.length <= QUOTED_LENGTH_MAX
    throw new Refusal<HttpRefusal>(
      'changed_meanwhile',
      `Somebody else has changed ${field}${isShort ? `: it is ${json} now` : ''}. Your change was not saved.`,
      { members: { field, ...(isShort ? { current: present } : {}) } },
    )
  }
}
