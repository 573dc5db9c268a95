import { compare } from '../../platform/compare.ts'
import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { enumField, type Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { type OperatorList, publisherFilter } from '../../tenants/access/index.ts'
import { OPERATOR_REVIEW, REVIEW_STATUSES, type Review, type ReviewId } from './review.ts'

/** Enough to recognize the kind of purchase. */
export const SAMPLES_MAX = 5

type Proposal = 'reviewId' | 'template' | 'proposedUid' | 'score' | 'method' | 'evidence' | 'runnerUp'
type Counted = 'purchases' | 'samples' | 'firstSeenAt' | 'lastSeenAt'
export type ReviewDraft = Pick<Review, Proposal | Counted>

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'review_items', OPERATOR_REVIEW.columns)},
  case when review_items.decided_at is null then 'OPEN' else 'DECIDED' end as status,
  (select p.name from publishers p where p.publisher_id = review_items.publisher_id) as publisher_name,
  (select b.name from brands b where b.brand_uid = review_items.proposed_uid) as proposed_name,
  (select b.name from brands b where b.brand_uid = review_items.runner_up ->> 'brandUid') as runner_up_name,
  (select b.name from brands b where b.brand_uid = review_items.brand_uid) as brand_name,
  exists (
    select 1 from match_aliases a
    where a.key = review_items.template and a.publisher_id is null and a.revoked_at is null
      and review_items.decided_at is not null and a.brand_uid is not distinct from review_items.brand_uid
  ) as is_for_all`

/**
 * Opens or updates reviews, sorted by template so that concurrent batches lock rows in the same order. Skips templates
 * that already have an answer, which this process might not have loaded yet.
 */
export async function upsertReviews(
  tx: Tx,
  publisherId: PublisherId,
  drafts: readonly ReviewDraft[],
  now: Date,
): Promise<void> {
  const sorted = drafts.toSorted((a, b) => compare(a.template, b.template))
  await tx`
    with given as materialized (
      select * from ${asTable(tx, sorted, {
        reviewId: 'uuid',
        template: 'text',
        proposedUid: 'text',
        score: 'float8',
        method: 'plain',
        evidence: 'jsonb',
        runnerUp: 'jsonb',
        purchases: 'int4',
        samples: 'jsonb',
        firstSeenAt: 'timestamptz',
        lastSeenAt: 'timestamptz',
      })}
    )
    insert into review_items as r (review_id, publisher_id, template, proposed_uid, score, method, evidence, runner_up,
      purchases, samples, first_seen_at, last_seen_at)
    select review_id, ${publisherId}, template, proposed_uid, score, method, evidence, runner_up, greatest(purchases, 1),
      array(select jsonb_array_elements_text(samples)::uuid), least(first_seen_at, ${now}), least(last_seen_at, ${now})
    from given
    where not exists (
      select 1 from match_aliases a
      where a.key = given.template and a.revoked_at is null and (a.publisher_id = ${publisherId} or a.publisher_id is null))
    on conflict (publisher_id, template) where decided_at is null do update set
      proposed_uid = excluded.proposed_uid, score = excluded.score, method = excluded.method, evidence = excluded.evidence,
      runner_up = excluded.runner_up,
      purchases = r.purchases + (select given.purchases from given where given.template = excluded.template),
      samples = (
        select array_agg(distinct sample) from (
          select unnest(r.samples || excluded.samples) as sample limit ${SAMPLES_MAX}
        ) as few),
      first_seen_at = least(r.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(r.last_seen_at, excluded.last_seen_at)`
}

type ReviewFilter = {
  readonly isOpen: boolean
  /** Null for all publishers. */
  readonly publisherId: PublisherId | null
}

export async function listReviews(
  reader: Reader,
  filter: ReviewFilter,
  paging: Paging<'last_seen_at' | 'purchases'>,
): Promise<Review[]> {
  const sortable = { last_seen_at: reader`last_seen_at`, purchases: reader`purchases` }
  const page = buildPageClauses(
    reader,
    sortable,
    paging,
    { field: 'last_seen_at', descending: true },
    reader`review_id`,
  )
  // all publishers: filtered by the condition
  return reader<Review[]>`
    select ${columns(reader)} from review_items
    where ${condition(reader, filter)}
    ${page}`
}

export async function countReviews(reader: Reader, filter: ReviewFilter): Promise<number> {
  // all publishers: filtered by the condition
  const [row] = await reader<{ total: bigint }[]>`
    select count(*) as total from review_items where ${condition(reader, filter)}`
  return Number(row?.total ?? 0)
}

/** The reviews of all publishers, most recently seen first. */
export const REVIEW_LIST: OperatorList<Review> = {
  table: 'review_items',
  id: 'reviewId',
  columns,
  sorts: { '-last_seen_at': 'instant', last_seen_at: 'instant', '-purchases': 'integer', purchases: 'integer' },
  filters: {
    publisher_id: { ...publisherFilter.publisher_id, unindexed: true },
    status: {
      parameter: enumField(REVIEW_STATUSES, 'Defaults to open reviews.'),
      defaultValue: 'OPEN',
      where: (reader, _table, status: Review['status']) =>
        reader`(review_items.decided_at is null) = ${status === 'OPEN'}`,
    },
  },
}

/** Counts the open reviews and returns when the oldest one was first seen. */
export async function countWaitingReviews(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: operators look after the reviews of all
      select first_seen_at as since from review_items where decided_at is null order by first_seen_at limit ${limit}`,
  )
}

// all publishers: operators may omit the publisher
function condition(reader: Reader, { isOpen, publisherId }: ReviewFilter) {
  return reader`
    ${publisherId === null ? reader`true` : reader`publisher_id = ${publisherId}`}
    and ${isOpen ? reader`decided_at is null` : reader`decided_at is not null`}`
}

/**
 * Finds a review of one publisher, or of any publisher if `publisherId` is null. If `isLocked` is set, locks the row
 * until the end of the transaction, so that the second of two concurrent decisions sees the first.
 */
export async function findReview(
  reader: Reader,
  publisherId: PublisherId | null,
  reviewId: ReviewId,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<Review | null> {
  const [row] = await reader<Review[]>`
    select ${columns(reader)} from review_items
    where review_id = ${reviewId} and (${publisherId}::uuid is null or publisher_id = ${publisherId})
    ${isLocked ? reader`for update` : reader``}`
  return row ?? null
}

type Closing = {
  readonly template: string
  readonly brandUid: string | null
  readonly aliasUid: string
  readonly by: string
  readonly now: Date
}

/** Closes the open reviews of this template for one publisher, or for all if `publisherId` is null. */
export async function closeReviews(
  tx: Tx,
  publisherId: PublisherId | null,
  { template, brandUid, aliasUid, by, now }: Closing,
): Promise<Review[]> {
  return tx<Review[]>`
    update review_items set decided_at = ${now}, decided_by = ${by}, brand_uid = ${brandUid}, alias_uid = ${aliasUid}
    where template = ${template} and decided_at is null and (${publisherId}::uuid is null or publisher_id = ${publisherId})
    returning ${columns(tx)}`
}

/**
 * Lists a template's open reviews, those with the most purchases first. An answer for all publishers closes all of
 * them.
 */
export async function listAlike(reader: Reader, template: string): Promise<Review[]> {
  return reader<Review[]>`
    -- all publishers: an answer may be for all of them
    select ${columns(reader)} from review_items
    where template = ${template} and decided_at is null
    order by purchases desc, review_id`
}

/**
 * Reopens reviews that these aliases closed: at most one per publisher, and none if the publisher already has another
 * open review of the template.
 */
export async function reopenReviews(tx: Tx, aliasUids: readonly string[]): Promise<Review[]> {
  // all publishers: one answer may have closed reviews of several publishers
  return tx<Review[]>`
    update review_items set decided_at = null, decided_by = null, brand_uid = null, alias_uid = null
    where review_id in (
      select distinct on (publisher_id) review_id from review_items
      where alias_uid = any(${aliasUids as string[]}::uuid[])
      order by publisher_id, last_seen_at desc, review_id
    ) and not exists (
      select 1 from review_items twin
      where twin.publisher_id = review_items.publisher_id and twin.template = review_items.template and twin.decided_at is null)
    returning ${columns(tx)}`
}
