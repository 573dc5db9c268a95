import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { addToListCounts, readListCount } from '../../platform/db/list-counts.ts'
import { enumField, type Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { equals, type OperatorList, publisherFilter } from '../../tenants/access/index.ts'
import type { Environment, PayoutMethod, Publisher } from '../../tenants/publishers/index.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import { type PayoutFileId, REDEMPTION, type Redemption, type RedemptionId } from './redemption.ts'
import { type RedemptionStatus, STATUSES, type UsedToday } from './rules.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'redemptions', REDEMPTION.columns)}, ${selectPublisherUserId(reader, 'redemptions')}`

const operatorColumns = (reader: Reader) => reader`
  ${columns(reader)},
  (select p.environment from publishers p where p.publisher_id = redemptions.publisher_id) as environment`

/** Lists the publisher's redemptions with these IDs, ordered by ID. */
export async function listRedemptionsById(
  reader: Reader,
  publisherId: PublisherId,
  redemptionIds: readonly RedemptionId[],
): Promise<Redemption[]> {
  return reader<Redemption[]>`
    -- all users: a publisher names its redemptions by their ids
    select ${columns(reader)} from redemptions
    where publisher_id = ${publisherId} and redemption_id = any(${redemptionIds as RedemptionId[]}::uuid[])
    order by redemption_id`
}

export async function findByRef(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalRef: string,
): Promise<Redemption | null> {
  const [row] = await reader<Redemption[]>`
    select ${columns(reader)} from redemptions
    where publisher_id = ${publisherId} and user_id = ${userId} and external_ref = ${externalRef}`
  return row ?? null
}

/**
 * Returns what the user has redeemed since a given time: the sum in one currency and the count across all currencies.
 * Excludes redemptions that were not paid out or were returned.
 */
export async function readUsedSince(
  reader: Reader,
  publisherId: PublisherId,
  { userId, currency, since }: { readonly userId: UserId; readonly currency: string; readonly since: Date },
): Promise<UsedToday> {
  const [row] = await reader<{ amount: bigint; count: number }[]>`
    select coalesce(sum(amount) filter (where currency = ${currency}), 0)::int8 as amount, count(*)::int as count
    from redemptions
    where publisher_id = ${publisherId} and user_id = ${userId} and created_at >= ${since}
      and status in ('requested', 'approved', 'sent', 'paid')`
  return row ?? { amount: 0n, count: 0 }
}

export async function insertRedemptions(
  tx: Tx,
  publisherId: PublisherId,
  redemptions: readonly Redemption[],
): Promise<void> {
  await tx`
    insert into redemptions (user_id, redemption_id, publisher_id, external_ref, method, destination_id, offer_uid, currency,
      amount, status, approvals_needed, version, created_at, updated_at)
    select user_id, redemption_id, ${publisherId}, external_ref, method, destination_id, offer_uid, currency,
      amount, status, approvals_needed, version, created_at, updated_at
    from ${asTable(tx, redemptions, {
      userId: 'uuid',
      redemptionId: 'uuid',
      externalRef: 'text',
      method: 'plain',
      destinationId: 'uuid',
      offerUid: 'text',
      currency: 'plain',
      amount: 'int8',
      status: 'plain',
      approvalsNeeded: 'int2',
      version: 'int4',
      createdAt: 'timestamptz',
      updatedAt: 'timestamptz',
    })}`
}

export async function updateRedemptions(
  tx: Tx,
  publisherId: PublisherId,
  redemptions: readonly Redemption[],
): Promise<void> {
  await tx`
    update redemptions r set
      status = given.status, reason = given.reason, reason_code = given.reason_code, reason_text = given.reason_text,
      payout_reference = given.payout_reference, file_id = given.file_id, version = given.version,
      updated_at = given.updated_at
    from ${asTable(tx, redemptions, {
      userId: 'uuid',
      redemptionId: 'uuid',
      status: 'plain',
      reason: 'plain',
      reasonCode: 'text',
      reasonText: 'text',
      payoutReference: 'text',
      fileId: 'uuid',
      version: 'int4',
      updatedAt: 'timestamptz',
    })}
    where r.publisher_id = ${publisherId} and r.user_id = given.user_id and r.redemption_id = given.redemption_id`
}

export type RedemptionStep = Pick<Redemption, 'userId' | 'redemptionId' | 'version' | 'status'> & {
  /** Who caused the status: `publisher`, `laurel`, `bank` or an operator. */
  readonly actor: string
  readonly at: Date
}

export async function insertSteps(tx: Tx, publisherId: PublisherId, steps: readonly RedemptionStep[]): Promise<void> {
  await tx`
    insert into redemption_steps (user_id, redemption_id, version, publisher_id, status, actor, at)
    select user_id, redemption_id, version, ${publisherId}, status, actor, at
    from ${asTable(tx, steps, {
      userId: 'uuid',
      redemptionId: 'uuid',
      version: 'int4',
      status: 'plain',
      actor: 'text',
      at: 'timestamptz',
    })}`
}

export async function listSteps(
  reader: Reader,
  { publisherId, userId, redemptionId }: Redemption,
): Promise<RedemptionStep[]> {
  return reader<RedemptionStep[]>`
    select user_id, redemption_id, version, status, actor, at from redemption_steps
    where publisher_id = ${publisherId} and user_id = ${userId} and redemption_id = ${redemptionId}
    order by version`
}

/** Stores an approval. Returns everyone who has approved so far, or null if this person had already approved. */
export async function insertApproval(
  tx: Tx,
  { publisherId, userId, redemptionId }: Redemption,
  approver: string,
  at: Date,
): Promise<string[] | null> {
  const { count } = await tx`
    insert into redemption_approvals (user_id, redemption_id, approver, publisher_id, at)
    values (${userId}, ${redemptionId}, ${approver}, ${publisherId}, ${at})
    on conflict do nothing`
  if (count === 0) return null
  const rows = await tx<{ approver: string }[]>`
    select approver from redemption_approvals
    where publisher_id = ${publisherId} and user_id = ${userId} and redemption_id = ${redemptionId}`
  return rows.map((row) => row.approver)
}

export const REDEMPTION_SORTS = ['created_at', 'amount', 'redemption_id'] as const

type RedemptionFilter = {
  readonly userId: UserId | null
  readonly status: RedemptionStatus | null
  readonly method: PayoutMethod | null
  readonly externalRef: string | null
  /** The creation time: `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

export async function listRedemptions(
  reader: Reader,
  publisherId: PublisherId,
  filter: RedemptionFilter,
  paging: Paging<(typeof REDEMPTION_SORTS)[number]>,
): Promise<Redemption[]> {
  const sorts = { created_at: reader`created_at`, amount: reader`amount`, redemption_id: reader`redemption_id` }
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<Redemption[]>`
    -- all users: a publisher lists its own
    select ${columns(reader)} from redemptions
    where ${conditions(reader, publisherId, filter)}
    ${buildPageClauses(reader, sorts, paging, byDefault, reader`redemption_id`)}`
}

/** Counts redemptions, using stored counts if they are filtered only by status or not at all. */
export async function countRedemptions(
  reader: Reader,
  publisherId: PublisherId,
  { status, ...others }: RedemptionFilter,
): Promise<number> {
  if (Object.values(others).every((value) => value === null)) {
    const statuses = status === null ? STATUSES : [status]
    const counts = await Promise.all(statuses.map((one) => readListCount(reader, publisherId, toListName(one))))
    return counts.reduce((all, one) => all + one)
  }
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: a publisher lists its own
    select count(*) as total from redemptions where ${conditions(reader, publisherId, { status, ...others })}`
  return Number(row?.total ?? 0)
}

/** Updates the stored counts by status. */
export async function countChanges(
  tx: Tx,
  publisherId: PublisherId,
  changes: readonly { readonly before: RedemptionStatus | null; readonly after: RedemptionStatus }[],
): Promise<void> {
  const deltas = new Map<string, number>()
  const add = (status: RedemptionStatus, delta: number): unknown =>
    deltas.set(toListName(status), (deltas.get(toListName(status)) ?? 0) + delta)
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1)
    add(after, 1)
  }
  await addToListCounts(tx, publisherId, deltas)
}

function toListName(status: RedemptionStatus): string {
  return `redemptions/${status}`
}

function conditions(reader: Reader, publisherId: PublisherId, filter: RedemptionFilter) {
  const { userId, status, method, externalRef, from, until } = filter
  return reader`
    publisher_id = ${publisherId}
    ${userId === null ? reader`` : reader`and user_id = ${userId}`}
    ${status === null ? reader`` : reader`and status = ${status}`}
    ${method === null ? reader`` : reader`and method = ${method}`}
    ${externalRef === null ? reader`` : reader`and external_ref = ${externalRef}`}
    ${from === null ? reader`` : reader`and created_at >= ${from}`}
    ${until === null ? reader`` : reader`and created_at < ${until}`}`
}

/** All publishers' open redemptions, oldest first. */
export const OPEN_REDEMPTIONS: OperatorList<OpenRedemption> = {
  table: 'redemptions',
  id: 'redemptionId',
  columns: operatorColumns,
  sorts: { created_at: 'instant', '-created_at': 'instant' },
  filters: {
    ...publisherFilter,
    status: equals(
      'status',
      enumField(['requested', 'approved', 'sent'], 'Defaults to requested: redemptions waiting for approval.'),
      'requested',
    ),
  },
}

/** A redemption as operators see it. */
export type OpenRedemption = Redemption & { readonly environment: Environment }

/** Finds a redemption of any publisher. Operators provide only the redemption's ID. */
export async function findForOperators(reader: Reader, redemptionId: RedemptionId): Promise<OpenRedemption | null> {
  const [row] = await reader<OpenRedemption[]>`
    -- all publishers: all users: an operator names a redemption by its id
    select ${operatorColumns(reader)} from redemptions where redemption_id = ${redemptionId}`
  return row ?? null
}

/** Counts the redemptions that await approval, and returns when the oldest was requested. */
export async function countWaitingRedemptions(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the redemptions of all
      select created_at as since from redemptions where status = 'requested' order by created_at limit ${limit}`,
  )
}

/** Returns, for each environment and open status, when the longest-waiting redemption last changed. */
export async function listOldestOpen(
  reader: Reader,
): Promise<{ environment: Publisher['environment']; status: RedemptionStatus; since: Date }[]> {
  return reader`
    -- all publishers: all users: totals for metrics
    select p.environment, redemptions.status, min(redemptions.updated_at) as since
    from redemptions join publishers p using (publisher_id)
    where redemptions.status in ('requested', 'approved', 'sent')
    group by p.environment, redemptions.status`
}

/**
 * Lists redemptions waiting to be paid by file: first those to destinations of the given kinds, then all others, each
 * group oldest first.
 */
export async function listPayable(
  reader: Reader,
  publisherId: PublisherId,
  currency: string,
  kinds: readonly string[],
  limit: number,
): Promise<Redemption[]> {
  return reader<Redemption[]>`
    -- all users: a file pays users of one publisher
    select ${columns(reader)}
    from redemptions
    join payout_destinations d
      on d.user_id = redemptions.user_id and d.destination_id = redemptions.destination_id
    where redemptions.publisher_id = ${publisherId} and status = 'approved' and method = 'file' and currency = ${currency}
    order by d.kind = any(${kinds as string[]}::text[]) desc, redemptions.created_at, redemptions.redemption_id
    limit ${limit}`
}

export async function listOfFile(
  reader: Reader,
  publisherId: PublisherId,
  fileId: PayoutFileId,
): Promise<Redemption[]> {
  return reader<Redemption[]>`
    -- all users: a file pays users of one publisher
    select ${columns(reader)} from redemptions
    where publisher_id = ${publisherId} and file_id = ${fileId}
    order by redemption_id`
}
