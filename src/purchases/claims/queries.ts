import {
  asTable,
  listColumns,
  type Reader,
  type SentColumns,
  selectColumns,
  type Tx,
} from '../../platform/db/database.ts'
import { enumField, type Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { dayFilters, equals, type OperatorList, userFilters } from '../../tenants/access/index.ts'
import { nowOfPublisher } from '../../tenants/publishers/index.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import { CLAIM, type Claim, type ClaimId } from './claim.ts'
import { CLAIM_KINDS, CLAIM_STATUSES, type ClaimKind, type ClaimStatus } from './rules.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'claims', CLAIM.columns)}, ${selectPublisherUserId(reader, 'claims')}`

const columnsWithBrand = (reader: Reader) => reader`
  ${columns(reader)}, (select name from brands where brand_uid = claims.brand_uid) as brand_name`

/** Inserts a claim. Returns false if the user already has one with this reference. */
export async function insertClaim(tx: Tx, claim: Claim): Promise<boolean> {
  const { count } = await tx`
    insert into claims ${tx(claim, ...CLAIM.columns)} on conflict (user_id, external_ref) do nothing`
  return count === 1
}

export async function findByRef(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalRef: string,
): Promise<Claim | null> {
  const [row] = await reader<Claim[]>`
    select ${columns(reader)} from claims
    where publisher_id = ${publisherId} and user_id = ${userId} and external_ref = ${externalRef}`
  return row ?? null
}

export type ClaimWithBrand = Claim & { readonly brandName: string | null }

/** Finds a claim of one publisher, or of any publisher if `publisherId` is null. */
export async function findClaim(
  reader: Reader,
  publisherId: PublisherId | null,
  claimId: ClaimId,
): Promise<ClaimWithBrand | null> {
  const [row] = await reader<ClaimWithBrand[]>`
    -- all publishers: all users: an operator names a claim of any by its id, a publisher one of its own
    select ${columnsWithBrand(reader)} from claims
    where claim_id = ${claimId} and (${publisherId}::uuid is null or publisher_id = ${publisherId})`
  return row ?? null
}

/** Locks the claim until the transaction ends, so that the second of two concurrent decisions sees the first. */
export async function lockClaim(tx: Tx, publisherId: PublisherId, claimId: ClaimId): Promise<Claim | null> {
  const [row] = await tx<Claim[]>`
    -- all users: a claim is named by its id
    select ${columns(tx)} from claims where publisher_id = ${publisherId} and claim_id = ${claimId}
    for update`
  return row ?? null
}

/** Locks the claim that is waiting for an adjustment or was granted by it. */
export async function lockClaimByAdjustment(
  tx: Tx,
  publisherId: PublisherId,
  { userId, adjustmentId }: { readonly userId: UserId; readonly adjustmentId: string },
): Promise<Claim | null> {
  const [row] = await tx<Claim[]>`
    select ${columns(tx)} from claims
    where publisher_id = ${publisherId} and user_id = ${userId} and adjustment_id = ${adjustmentId}
    for update`
  return row ?? null
}

/** Locks open claims that are past their deadline and not waiting for an adjustment, in deadline order. */
export async function lockOverdue(tx: Tx, publisherId: PublisherId, now: Date, limit: number): Promise<Claim[]> {
  return tx<Claim[]>`
    -- all users: a deadline is kept for all users of a publisher
    select ${columns(tx)} from claims
    where publisher_id = ${publisherId} and status = 'open' and adjustment_id is null and deadline <= ${now}
    order by deadline, claim_id
    limit ${limit}
    for update`
}

// Columns that change after a claim was opened.
const CHANGING = {
  status: 'plain',
  reason: 'plain',
  reasonText: 'text',
  adjustmentId: 'uuid',
  grantedTransactionId: 'uuid',
  grantedEventIsNew: 'bool',
  decidedBy: 'text',
  version: 'int4',
  updatedAt: 'timestamptz',
  decidedAt: 'timestamptz',
} satisfies SentColumns<Claim>

export async function updateClaims(tx: Tx, publisherId: PublisherId, claims: readonly Claim[]): Promise<void> {
  await tx`
    update claims c set ${listColumns(tx, CHANGING, (name) => `${name} = given.${name}`)}
    from ${asTable(tx, claims, { userId: 'uuid', claimId: 'uuid', ...CHANGING })}
    where c.publisher_id = ${publisherId} and c.user_id = given.user_id and c.claim_id = given.claim_id`
}

export const CLAIM_SORTS = ['created_at', 'deadline'] as const

type ClaimFilter = {
  readonly userId: UserId | null
  readonly status: ClaimStatus | null
  readonly kind: ClaimKind | null
  /** The period in which the claim was opened; `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

export async function listClaims(
  reader: Reader,
  publisherId: PublisherId,
  filter: ClaimFilter,
  paging: Paging<(typeof CLAIM_SORTS)[number]>,
): Promise<Claim[]> {
  const sortable = { created_at: reader`created_at`, deadline: reader`deadline` }
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<Claim[]>`
    -- all users: a publisher lists its own
    select ${columns(reader)} from claims
    where ${conditions(reader, publisherId, filter)}
    ${buildPageClauses(reader, sortable, paging, byDefault, reader`claim_id`)}`
}

export async function countClaims(reader: Reader, publisherId: PublisherId, filter: ClaimFilter): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: a publisher lists its own
    select count(*) as total from claims where ${conditions(reader, publisherId, filter)}`
  return Number(row?.total ?? 0)
}

/** The claims of all publishers, nearest deadline first. */
export const CLAIM_LIST: OperatorList<ClaimWithBrand> = {
  table: 'claims',
  id: 'claimId',
  columns: columnsWithBrand,
  sorts: { deadline: 'instant', '-deadline': 'instant', created_at: 'instant', '-created_at': 'instant' },
  filters: {
    ...userFilters,
    status: equals('status', enumField(CLAIM_STATUSES, 'Defaults to open.'), 'open'),
    kind: { ...equals('kind', enumField(CLAIM_KINDS, 'Only claims of this kind.')), unindexed: true },
    ...dayFilters('created_at', 'First day of opening'),
  },
}

function conditions(reader: Reader, publisherId: PublisherId, { userId, status, kind, from, until }: ClaimFilter) {
  return reader`
    publisher_id = ${publisherId}
    ${userId === null ? reader`` : reader`and user_id = ${userId}`}
    ${status === null ? reader`` : reader`and status = ${status}`}
    ${kind === null ? reader`` : reader`and kind = ${kind}`}
    ${from === null ? reader`` : reader`and created_at >= ${from}`}
    ${until === null ? reader`` : reader`and created_at < ${until}`}`
}

/** Lists publishers with overdue claims to decline, according to each publisher's own clock. */
export async function listOverduePublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  const rows = await reader<{ publisherId: PublisherId }[]>`
    -- all publishers: all users: the worker's round
    select p.publisher_id from publishers p
    where p.moves_at is null and p.claim_default = 'decline' and exists (
      select 1 from claims c
      where c.publisher_id = p.publisher_id and c.status = 'open' and c.adjustment_id is null
        and c.deadline <= ${nowOfPublisher(reader, realNow)})`
  return rows.map((row) => row.publisherId)
}

/** Counts the open claims, with the age of the oldest. */
export async function countWaitingClaims(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the claims of all
      select created_at as since from claims where status = 'open' order by deadline limit ${limit}`,
  )
}

/**
 * Sums the rewards that a person has granted since an instant by reporting new events, across all users. Rewards added
 * after a purchase matured are stored in its adjustments.
 */
export async function sumGrantedByEventsSince(
  reader: Reader,
  publisherId: PublisherId,
  { currency, by, since }: { readonly currency: string; readonly by: string; readonly since: Date },
): Promise<bigint> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: the limit of one person covers all of them
    with granted as (
      select distinct c.user_id, c.granted_transaction_id
      from claims c
      where c.publisher_id = ${publisherId} and c.decided_by = ${by} and c.decided_at >= ${since}
        and c.granted_event_is_new
    )
    select coalesce(sum(t.user_amount + t.user_discount), 0)::int8 as total
    from granted g
    join transactions t on t.user_id = g.user_id
      and (t.transaction_id = g.granted_transaction_id or t.adjusts = g.granted_transaction_id)
    where t.currency = ${currency}`
  return row?.total ?? 0n
}
