import { awaitAll, given, plainArray, type Reader, type Tx } from '../../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { Policy, ReportSource } from './pairs.ts'

/** Where the other side of a purchase may be: from until, or within the wider reach of a purchase that has an order number. */
export type Search = {
  readonly userId: UserId
  readonly brandUid: string
  readonly wanted: ReportSource
  readonly fromAt: Date
  readonly untilAt: Date
  readonly ordersFrom: Date
  readonly ordersUntil: Date
}
type Found = { readonly transactionId: TransactionId }

export async function listOtherReports(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly Search[],
): Promise<TransactionId[]> {
  const [sales, cards] = [ofSource('AFFILIATE'), ofSource('CARD')]
  function ofSource(source: ReportSource): readonly Search[] {
    return searches.filter(({ wanted }) => wanted === source)
  }
  const found = await awaitAll([
    sales.length === 0 ? Promise.resolve([]) : listSales(reader, publisherId, sales),
    cards.length === 0 ? Promise.resolve([]) : listCardPurchases(reader, publisherId, cards),
  ])
  return found.flat().map(({ transactionId }) => transactionId)
}

// Each search is looked up on its own (offset 0 keeps it so), and the source is written out, so that the index of sales serves.

function listSales(reader: Reader, publisherId: PublisherId, searches: readonly Search[]) {
  return reader<Found[]>`
    select t.transaction_id
    from ${givenSearches(reader, searches)}
    cross join lateral (
      select transaction_id from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and source = 'AFFILIATE' and adjusts is null
        and authorized_at between given.orders_from and given.orders_until
        and (order_id is not null or authorized_at between given.from_at and given.until_at)
      offset 0
    ) as t`
}

function listCardPurchases(reader: Reader, publisherId: PublisherId, searches: readonly Search[]) {
  return reader<Found[]>`
    select t.transaction_id
    from ${givenSearches(reader, searches)}
    cross join lateral (
      select transaction_id from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and source = 'CARD' and adjusts is null
        and authorized_at between given.orders_from and given.orders_until
        and (order_id is not null or authorized_at between given.from_at and given.until_at)
      offset 0
    ) as t`
}

const givenSearches = (reader: Reader, searches: readonly Search[]) =>
  given(reader, searches, {
    ...{ userId: 'uuid', brandUid: 'text', fromAt: 'timestamptz', untilAt: 'timestamptz' },
    ...{ ordersFrom: 'timestamptz', ordersUntil: 'timestamptz' },
  })

/** Two reports of one purchase, as they are stored. */
export type PairRow = {
  readonly userId: UserId
  readonly cardId: TransactionId
  readonly affiliateId: TransactionId
  /** The publisher's when it was decided. */
  readonly policy: Policy
  /** The side that earns nothing because the other does. */
  readonly stacked: ReportSource | null
}

export async function listPairs(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<PairRow[]> {
  return reader<PairRow[]>`
    select user_id, card_id, affiliate_id, policy, stacked
    from purchase_pairs
    where publisher_id = ${publisherId} and user_id = any(${plainArray(userIds)}::text::uuid[])
      and (card_id = any(${plainArray(ids)}::text::uuid[]) or affiliate_id = any(${plainArray(ids)}::text::uuid[]))`
}

/** The keys refuse a second partner even if all else failed. */
export async function writePairs(
  tx: Tx,
  publisherId: PublisherId,
  { gone, kept }: { readonly gone: readonly PairRow[]; readonly kept: readonly PairRow[] },
  now: Date,
): Promise<void> {
  if (gone.length > 0) {
    await tx`
      delete from purchase_pairs as p
      using ${given(tx, gone, { userId: 'uuid', cardId: 'uuid', affiliateId: 'uuid' })}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.card_id = given.card_id
        and p.affiliate_id = given.affiliate_id`
  }
  if (kept.length > 0) {
    await tx`
      insert into purchase_pairs (user_id, card_id, affiliate_id, publisher_id, policy, stacked, since)
      select user_id, card_id, affiliate_id, ${publisherId}, policy, stacked, ${now}
      from ${given(tx, kept, {
        ...{ userId: 'uuid', cardId: 'uuid', affiliateId: 'uuid', policy: 'plain', stacked: 'plain' },
      })}
      on conflict (user_id, card_id) do update set policy = excluded.policy, stacked = excluded.stacked, since = excluded.since`
  }
}
