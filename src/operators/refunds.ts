import { type Actor, audit } from '../accounts/index.ts'
import { assignUnmatched, dismissUnmatched } from '../linker/index.ts'
import type { Tx } from '../platform/database.ts'
import type { OperatorDeps } from './deps.ts'

type Decided = { readonly refundId: string; readonly by: Actor; readonly reason: string | null }

/** Assigns an unmatched refund to its purchase, with an entry in the audit log. @throws as assignUnmatched */
export async function assignRefundAs(
  tx: Tx,
  deps: Pick<OperatorDeps, 'clock' | 'catalog' | 'log'>,
  { by, purchaseUid, ...decided }: Decided & { readonly purchaseUid: string },
): Promise<void> {
  const { refundId, reason } = decided
  await assignUnmatched(tx, deps, { ...decided, purchaseUid, by: by.name ?? by.id })
  const after = { transaction_uid: purchaseUid, reason }
  await audit(tx, { actor: by, action: 'refund.assigned', subject: refundId, after }, deps.clock.now())
}

/** Dismisses an unmatched refund, with an entry in the audit log. @throws as dismissUnmatched */
export async function dismissRefundAs(
  tx: Tx,
  deps: Pick<OperatorDeps, 'clock'>,
  { by, ...decided }: Decided,
): Promise<void> {
  const { refundId, reason } = decided
  await dismissUnmatched(tx, deps, { ...decided, by: by.name ?? by.id })
  await audit(tx, { actor: by, action: 'refund.dismissed', subject: refundId, after: { reason } }, deps.clock.now())
}
