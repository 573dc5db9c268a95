import { openBook } from '../../../ledger/index.ts'
import { addDays, type Day, startOfDay, toDay } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId, type TransactionId } from '../../../platform/ids.ts'
import { combineCounts, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { type Actor, audit } from '../../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import {
  countOpenRefunds,
  countWaitingReportedRefunds,
  deleteOpenRefunds,
  findOpenRefund,
  joinRefund,
  listGroups,
  listPurchasesAround,
  type OpenRefund,
  type Transaction,
} from '../../transactions/index.ts'
import { countOrphans, countWaitingOrphans, findOrphan } from './orphan-queries.ts'
import {
  type AssignedRefund,
  assignOrphan,
  dismissOrphan,
  findAssignmentFault,
  getRefundPurchase,
  type RefundDecision,
  type RefundDeps,
  type RefundOwner,
  recordDecision,
  refuseNotOpen,
} from './orphan-refunds.ts'

/** Counts the refunds that are waiting for their purchase, with the age of the oldest. */
export async function countWaitingRefunds(reader: Reader): Promise<WaitingCount> {
  return combineCounts(await Promise.all([countWaitingOrphans(reader), countWaitingReportedRefunds(reader)]))
}

export async function countUnmatched(reader: Reader): Promise<number> {
  const [orphans, reported] = await Promise.all([countOrphans(reader), countOpenRefunds(reader)])
  return orphans + reported
}

type Decided = Omit<RefundDecision, 'by'> & { readonly by: Actor }

/**
 * Assigns a refund to the purchase an operator chose, and records that in the audit log.
 * @throws Refusal refund_not_found, refund_settled, refund_mismatch
 */
export async function assignRefundAs(
  tx: Tx,
  deps: RefundDeps,
  { purchaseUid, ...decided }: Decided & { readonly purchaseUid: string },
): Promise<void> {
  const decision = { ...decided, by: decided.by.name ?? decided.by.id }
  const transactionId = decodeId<'transaction'>('txn', decision.refundId)
  const whose =
    transactionId === null
      ? await assignOrphan(tx, deps, { purchaseUid, ...decision })
      : await assignReported(tx, deps, transactionId, { purchaseUid, ...decision })
  const entry = { action: 'refund.assigned', after: { transaction_uid: purchaseUid } }
  await auditDecision(tx, deps, decided, { ...whose, ...entry })
}

async function assignReported(
  tx: Tx,
  deps: RefundDeps,
  transactionId: TransactionId,
  { purchaseUid, ...decision }: RefundDecision & { readonly purchaseUid: string },
): Promise<RefundOwner> {
  const refund = await getReported(tx, transactionId)
  const publisher = await getPublisher(tx, refund.publisherId)
  const purchase = await getRefundPurchase(tx, publisher, refund, purchaseUid)
  const joined = { userId: refund.userId, from: transactionId, into: purchase.transactionId }
  await joinRefund(tx, deps, publisher, joined, publisherNow(publisher, deps.clock))
  return recordDecision(tx, deps, refund, decision, purchase.transactionId)
}

/**
 * Records that a refund belongs to no rewarded purchase, also in the audit log.
 * @throws Refusal refund_not_found, refund_settled
 */
export async function dismissRefundAs(tx: Tx, deps: Pick<RefundDeps, 'clock'>, decided: Decided): Promise<void> {
  const decision = { ...decided, by: decided.by.name ?? decided.by.id }
  const transactionId = decodeId<'transaction'>('txn', decision.refundId)
  const whose =
    transactionId === null
      ? await dismissOrphan(tx, deps, decision)
      : await dismissReported(tx, deps, transactionId, decision)
  await auditDecision(tx, deps, decided, { ...whose, action: 'refund.dismissed', after: {} })
}

async function dismissReported(
  tx: Tx,
  deps: Pick<RefundDeps, 'clock'>,
  transactionId: TransactionId,
  decision: RefundDecision,
): Promise<RefundOwner> {
  const refund = await getReported(tx, transactionId)
  await deleteOpenRefunds(tx, refund.publisherId, [refund])
  return recordDecision(tx, deps, refund, decision, null)
}

/**
 * Records a decision in the audit log. An erasure finds the entry by its user and removes the provider's row ID, but
 * cannot change the entry's subject. For a refund with such a row ID, the subject is therefore the user.
 */
async function auditDecision(
  tx: Tx,
  { clock }: Pick<RefundDeps, 'clock'>,
  { by, refundId, reason }: Decided,
  { publisherId, userId, action, after }: RefundOwner & { readonly action: string; readonly after: object },
): Promise<void> {
  const user = { publisher_id: encodeId('pub', publisherId), svc_user_id: encodeId('usr', userId) }
  const subject = decodeId('txn', refundId) === null ? user.svc_user_id : refundId
  const said = { ...user, refund_id: refundId, ...after, reason }
  await audit(tx, { actor: by, action, subject, after: said }, clock.now())
}

// Older purchases are not candidates.
const REFUNDED_WITHIN_DAYS = 400
// Covers months of one user's purchases.
const PURCHASES_MAX = 200
// Enough for an operator to recognize the right one.
const CANDIDATES_MAX = 20

/**
 * Lists the purchases a refund may be assigned to. Exact amounts come first, then the latest purchases.
 * @throws Refusal refund_not_found, refund_settled
 */
export async function listPurchasesFor(
  reader: Reader,
  refundId: string,
): Promise<RefundOwner & { readonly purchases: readonly Transaction[] }> {
  const { publisherId, on, ...refund } = await getOpen(reader, refundId)
  const { timeZone } = await getPublisher(reader, publisherId)
  // A report's day is in UTC, which can be behind the publisher's day.
  const [from, until] = [startOfDay(addDays(on, -REFUNDED_WITHIN_DAYS), timeZone), startOfDay(addDays(on, 2), timeZone)]
  const { userId } = refund
  const asked = { userId, brandUid: null, from, until, at: until, limit: PURCHASES_MAX }
  const purchases = await listPurchasesAround(reader, publisherId, asked)
  const ids = purchases.map(({ transactionId }) => transactionId)
  const groups = Map.groupBy(
    await listGroups(reader, publisherId, [userId], ids),
    ({ adjusts, transactionId }) => adjusts ?? transactionId,
  )
  const fitting = purchases.filter(
    (one) => findAssignmentFault(refund, one, groups.get(one.transactionId) ?? [one]) === null,
  )
  const isExact = ({ amount }: Transaction) => amount === refund.amount
  const sorted = [...fitting.filter(isExact), ...fitting.filter((one) => !isExact(one))]
  return { publisherId, userId, purchases: sorted.slice(0, CANDIDATES_MAX) }
}

/** Returns an open refund. It is read without a lock and may be decided at any moment. */
async function getOpen(
  reader: Reader,
  refundId: string,
): Promise<AssignedRefund & Pick<RefundOwner, 'publisherId'> & { readonly on: Day }> {
  const transactionId = decodeId<'transaction'>('txn', refundId)
  const orphan = transactionId === null ? await findOrphan(reader, refundId) : null
  if (orphan !== null) return { ...orphan, source: 'CARD', on: orphan.boughtOn }
  const reported = transactionId === null ? null : await findOpenRefund(reader, transactionId)
  if (reported === null) throw await refuseNotOpen(reader, refundId)
  return { ...reported, on: toDay(reported.occurredAt, 'UTC') }
}

async function getReported(tx: Tx, transactionId: TransactionId): Promise<OpenRefund> {
  const found = await findOpenRefund(tx, transactionId)
  if (found !== null) await openBook(tx, await getPublisher(tx, found.publisherId), [found.userId])
  // Read again under the lock. Its purchase may have arrived in the meantime, or another operator may have decided.
  const open = await findOpenRefund(tx, transactionId)
  if (open === null) throw await refuseNotOpen(tx, encodeId('txn', transactionId))
  return open
}
