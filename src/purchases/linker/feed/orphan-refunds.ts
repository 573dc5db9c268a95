import { openBook } from '../../../ledger/index.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId, type TransactionId } from '../../../platform/ids.ts'
import { formatDecimal } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lockCards } from '../../../sources/cards/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { listCardPurchaseEvents, listGroups, type Transaction } from '../../transactions/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { findOrphan, findOrphanDecision, insertOrphanDecision, type Orphan } from './orphan-queries.ts'
import { createBaseline } from './plan/draft.ts'
import { planRefundAssignment } from './plan/plan.ts'
import * as feed from './queries.ts'
import { carryOut } from './store.ts'

/**
 * Refunds without a known purchase. The purchase was paid with another card, predates the feed, or is one of several
 * that fit. Such a refund takes nothing back until its purchase is found or an operator chooses one.
 */

export type RefundDeps = Pick<LinkerDeps, 'clock' | 'catalog' | 'log'>
export type RefundDecision = { readonly refundId: string; readonly by: string; readonly reason: string | null }
/** The user whose refund was decided. */
export type RefundOwner = Pick<Orphan, 'publisherId' | 'userId'>

/**
 * Assigns a refund to the purchase an operator chose. The orphan is reversed and recorded again as a refund of that
 * purchase, so the reward settles as if the purchase had been known from the start.
 * @throws Refusal refund_not_found, refund_settled, refund_mismatch
 */
export async function assignOrphan(
  tx: Tx,
  deps: RefundDeps,
  { purchaseUid, ...decision }: RefundDecision & { readonly purchaseUid: string },
): Promise<RefundOwner> {
  const { orphan, publisher } = await takeOrphan(tx, decision.refundId)
  await openBook(tx, publisher, [orphan.userId])
  const purchase = await getRefundPurchase(tx, publisher, { ...orphan, source: 'CARD' }, purchaseUid)
  const events = await listCardPurchaseEvents(tx, publisher.id, orphan.userId, purchase.transactionId)
  const [cleared] = await feed.listCleared(tx, publisher.id, orphan.userId, events)
  const baseline = createBaseline(publisher, orphan, [orphan], publisherNow(publisher, deps.clock))
  const plan = planRefundAssignment(baseline, orphan, cleared?.externalId ?? purchase.externalId)
  await carryOut(tx, deps, publisher, orphan, baseline, plan)
  return recordDecision(tx, deps, orphan, decision, purchase.transactionId)
}

/**
 * Records that a refund belongs to no purchase that earned a reward.
 * @throws Refusal refund_not_found, refund_settled
 */
export async function dismissOrphan(
  tx: Tx,
  deps: Pick<RefundDeps, 'clock'>,
  decision: RefundDecision,
): Promise<RefundOwner> {
  const { orphan, publisher } = await takeOrphan(tx, decision.refundId)
  await feed.upsertRows(tx, publisher.id, orphan, [{ ...orphan, isOrphan: false }])
  return recordDecision(tx, deps, orphan, decision, null)
}

/** Returns the refund, locked until the end of the transaction. */
async function takeOrphan(tx: Tx, refundId: string) {
  const found = await findOrphan(tx, refundId)
  if (found !== null) await lockCards(tx, found.publisherId, found.userId)
  // Read again under the lock. Its purchase may have arrived in the meantime, or another operator may have decided.
  const orphan = await findOrphan(tx, refundId)
  if (orphan === null) throw await refuseNotOpen(tx, refundId)
  return { orphan, publisher: await getPublisher(tx, orphan.publisherId) }
}

export async function refuseNotOpen(reader: Reader, refundId: string): Promise<Refusal<LinkerRefusal>> {
  const decided = await findOrphanDecision(reader, refundId)
  if (decided === null)
    return new Refusal<LinkerRefusal>('refund_not_found', 'There is no unmatched refund with this id.')
  const what = decided.transactionId === null ? 'dismissed' : `assigned to ${encodeId('txn', decided.transactionId)}`
  return new Refusal<LinkerRefusal>(
    'refund_settled',
    `This refund was ${what} by ${decided.decidedBy} on ${decided.decidedAt.toISOString().slice(0, 10)}.`,
  )
}

/** @throws Refusal refund_mismatch */
export async function getRefundPurchase(
  tx: Tx,
  publisher: Publisher,
  refund: AssignedRefund,
  purchaseUid: string,
): Promise<Transaction> {
  const id = decodeId<'transaction'>('txn', purchaseUid)
  const group = id === null ? [] : await listGroups(tx, publisher.id, [refund.userId], [id])
  const purchase = group.find((one) => one.transactionId === id && one.adjusts === null)
  const fault = findAssignmentFault(refund, purchase, group)
  if (purchase === undefined || fault !== null) throw new Refusal<LinkerRefusal>('refund_mismatch', fault ?? NOT_BOUGHT)
  return purchase
}

export type AssignedRefund = Pick<Orphan, 'userId' | 'amount' | 'currency'> & Pick<Transaction, 'source'>
const NOT_BOUGHT = 'This user has no card purchase with this id.'

/**
 * Returns the reason why the refund cannot belong to this purchase; null if it can. The group is the purchase with its
 * adjustments.
 */
export function findAssignmentFault(
  { amount, currency, source }: Omit<AssignedRefund, 'userId'>,
  purchase: Pick<Transaction, 'source' | 'currency' | 'statusReason'> | undefined,
  group: readonly Pick<Transaction, 'adjusts' | 'status' | 'amount' | 'refunded'>[],
): string | null {
  if (purchase === undefined || purchase.source !== source)
    return source === 'CARD' ? NOT_BOUGHT : `This user has no purchase from the source ${source} with this id.`
  if (purchase.currency !== currency)
    return `The purchase is in ${purchase.currency}, but the refund is in ${currency}.`
  // An earned purchase does not change. Later refunds are recorded in its adjustments.
  const counted = group.filter((one) => one.adjusts === null || one.status === 'EARNED')
  const left = counted.reduce((sum, one) => sum + one.amount - one.refunded, 0n)
  if (purchase.statusReason !== 'original_unknown' && left >= amount) return null
  const [most, wanted] = [left < 0n ? 0n : left, amount].map((minor) => formatDecimal(minor, currency))
  return `Only ${most} of this purchase is left to refund, but the refund is for ${wanted}.`
}

export async function recordDecision(
  tx: Tx,
  { clock }: Pick<RefundDeps, 'clock'>,
  { publisherId, userId }: RefundOwner,
  { refundId, by, reason }: RefundDecision,
  transactionId: TransactionId | null,
): Promise<RefundOwner> {
  const decision = { transactionId, decidedBy: by, reason, decidedAt: clock.now() }
  await insertOrphanDecision(tx, publisherId, { userId, rowId: refundId }, decision)
  return { publisherId, userId }
}
