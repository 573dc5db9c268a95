import { openBook } from '../../ledger/index.ts'
import { type Day, dayOf } from '../../platform/calendar.ts'
import { compare } from '../../platform/compare.ts'
import type { Reader, Tx } from '../../platform/database.ts'
import { decodeId, encodeId, type PublisherId, type TransactionId, type UserId } from '../../platform/ids.ts'
import { together, type WaitingCount } from '../../platform/waiting.ts'
import { getPublisher, publisherNow } from '../../publishers/index.ts'
import {
  countOpenRefunds,
  deleteOpenRefunds,
  joinRefund,
  listUnmatchedReports,
  type OpenRefund,
  waitingReportedRefunds,
} from '../../transactions/index.ts'
import { countOrphans, listOrphans, listOrphansOf, type Orphan, waitingOrphans } from './orphan-queries.ts'
import {
  assignOrphan,
  dismissOrphan,
  notOpen,
  purchaseFor,
  type RefundDecision,
  type RefundDeps,
  recordDecision,
} from './orphan-refunds.ts'

/** Unmatched refunds: orphans of linked cards, and those that publishers reported. */
export type UnmatchedRefund = {
  /** The id of a feed's row, or of the transaction of a reported refund. */
  readonly refundId: string
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly on: Day
  readonly amount: bigint
  readonly currency: string
  readonly merchant: string
}

/** Of one publisher or of all, oldest first. */
export async function listUnmatched(
  reader: Reader,
  publisherId: PublisherId | null,
  limit: number,
): Promise<UnmatchedRefund[]> {
  const [orphans, reported] = await Promise.all([
    listOrphans(reader, publisherId, limit),
    listUnmatchedReports(reader, { publisherId, transactionId: null }, limit),
  ])
  return inOrder([...orphans.map(ofFeed), ...reported.map(ofReport)]).slice(0, limit)
}

function inOrder(refunds: readonly UnmatchedRefund[]): UnmatchedRefund[] {
  return refunds.toSorted((a, b) => compare(a.on, b.on))
}

// More than one user has; the rest is on the list of all.
const OF_USER_MAX = 100

/** A user's own within some days, oldest first. */
export async function listUnmatchedOf(
  reader: Reader,
  publisherId: PublisherId,
  { userId, from, until, limit }: { userId: UserId; from: Day; until: Day; limit: number },
): Promise<UnmatchedRefund[]> {
  const [orphans, reported] = await Promise.all([
    listOrphansOf(reader, publisherId, userId, OF_USER_MAX),
    listUnmatchedReports(reader, { publisherId, userId }, OF_USER_MAX),
  ])
  return inOrder([...orphans.map(ofFeed), ...reported.map(ofReport)])
    .filter(({ on }) => on >= from && on < until)
    .slice(0, limit)
}

/** How many wait for their purchase, and since when the oldest does. */
export async function waitingRefunds(reader: Reader): Promise<WaitingCount> {
  return together(await Promise.all([waitingOrphans(reader), waitingReportedRefunds(reader)]))
}

export async function countUnmatched(reader: Reader): Promise<number> {
  const [orphans, reported] = await Promise.all([countOrphans(reader), countOpenRefunds(reader)])
  return orphans + reported
}

/**
 * Assigns a refund to its purchase, as an operator decided.
 * @throws Refusal refund_not_found, refund_settled, refund_mismatch
 */
export async function assignUnmatched(
  deps: RefundDeps,
  { purchaseUid, ...decision }: RefundDecision & { readonly purchaseUid: string },
): Promise<void> {
  const transactionId = decodeId<'transaction'>('txn', decision.refundId)
  if (transactionId === null) return assignOrphan(deps, { purchaseUid, ...decision })
  await deps.db.transaction(async (tx) => {
    const refund = await getReported(tx, transactionId)
    const publisher = await getPublisher(tx, refund.publisherId)
    const purchase = await purchaseFor(tx, publisher, refund, purchaseUid)
    const joined = { userId: refund.userId, from: transactionId, into: purchase.transactionId }
    await joinRefund(tx, deps, publisher, joined, publisherNow(publisher, deps.clock))
    await recordDecision(tx, deps, refund, decision, purchase.transactionId)
  })
}

/** Records that a refund belongs to no rewarded purchase. @throws Refusal refund_not_found, refund_settled */
export async function dismissUnmatched(deps: RefundDeps, decision: RefundDecision): Promise<void> {
  const transactionId = decodeId<'transaction'>('txn', decision.refundId)
  if (transactionId === null) return dismissOrphan(deps, decision)
  await deps.db.transaction(async (tx) => {
    const refund = await getReported(tx, transactionId)
    await deleteOpenRefunds(tx, refund.publisherId, [refund])
    await recordDecision(tx, deps, refund, decision, null)
  })
}

async function getReported(tx: Tx, transactionId: TransactionId): Promise<OpenRefund> {
  const find = async () => (await listUnmatchedReports(tx, { publisherId: null, transactionId }, 1))[0]
  const found = await find()
  if (found !== undefined) await openBook(tx, await getPublisher(tx, found.publisherId), [found.userId])
  // Read again under the lock: its purchase may have arrived meanwhile, or another operator may have decided.
  const open = await find()
  if (open === undefined) throw await notOpen(tx, encodeId('txn', transactionId))
  return open
}

function ofFeed({ rowId, publisherId, userId, boughtOn, amount, currency, merchantKeys }: Orphan): UnmatchedRefund {
  const merchant = merchantKeys.find((key) => key.startsWith('name:'))?.slice('name:'.length) ?? ''
  return { refundId: rowId, publisherId, userId, on: boughtOn, amount, currency, merchant }
}

function ofReport({ transactionId, occurredAt, ...rest }: OpenRefund): UnmatchedRefund {
  const { publisherId, userId, amount, currency, merchant } = rest
  const refundId = encodeId('txn', transactionId)
  return { refundId, publisherId, userId, on: dayOf(occurredAt, 'UTC'), amount, currency, merchant }
}
