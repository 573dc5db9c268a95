import { plainArray, type Reader, type Tx, together } from '../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../platform/ids.ts'
import type { Policy, SeenBy } from './stacking.ts'

/** Where the other side of a purchase may be: from until, or within the wider reach of a purchase that has an order number. */
export type Search = {
  readonly userId: UserId
  readonly brandUid: string
  readonly looksFor: SeenBy
  readonly from: Date
  readonly until: Date
  readonly ordersFrom: Date
  readonly ordersUntil: Date
}
type Found = { readonly transactionId: TransactionId }

export async function listOtherSides(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly Search[],
): Promise<TransactionId[]> {
  const [sales, cards] = [ofSource('AFFILIATE'), ofSource('CARD')]
  function ofSource(source: SeenBy): readonly Search[] {
    return searches.filter(({ looksFor }) => looksFor === source)
  }
  const found = await together([
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

const givenSearches = (reader: Reader, searches: readonly Search[]) => {
  const instants = (pick: (search: Search) => Date): string =>
    plainArray(searches.map((one) => pick(one).toISOString()))
  return reader`
    unnest(
      ${plainArray(searches.map((one) => one.userId))}::text::uuid[], ${searches.map((one) => one.brandUid)}::text[],
      ${instants((one) => one.from)}::text::timestamptz[], ${instants((one) => one.until)}::text::timestamptz[],
      ${instants((one) => one.ordersFrom)}::text::timestamptz[], ${instants((one) => one.ordersUntil)}::text::timestamptz[]
    ) as given (user_id, brand_uid, from_at, until_at, orders_from, orders_until)`
}

/** Two sights of one purchase, as they are kept. */
export type PairRow = {
  readonly userId: UserId
  readonly cardId: TransactionId
  readonly affiliateId: TransactionId
  /** The publisher's when it was decided. */
  readonly policy: Policy
  /** The side that earns nothing because the other does. */
  readonly stacked: SeenBy | null
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
      using unnest(
        ${plainArray(gone.map((one) => one.userId))}::text::uuid[], ${plainArray(gone.map((one) => one.cardId))}::text::uuid[],
        ${plainArray(gone.map((one) => one.affiliateId))}::text::uuid[]
      ) as given (user_id, card_id, affiliate_id)
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.card_id = given.card_id
        and p.affiliate_id = given.affiliate_id`
  }
  if (kept.length > 0) {
    await tx`
      insert into purchase_pairs (user_id, card_id, affiliate_id, publisher_id, policy, stacked, since)
      select user_id, card_id, affiliate_id, ${publisherId}, policy, stacked, ${now}
      from unnest(
        ${plainArray(kept.map((one) => one.userId))}::text::uuid[], ${plainArray(kept.map((one) => one.cardId))}::text::uuid[],
        ${plainArray(kept.map((one) => one.affiliateId))}::text::uuid[], ${plainArray(kept.map((one) => one.policy))}::text::text[],
        ${plainArray(kept.map((one) => one.stacked))}::text::text[]
      ) as given (user_id, card_id, affiliate_id, policy, stacked)
      on conflict (user_id, card_id) do update set policy = excluded.policy, stacked = excluded.stacked, since = excluded.since`
  }
}
