import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { type FeedKey, listFeedColumns } from './queries.ts'
import type { FeedRow } from './rows.ts'

/** A refund without a known purchase. Operators refer to it by its `rowId`. */
export type Orphan = FeedRow & FeedKey & { readonly publisherId: PublisherId }

type OrphanDecision = {
  /** The purchase the refund was assigned to; null if it was dismissed. */
  readonly transactionId: TransactionId | null
  readonly decidedBy: string
  readonly reason: string | null
  readonly decidedAt: Date
}

/** Counts the open orphans, with the age of the oldest. */
export async function countWaitingOrphans(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the refunds of all
      select bought_on::timestamp at time zone 'UTC' as since from feed_rows where is_orphan order by bought_on limit ${limit}`,
  )
}

export async function countOrphans(reader: Reader): Promise<number> {
  // all publishers: one number for the installation
  const [row] = await reader<{ count: number }[]>`select count(*)::int as count from feed_rows where is_orphan`
  return row?.count ?? 0
}

export async function findOrphan(reader: Reader, rowId: string): Promise<Orphan | null> {
  // all publishers: operators pass only the refund's id, not its publisher
  const [row] = await reader<Orphan[]>`
    select publisher_id, user_id, link_id, ${listFeedColumns(reader)} from feed_rows
    where is_orphan and row_id = ${rowId}
    order by user_id
    limit 1`
  return row ?? null
}

export async function findOrphanDecision(reader: Reader, rowId: string): Promise<OrphanDecision | null> {
  // all publishers: operators pass only the refund's id, not its publisher
  const [row] = await reader<OrphanDecision[]>`
    select transaction_id, decided_by, reason, decided_at
    from orphan_decisions where row_id = ${rowId} order by decided_at desc limit 1`
  return row ?? null
}

export async function insertOrphanDecision(
  tx: Tx,
  publisherId: PublisherId,
  { userId, rowId }: { readonly userId: UserId; readonly rowId: string },
  { transactionId, decidedBy, reason, decidedAt }: OrphanDecision,
): Promise<void> {
  await tx`
    insert into orphan_decisions (user_id, row_id, publisher_id, transaction_id, decided_by, reason, decided_at)
    values (${userId}, ${rowId}, ${publisherId}, ${transactionId}, ${decidedBy}, ${reason}, ${decidedAt})`
}
