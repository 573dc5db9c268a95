import { awaitAll, given, type Reader, type Tx } from '../../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { Policy, ReportSource } from './pairs.ts'

/** Where to look for other reports; with `isOrder` only for those with an order number. */
export type ReportSearch = {
  readonly userId: UserId
  readonly brandUid: string
  readonly wanted: ReportSource
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

/** Two reports of one purchase, as stored. */
export type PairRow = {
  readonly userId: UserId
  readonly cardId: TransactionId
  readonly affiliateId: TransactionId
  /** The publisher's policy at the time of the decision. */
  readonly policy: Policy
  /** The report that earns nothing because the other does. */
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
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
      and (card_id = any(${ids as TransactionId[]}::uuid[]) or affiliate_id = any(${ids as TransactionId[]}::uuid[]))`
}

/** The unique keys guarantee that a report has one partner. */
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
