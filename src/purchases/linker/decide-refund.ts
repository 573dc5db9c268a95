import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { assignUnmatched, dismissUnmatched } from './feed/unmatched-refunds.ts'

type Decided = { readonly refundId: string; readonly by: Actor; readonly reason: string | null }

/**
 * Assigns an unmatched refund to its purchase and records that in the audit log.
 * @throws the same refusals as assignUnmatched
 */
export async function assignRefundAs(
  tx: Tx,
  deps: Pick<CatalogOperatorDeps, 'clock' | 'catalog' | 'log'>,
  decided: Decided & { readonly purchaseUid: string },
): Promise<void> {
  const { by, purchaseUid } = decided
  const whose = await assignUnmatched(tx, deps, { ...decided, by: by.name ?? by.id })
  await auditDecision(tx, deps, decided, {
    ...whose,
    action: 'refund.assigned',
    after: { transaction_uid: purchaseUid },
  })
}

/**
 * Dismisses an unmatched refund and records that in the audit log.
 * @throws the same refusals as dismissUnmatched
 */
export async function dismissRefundAs(
  tx: Tx,
  deps: Pick<CatalogOperatorDeps, 'clock'>,
  decided: Decided,
): Promise<void> {
  const { by } = decided
  const whose = await dismissUnmatched(tx, deps, { ...decided, by: by.name ?? by.id })
  await auditDecision(tx, deps, decided, { ...whose, action: 'refund.dismissed', after: {} })
}

type Whose = Awaited<ReturnType<typeof dismissUnmatched>>
type Entry = Whose & { readonly action: string; readonly after: object }

/**
 * Records a decision in the audit log. An erasure finds the entry by its user and removes the provider's row ID, but
 * cannot change the entry's subject. For a refund with such a row ID, the subject is therefore the user.
 */
async function auditDecision(
  tx: Tx,
  { clock }: Pick<CatalogOperatorDeps, 'clock'>,
  { by, refundId, reason }: Decided,
  { publisherId, userId, action, after }: Entry,
): Promise<void> {
  const user = { publisher_id: encodeId('pub', publisherId), svc_user_id: encodeId('usr', userId) }
  const subject = decodeId('txn', refundId) === null ? user.svc_user_id : refundId
  const said = { ...user, refund_id: refundId, ...after, reason }
  await audit(tx, { actor: by, action, subject, after: said }, clock.now())
}
