import type { Tx } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { OperatorRefusal } from '../../tenants/access/index.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import type { Contradiction } from './contradiction.ts'
import { acknowledgeContradiction } from './queries.ts'

/**
 * Acknowledges a contradiction on behalf of a person and records it in the audit log under the contradiction's subject.
 * @throws Refusal contradiction_not_found, also if it has already been acknowledged
 */
export async function acknowledgeContradictionAs(
  tx: Tx,
  { contradictionUid, note, by }: { readonly contradictionUid: string; readonly note: string; readonly by: Actor },
  now: Date,
): Promise<Contradiction> {
  const contradictionId = decodeId<'contradiction'>('ctr', contradictionUid)
  const found =
    contradictionId === null ? null : await acknowledgeContradiction(tx, { contradictionId, by: by.id, note }, now)
  if (found === null)
    throw new Refusal<OperatorRefusal>(
      'contradiction_not_found',
      'There is no unacknowledged contradiction with this id. Someone may already have acknowledged it.',
      { field: 'contradiction_id' },
    )
  const { subject, known, reported } = found
  await audit(tx, { actor: by, action: 'contradiction.acknowledged', subject, after: { known, reported, note } }, now)
  return found
}
