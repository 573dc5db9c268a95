import type { LinkId } from '../../cards/index.ts'
import type { Day } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'

/** A refund that has found no purchase. */
export type Orphan = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly linkId: LinkId
  readonly generation: number
  /** The provider's id of the row; operators name the refund by it. */
  readonly refundId: string
  readonly amount: bigint
  readonly currency: string
  readonly boughtOn: Day
  readonly merchantKeys: readonly string[]
}

type OrphanDecision = {
  readonly refundId: string
  /** The purchase it was given to; null when it was dismissed. */
  readonly transactionId: TransactionId | null
  readonly decidedBy: string
  readonly reason: string | null
  readonly decidedAt: Date
}

const columns = (reader: Reader) => reader`
  publisher_id, user_id, link_id, generation, row_id as refund_id, amount,
  currency, bought_on, merchant_keys`

/** Open ones of one publisher or of all, oldest first. */
export async function listOrphans(reader: Reader, publisherId: PublisherId | null, limit: number): Promise<Orphan[]> {
  // all publishers: the operator looks after every publisher's refunds
  return reader<Orphan[]>`
    select ${columns(reader)} from feed_rows
    where is_orphan ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}
    order by bought_on, user_id, row_id
    limit ${limit}`
}

export async function countOrphans(reader: Reader): Promise<number> {
  // all publishers: one number for the installation
  const [row] = await reader<{ count: number }[]>`select count(*)::int as count from feed_rows where is_orphan`
  return row?.count ?? 0
}

export async function findOrphan(reader: Reader, refundId: string): Promise<Orphan | null> {
  // all publishers: the operator names a refund, and the refund tells whose it is
  const [row] = await reader<Orphan[]>`
    select ${columns(reader)} from feed_rows where is_orphan and row_id = ${refundId} order by user_id limit 1`
  return row ?? null
}

export async function findOrphanDecision(reader: Reader, refundId: string): Promise<OrphanDecision | null> {
  // all publishers: the operator names a refund, and the refund tells whose it is
  const [row] = await reader<OrphanDecision[]>`
    select row_id as refund_id, transaction_id, decided_by, reason, decided_at
    from orphan_decisions where row_id = ${refundId} order by decided_at desc limit 1`
  return row ?? null
}

export async function insertOrphanDecision(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  decision: OrphanDecision,
): Promise<void> {
  const { refundId, transactionId, decidedBy, reason, decidedAt } = decision
  await tx`
    insert into orphan_decisions (user_id, row_id, publisher_id, transaction_id, decided_by, reason, decided_at)
    values (${userId}, ${refundId}, ${publisherId}, ${transactionId}, ${decidedBy}, ${reason}, ${decidedAt})`
}
