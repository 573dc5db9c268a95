import { canonicalJson } from '../platform/canonical-json.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from '../publishers/index.ts'

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
    throw new Refusal<PublisherRefusal>(
      'changed_meanwhile',
      `Somebody else has changed ${field}${isShort ? `: it is ${json} now` : ''}. Your change was not saved.`,
      { members: { field, ...(isShort ? { current: present } : {}) } },
    )
  }
}
