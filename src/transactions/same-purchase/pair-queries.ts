import { awaitAll, given, type Reader, type Tx } from '../../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { Policy, ReportSource } from './reports.ts'

/** Where to look for other reports; with `isOrder` only for those with an order number. */
export type ReportSearch = {
  readonly userId: UserId
  readonly brandUid: string
  /** FEED and REPORTED are card purchases, of a linked card's feed or not. */
  readonly wanted: ReportSource | 'FEED' | 'REPORTED'
  readonly isOrder: boolean
  readonly fromAt: Date
  readonly untilAt: Date
}

export async function listOtherReports(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly ReportSearch[],
): Promise<TransactionId[]> {
  const found = await awaitAll([
    listReports(reader, publisherId, 'AFFILIATE', searches),
    listReports(reader, publisherId, 'CARD', searches),
    listCardReports(reader, publisherId, searches),
  ])
  return found.flat().map(({ transactionId }) => transactionId)
}

/**
 * Each search is its own index lookup (`offset 0`). The source is part of the text, so that the index of sales is used.
 */
async function listReports(
  reader: Reader,
  publisherId: PublisherId,
  source: ReportSource,
  searches: readonly ReportSearch[],
): Promise<{ transactionId: TransactionId }[]> {
  const wanted = searches.filter((search) => search.wanted === source)
  if (wanted.length === 0) return []
  return reader`
    select t.transaction_id
    from ${given(reader, wanted, {
      ...{ userId: 'uuid', brandUid: 'text', isOrder: 'bool', fromAt: 'timestamptz', untilAt: 'timestamptz' },
    })}
    cross join lateral (
      select transaction_id from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and source = ${source === 'CARD' ? reader`'CARD'` : reader`'AFFILIATE'`} and adjusts is null
        and authorized_at between given.from_at and given.until_at and (order_id is not null or not given.is_order)
      offset 0
    ) as t`
}

/** For users without a feed, one lookup (`limit 1`) that finds nothing. */
async function listCardReports(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly ReportSearch[],
): Promise<{ transactionId: TransactionId }[]> {
  const wanted = searches.flatMap((search) =>
    search.wanted === 'FEED' || search.wanted === 'REPORTED' ? [{ ...search, isFeed: search.wanted === 'FEED' }] : [],
  )
  if (wanted.length === 0) return []
  return reader`
    select t.transaction_id
    from ${given(reader, wanted, {
      ...{ userId: 'uuid', brandUid: 'text', isFeed: 'bool', fromAt: 'timestamptz', untilAt: 'timestamptz' },
    })}
    cross join lateral (select from feed_rows where user_id = given.user_id limit 1) as linked
    cross join lateral (
      select transaction_id from transactions t
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and source = 'CARD' and adjusts is null and authorized_at between given.from_at and given.until_at
        and given.is_feed = exists (
          select from source_events e join feed_rows f on f.user_id = e.user_id and f.external_id = e.external_id
          where e.user_id = t.user_id and e.transaction_id = t.transaction_id)
      offset 0
    ) as t`
}

/** A card purchase and an affiliate sale of one purchase, as stored. */
export type SaleRow = {
  readonly userId: UserId
  readonly cardId: TransactionId
  readonly affiliateId: TransactionId
  /** The publisher's policy at the time of the decision. */
  readonly policy: Policy
  /** The report that earns nothing because the other does. */
  readonly stacked: ReportSource | null
}
/** The publisher's report and the feed's of one card purchase, as stored. */
export type CardRow = {
  readonly userId: UserId
  readonly reportedId: TransactionId
  readonly feedId: TransactionId
  /** What earns nothing because another report does. */
  readonly stacked: 'REPORTED' | 'FEED' | 'BOTH' | null
}
export type PairRows = { readonly sales: readonly SaleRow[]; readonly cards: readonly CardRow[] }

/** The stored pairs of these transactions. */
export async function listPairs(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<PairRows> {
  const [sales, cards] = await awaitAll([
    reader<SaleRow[]>`
      select user_id, card_id, affiliate_id, policy, stacked
      from purchase_pairs
      where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
        and (card_id = any(${ids as TransactionId[]}::uuid[]) or affiliate_id = any(${ids as TransactionId[]}::uuid[]))`,
    reader<CardRow[]>`
      select user_id, reported_id, feed_id, stacked
      from card_pairs
      where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
        and (reported_id = any(${ids as TransactionId[]}::uuid[]) or feed_id = any(${ids as TransactionId[]}::uuid[]))`,
  ])
  return { sales, cards }
}

/** The unique keys guarantee that a report has one partner. */
export async function writePairs(
  tx: Tx,
  publisherId: PublisherId,
  { gone, kept }: { readonly gone: PairRows; readonly kept: PairRows },
  now: Date,
): Promise<void> {
  if (gone.sales.length > 0) {
    await tx`
      delete from purchase_pairs as p
      using ${given(tx, gone.sales, { userId: 'uuid', cardId: 'uuid', affiliateId: 'uuid' })}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.card_id = given.card_id
        and p.affiliate_id = given.affiliate_id`
  }
  if (gone.cards.length > 0) {
    await tx`
      delete from card_pairs as p
      using ${given(tx, gone.cards, { userId: 'uuid', reportedId: 'uuid', feedId: 'uuid' })}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.reported_id = given.reported_id
        and p.feed_id = given.feed_id`
  }
  if (kept.sales.length > 0) {
    await tx`
      insert into purchase_pairs (user_id, card_id, affiliate_id, publisher_id, policy, stacked, since)
      select user_id, card_id, affiliate_id, ${publisherId}, policy, stacked, ${now}
      from ${given(tx, kept.sales, {
        ...{ userId: 'uuid', cardId: 'uuid', affiliateId: 'uuid', policy: 'plain', stacked: 'plain' },
      })}
      on conflict (user_id, card_id) do update set policy = excluded.policy, stacked = excluded.stacked, since = excluded.since`
  }
  if (kept.cards.length > 0) {
    await tx`
      insert into card_pairs (user_id, reported_id, feed_id, publisher_id, stacked, since)
      select user_id, reported_id, feed_id, ${publisherId}, stacked, ${now}
      from ${given(tx, kept.cards, { userId: 'uuid', reportedId: 'uuid', feedId: 'uuid', stacked: 'plain' })}
      on conflict (user_id, reported_id) do update set stacked = excluded.stacked, since = excluded.since`
  }
}
