import type { Tx } from '../../../platform/db/database.ts'
import { encodeId } from '../../../platform/ids.ts'
import { type Actor, audit } from '../../../tenants/accounts/index.ts'
import { type AssortmentChange, type ChangedAssortment, changeAssortment } from './change-assortment.ts'
import type { AssortmentContent } from './content.ts'
import { countEntries, presentAssortment } from './schema.ts'

// Larger changes appear in the audit log only as counts, because the assortment itself records who changed each entry
// and when.
const AUDITED_MAX = 100

/**
 * Changes what a publisher carries and records the change in the audit log. Returns null if nothing changed.
 * @throws Refusal publisher_not_found, assortment_invalid
 */
export async function saveAssortment(
  tx: Tx,
  { publisherId, change, by }: Omit<AssortmentChange, 'by'> & { readonly by: Actor },
  now: Date,
): Promise<ChangedAssortment | null> {
  const changed = await changeAssortment(tx, { publisherId, change, by: by.id }, now)
  if (changed === null) return null
  const { removed, added } = changed
  const isOther = removed.carriesOthers !== added.carriesOthers
  const states = { before: audited(removed, isOther), after: audited(added, isOther) }
  await audit(tx, { actor: by, action: 'assortment.changed', subject: encodeId('pub', publisherId), ...states }, now)
  return changed
}

/** Returns the changed parts for the audit log. */
function audited(content: AssortmentContent, isOther: boolean): object {
  const { carries, ...lists } = presentAssortment(content)
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  const shown = countEntries(content) <= AUDITED_MAX ? filled : filled.map(([name, list]) => [name, list.length])
  return { ...(isOther ? { carries } : {}), ...Object.fromEntries(shown) }
}
