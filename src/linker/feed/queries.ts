import type { LinkId } from '../../cards/index.ts'
import type { Day } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { FeedRow } from './rows.ts'

const columns = (reader: Reader) => reader`
  row_id as "rowId", generation, card_id as "cardId", external_id as "externalId", handed_as as "handedAs",
  refund_of as "refundOf", amount, peak_amount as "peakAmount", currency, bought_on as "boughtOn", occurred_at as "occurredAt",
  merchant, content_hash as "contentHash", revision, superseded, removed`

export async function listRows(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  rowIds: readonly string[],
): Promise<FeedRow[]> {
  return reader<FeedRow[]>`
    select ${columns(reader)} from feed_rows
    where user_id = ${userId} and publisher_id = ${publisherId} and row_id = any(${rowIds as string[]}::text[])`
}

/** Live rows of earlier items of the link on these days that no row of a later item has taken yet. */
export async function listOlderRows(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId, generation }: { readonly userId: UserId; readonly linkId: LinkId; readonly generation: number },
  days: readonly Day[],
): Promise<FeedRow[]> {
  return reader<FeedRow[]>`
    select ${columns(reader)} from feed_rows older
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId} and generation < ${generation}
      and bought_on = any(${days as Day[]}::date[]) and handed_as is not null and not superseded and not removed
      and not exists (
        select 1 from feed_rows later
        where later.user_id = older.user_id and later.link_id = older.link_id and later.generation > older.generation
          and later.external_id = older.external_id)
    order by generation desc, row_id`
}

/** Purchases at these merchants since a day, and what was refunded of them. */
export async function listPurchases(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: { readonly userId: UserId; readonly linkId: LinkId },
  merchants: readonly string[],
  since: Day,
): Promise<FeedRow[]> {
  return reader<FeedRow[]>`
    select ${columns(reader)} from feed_rows
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId} and bought_on >= ${since}
      and merchant = any(${merchants as string[]}::text[]) and handed_as in ('CLEARING', 'REFUND') and not removed
    order by bought_on, row_id`
}

export async function upsertRows(
  tx: Tx,
  publisherId: PublisherId,
  { userId, linkId }: { readonly userId: UserId; readonly linkId: LinkId },
  rows: readonly FeedRow[],
): Promise<void> {
  const given = rows.map((row) => ({
    user_id: userId,
    row_id: row.rowId,
    publisher_id: publisherId,
    link_id: linkId,
    generation: row.generation,
    card_id: row.cardId,
    external_id: row.externalId,
    handed_as: row.handedAs,
    refund_of: row.refundOf,
    amount: String(row.amount),
    peak_amount: String(row.peakAmount),
    currency: row.currency,
    bought_on: row.boughtOn,
    occurred_at: row.occurredAt,
    merchant: row.merchant,
    content_hash: `\\x${row.contentHash.toString('hex')}`,
    revision: row.revision,
    superseded: row.superseded,
    removed: row.removed,
  }))
  await tx`
    insert into feed_rows
    select given.* from json_populate_recordset(null::feed_rows, ${JSON.stringify(given)}::text::json) as given
    on conflict (user_id, row_id) do update set
      handed_as = excluded.handed_as, amount = excluded.amount, peak_amount = excluded.peak_amount,
      currency = excluded.currency, bought_on = excluded.bought_on, occurred_at = excluded.occurred_at,
      merchant = excluded.merchant, content_hash = excluded.content_hash, external_id = excluded.external_id,
      refund_of = excluded.refund_of, revision = excluded.revision, superseded = excluded.superseded,
      removed = excluded.removed
    where feed_rows.publisher_id = excluded.publisher_id`
}
