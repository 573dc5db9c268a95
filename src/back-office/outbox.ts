import type { Tx } from '../platform/db/database.ts'
import { retryFailedFacts } from '../platform/queue/outbox.ts'
import { Refusal } from '../platform/refusal.ts'
import type { OperatorRefusal } from '../tenants/access/index.ts'
import { type Actor, audit } from '../tenants/accounts/index.ts'

/**
 * Retries one failed fact or all of them immediately and records the retry in the audit log. Returns the number of
 * facts.
 * @throws Refusal fact_not_found if the given fact has not permanently failed
 */
export async function retryFactsAs(
  tx: Tx,
  { ordinal, by }: { readonly ordinal: bigint | null; readonly by: Actor },
  now: Date,
): Promise<number> {
  const retried = await retryFailedFacts(tx, ordinal)
  if (ordinal !== null && retried.length === 0)
    throw new Refusal<OperatorRefusal>(
      'fact_not_found',
      'There is no failed fact with this id. It may have been processed in the meantime.',
    )
  const subject = ordinal === null ? 'all' : String(ordinal)
  await audit(tx, { actor: by, action: 'facts.retried', subject, after: { fact_ids: retried.map(String) } }, now)
  return retried.length
}
