import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { enumField } from '../../platform/http/index.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { equals, type OperatorList, userFilters } from '../../tenants/access/index.ts'
import { selectPublisherUserId } from '../users/index.ts'
import { ADJUSTMENT, type Adjustment, type AdjustmentId } from './adjustment.ts'
import { ADJUSTMENT_STATUSES } from './rules.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'adjustments', ADJUSTMENT.columns)}, ${selectPublisherUserId(reader, 'adjustments')}`

export async function insertAdjustment(tx: Tx, adjustment: Adjustment): Promise<void> {
  await tx`insert into adjustments ${tx(adjustment, ...ADJUSTMENT.columns)}`
}

/** Stores the decision. The caller must hold the user's lock. */
export async function markDecided(tx: Tx, { publisherId, userId, adjustmentId, ...row }: Adjustment): Promise<void> {
  await tx`
    update adjustments set status = ${row.status}, decided_by = ${row.decidedBy}, decided_at = ${row.decidedAt}
    where publisher_id = ${publisherId} and user_id = ${userId} and adjustment_id = ${adjustmentId}`
}

/** Finds an adjustment of any publisher, because operators specify only its ID. */
export async function findAdjustment(reader: Reader, adjustmentId: AdjustmentId): Promise<Adjustment | null> {
  const [row] = await reader<Adjustment[]>`
    -- all publishers: all users: an operator names an adjustment by its id
    select ${columns(reader)} from adjustments where adjustment_id = ${adjustmentId}`
  return row ?? null
}

export async function findByRef(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalRef: string,
): Promise<Adjustment | null> {
  const [row] = await reader<Adjustment[]>`
    select ${columns(reader)} from adjustments
    where publisher_id = ${publisherId} and user_id = ${userId} and external_ref = ${externalRef}`
  return row ?? null
}

type GivenAlone = {
  readonly currency: string
  readonly by: string
  readonly since: Date
}

/**
 * Serializes the unapproved adjustments of one operator until the transaction ends. Locking the user would not suffice,
 * because the limit spans all users, so two concurrent adjustments could together exceed it.
 */
export async function lockGiver(
  tx: Tx,
  publisherId: PublisherId,
  { currency, by }: Pick<GivenAlone, 'currency' | 'by'>,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`given:${publisherId}:${currency}:${by}`}, 0))`
}

/** Sums the absolute amounts that a person has booked without approval since an instant, across all users. */
export async function sumBookedAloneSince(
  reader: Reader,
  publisherId: PublisherId,
  { currency, by, since }: GivenAlone,
): Promise<bigint> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: the limit of one person covers all of them
    select coalesce(sum(abs(amount)), 0)::int8 as total from adjustments
    where publisher_id = ${publisherId} and currency = ${currency} and status = 'booked'
      and created_at >= ${since} and proposed_by = ${by} and decided_by = ${by}`
  return row?.total ?? 0n
}

/** All publishers' adjustments, newest first. */
export const ADJUSTMENT_LIST: OperatorList<Adjustment> = {
  table: 'adjustments',
  id: 'adjustmentId',
  columns,
  sorts: { '-created_at': 'instant', created_at: 'instant' },
  filters: {
    ...userFilters,
    status: equals('status', enumField(ADJUSTMENT_STATUSES, 'Only adjustments with this status.')),
  },
}

/** Counts the adjustments awaiting approval and returns when the oldest was proposed. */
export async function countWaitingAdjustments(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the adjustments of all
      select created_at as since from adjustments where status = 'proposed' order by created_at limit ${limit}`,
  )
}
