import type { Day } from '../../../platform/calendar.ts'
import type { asTable, Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import type { CardId } from '../../../sources/cards/index.ts'
import { nowOfPublisher } from '../../../tenants/publishers/index.ts'
import type { Item } from '../item-queries.ts'
import type { FeedRow } from './rows.ts'

/** Identifies the feed of an item. */
export type FeedKey = Pick<Item, 'userId' | 'linkId' | 'generation'>

export const listFeedColumns = (reader: Reader) => reader`
  row_id, generation, card_id, account_id, external_id,
  handed_as, refund_of, amount, peak_amount, currency, bought_on,
  occurred_at, merchant_keys, content_hash, revision,
  replaced_by, waits_until, removed, is_orphan`

function listWhere(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  condition: ReturnType<typeof asTable>,
): Promise<FeedRow[]> {
  return reader<FeedRow[]>`
    select ${listFeedColumns(reader)} from feed_rows
    where user_id = ${userId} and publisher_id = ${publisherId} and ${condition}
    order by bought_on, row_id`
}

/** Lists these rows and the rows that have replaced them since. */
export async function listRows(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  rowIds: readonly string[],
): Promise<FeedRow[]> {
  return reader<FeedRow[]>`
    with recursive named (id) as (
      select unnest(${rowIds as string[]}::text[])
      union
      select replaced_by from named join feed_rows on row_id = id and user_id = ${userId}
      where publisher_id = ${publisherId} and replaced_by is not null
    )
    select ${listFeedColumns(reader)} from feed_rows
    where user_id = ${userId} and publisher_id = ${publisherId} and row_id in (select id from named)`
}

/**
 * Lists stored rows of these days that an update may continue: holds, and rows that have vanished or have ids no longer
 * in use. Includes rows of accounts missing from the update, because such an account id may no longer be in use.
 */
export function listContinued(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId, generation }: FeedKey,
  days: { readonly from: Day; readonly to: Day },
  { accountIds, formerCards }: { readonly accountIds: readonly string[]; readonly formerCards: readonly CardId[] },
): Promise<FeedRow[]> {
  const condition = reader`
    (link_id = ${linkId} or card_id = any(${formerCards as CardId[]}::uuid[]))
      and bought_on between ${days.from} and ${days.to} and handed_as is not null and replaced_by is null
      and (link_id <> ${linkId} or handed_as = 'AUTHORIZATION' or waits_until is not null or removed
        or generation < ${generation}
        or account_id <> all(${accountIds as string[]}::text[]))`
  return listWhere(reader, publisherId, userId, condition)
}

/** Lists purchases from these merchants since a day, with their refunds. */
export function listPurchases(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: FeedKey,
  merchantKeys: readonly string[],
  since: Day,
): Promise<FeedRow[]> {
  const condition = reader`
    link_id = ${linkId} and bought_on >= ${since} and merchant_keys && ${merchantKeys as string[]}::text[]
      and handed_as in ('CLEARING', 'REFUND') and replaced_by is null and not removed`
  return listWhere(reader, publisherId, userId, condition)
}

/** Lists the posted purchases of these source events. Those not reversed come first. */
export async function listCleared(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalIds: readonly string[],
): Promise<FeedRow[]> {
  const condition = reader`
    external_id = any(${externalIds as string[]}::text[]) and handed_as = 'CLEARING' and replaced_by is null`
  const rows = await listWhere(reader, publisherId, userId, condition)
  return rows.toSorted((a, b) => Number(a.removed) - Number(b.removed))
}

/** Lists the link's refunds without a known purchase. */
export function listOpenOrphans(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: FeedKey,
): Promise<FeedRow[]> {
  const condition = reader`link_id = ${linkId} and is_orphan and replaced_by is null and not removed`
  return listWhere(reader, publisherId, userId, condition)
}

export type DueFeed = FeedKey & { readonly publisherId: PublisherId }

/** Lists feeds with rows that have waited long enough by their publisher's clock, longest overdue first. */
export async function listDueFeeds(
  reader: Reader,
  publisherId: PublisherId | null,
  realNow: Date,
  limit: number,
): Promise<DueFeed[]> {
  // all publishers: the worker takes all due work
  return reader<DueFeed[]>`
    select f.publisher_id, f.user_id, f.link_id, max(f.generation) as generation
    from publishers p
    join feed_rows f on f.publisher_id = p.publisher_id
      and f.waits_until <= ${nowOfPublisher(reader, realNow)}
    ${publisherId === null ? reader`` : reader`where p.publisher_id = ${publisherId}`}
    group by f.publisher_id, f.user_id, f.link_id
    order by min(f.waits_until), f.user_id, f.link_id
    limit ${limit}`
}

/** Lists the rows of a feed that have waited long enough. */
export function listExpired(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: FeedKey,
  now: Date,
): Promise<FeedRow[]> {
  const condition = reader`link_id = ${linkId} and waits_until <= ${now} and replaced_by is null`
  return listWhere(reader, publisherId, userId, condition)
}

/**
 * Lists the ids of rows that the bank still showed when last read, starting at a given day: the item's own rows, and
 * rows of earlier items on these cards.
 */
export async function listShown(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId, generation }: FeedKey,
  cardIds: readonly CardId[],
  since: Day,
): Promise<string[]> {
  const rows = await reader<{ rowId: string }[]>`
    select row_id from feed_rows
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
      and (generation = ${generation} or card_id = any(${cardIds as CardId[]}::uuid[]))
      and bought_on >= ${since} and replaced_by is null and waits_until is null and not removed
    order by row_id`
  return rows.map((row) => row.rowId)
}

/** Moves the rows of these cards to the login that now has the cards, as rows of an earlier item of that login. */
export async function moveRows(
  tx: Tx,
  publisherId: PublisherId,
  { userId, linkId }: Pick<FeedKey, 'userId' | 'linkId'>,
  cardIds: readonly CardId[],
): Promise<void> {
  await tx`
    update feed_rows set link_id = ${linkId}, generation = 0
    where user_id = ${userId} and publisher_id = ${publisherId} and card_id = any(${cardIds as CardId[]}::uuid[])
      and link_id <> ${linkId}`
}

export async function upsertRows(
  tx: Tx,
  publisherId: PublisherId,
  { userId, linkId }: Pick<FeedKey, 'userId' | 'linkId'>,
  rows: readonly FeedRow[],
): Promise<void> {
  const given = rows.map((row) => toColumns({ ...row, userId, publisherId, linkId }))
  await tx`
    insert into feed_rows
    select given.* from json_populate_recordset(null::feed_rows, ${JSON.stringify(given)}::text::json) as given
    on conflict (user_id, row_id) do update set
      link_id = excluded.link_id, generation = excluded.generation, card_id = excluded.card_id, account_id = excluded.account_id,
      handed_as = excluded.handed_as, amount = excluded.amount, peak_amount = excluded.peak_amount,
      currency = excluded.currency, bought_on = excluded.bought_on, occurred_at = excluded.occurred_at,
      merchant_keys = excluded.merchant_keys, content_hash = excluded.content_hash, external_id = excluded.external_id,
      refund_of = excluded.refund_of, revision = excluded.revision, replaced_by = excluded.replaced_by,
      waits_until = excluded.waits_until, removed = excluded.removed,
      -- A refund that an operator dismissed stays dismissed when the bank removes it and shows it again.
      is_orphan = excluded.is_orphan and not exists (
        select 1 from orphan_decisions d
        where d.publisher_id = ${publisherId} and d.user_id = excluded.user_id and d.row_id = excluded.row_id
          and d.transaction_id is null)
    where feed_rows.publisher_id = excluded.publisher_id`
}

/** Converts a row to JSON for json_populate_recordset, keyed by column name. */
function toColumns(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), toJson(value)]))
}

function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
