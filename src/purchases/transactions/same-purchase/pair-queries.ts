import { asTable, awaitAll, type Reader, type SqlPart, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import type { Policy, ReportSource } from './reports.ts'

/** The criteria of a search for other reports of a purchase. */
export type ReportSearch = {
  readonly userId: UserId
  readonly brandUid: string
  readonly wanted: ReportSource
  /** True for the publisher's reports, false for those of feeds and networks; null for all. */
  readonly isByPublisher: boolean | null
  /** True to find only reports with an order number. */
  readonly isOrder: boolean
  readonly fromAt: Date
  readonly untilAt: Date
}

const SEARCH_COLUMNS = {
  userId: 'uuid',
  brandUid: 'text',
  isByPublisher: 'bool',
  isOrder: 'bool',
  fromAt: 'timestamptz',
  untilAt: 'timestamptz',
} as const

type FoundReport = {
  readonly transactionId: TransactionId
  readonly orderId: string | null
  /** True if found by a search for reports with an order number. */
  readonly isOrder: boolean
}

export async function listOtherReports(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly ReportSearch[],
): Promise<FoundReport[]> {
  const search = (source: ReportSource, isOfReporter: boolean, how: SearchParts): Promise<FoundReport[]> => {
    const wanted = searches.filter((one) => one.wanted === source && (one.isByPublisher !== null) === isOfReporter)
    return wanted.length === 0 ? Promise.resolve([]) : searchReports(reader, publisherId, source, wanted, how)
  }
  // all publishers: conditions of searchReports, which searches one publisher's transactions
  const hasFeed = reader`cross join lateral (select from feed_rows where user_id = given.user_id limit 1) as linked`
  // all publishers: as above
  const isFromFeed = reader`exists (
    select from source_events e join feed_rows f on f.user_id = e.user_id and f.external_id = e.external_id
    where e.user_id = t.user_id and e.transaction_id = t.transaction_id)`
  // all publishers: as above
  const isFromClick = reader`exists (
    select from source_events e
    where e.user_id = t.user_id and e.transaction_id = t.transaction_id and e.facts ? 'isFromClick')`
  const maybeOrder = { where: reader`(order_id is not null or not given.is_order)` }
  const found = await awaitAll([
    search('AFFILIATE', false, maybeOrder),
    search('CARD', false, maybeOrder),
    // For users without a feed, this is a single lookup (`limit 1`) that returns nothing.
    search('CARD', true, { join: hasFeed, where: reader`given.is_by_publisher <> ${isFromFeed}` }),
    // Only reports with an order number, because nothing else proves that two reports are of the same sale.
    search('AFFILIATE', true, { where: reader`order_id is not null and given.is_by_publisher <> ${isFromClick}` }),
  ])
  return found.flat()
}

type SearchParts = { readonly join?: SqlPart; readonly where: SqlPart }

/**
 * Finds reports with a separate index lookup for each search (`offset 0`). The source is an SQL literal, so that the
 * index on sales is used.
 */
async function searchReports(
  reader: Reader,
  publisherId: PublisherId,
  source: ReportSource,
  wanted: readonly ReportSearch[],
  { join = reader``, where }: SearchParts,
): Promise<FoundReport[]> {
  return reader`
    select t.transaction_id, t.order_id, given.is_order
    from ${asTable(reader, wanted, SEARCH_COLUMNS)}
    ${join}
    cross join lateral (
      select transaction_id, order_id from transactions t
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and source = ${source === 'CARD' ? reader`'CARD'` : reader`'AFFILIATE'`} and adjusts is null
        and authorized_at between given.from_at and given.until_at and ${where}
      offset 0
    ) as t`
}

/** A card purchase and an affiliate sale that are the same purchase, as stored in `purchase_pairs`. */
export type CrossSourcePair = {
  readonly userId: UserId
  readonly cardId: TransactionId
  readonly affiliateId: TransactionId
  /** The publisher's policy when the pair was decided. */
  readonly policy: Policy
  /** The report that earns nothing because the other one does; null if there is none. */
  readonly stacked: ReportSource | null
}
export type Ids = readonly [TransactionId, TransactionId]
/**
 * Two reports from one source, as stored: a card purchase from the publisher and the feed, or a sale from the network
 * and the publisher.
 */
export type SameSourcePair = {
  readonly userId: UserId
  readonly table: PairTable
  /** The preferred report first. */
  readonly ids: Ids
  /** The reports that earn nothing because another report does. */
  readonly stacked: readonly TransactionId[]
}
export type PairRows = {
  readonly crossSource: readonly CrossSourcePair[]
  readonly sameSource: readonly SameSourcePair[]
}

/** Feed rows for further partial clearings have their own table. */
type PairTable = 'card_pairs' | 'further_card_pairs' | 'sale_pairs'
type Columns = { readonly preferredId: string; readonly otherId: string }
/** The reporters of the reports that a table pairs. */
type Reporters = { readonly preferred: string; readonly other: string }
const OF_CARDS = { preferredId: 'reported_id', otherId: 'feed_id', preferred: 'REPORTED', other: 'FEED' }
export const PAIR_TABLES: Readonly<Record<PairTable, Columns & Reporters>> = {
  card_pairs: OF_CARDS,
  further_card_pairs: OF_CARDS,
  sale_pairs: { preferredId: 'network_id', otherId: 'reported_id', preferred: 'NETWORK', other: 'REPORTED' },
}
const TABLES = Object.keys(PAIR_TABLES) as PairTable[]

/** Returns the stored pairs of these transactions. */
export async function listPairs(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<PairRows> {
  const [crossSource, ...sameSource] = await awaitAll([
    reader<CrossSourcePair[]>`
      select user_id, card_id, affiliate_id, policy, stacked
      from purchase_pairs
      where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
        and (card_id = any(${ids as TransactionId[]}::uuid[]) or affiliate_id = any(${ids as TransactionId[]}::uuid[]))`,
    ...TABLES.map((table) => listSameSource(reader, publisherId, table, userIds, ids)),
  ])
  return { crossSource, sameSource: sameSource.flat() }
}

async function listSameSource(
  reader: Reader,
  publisherId: PublisherId,
  table: PairTable,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<SameSourcePair[]> {
  const { preferredId, otherId, ...reporters } = PAIR_TABLES[table]
  const rows = await reader<{ userId: UserId; preferred: TransactionId; other: TransactionId; stacked: string }[]>`
    select user_id, ${reader(preferredId)} as preferred, ${reader(otherId)} as other, stacked
    from ${reader(table)}
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
      and (${reader(preferredId)} = any(${ids as TransactionId[]}::uuid[])
        or ${reader(otherId)} = any(${ids as TransactionId[]}::uuid[]))`
  return rows.map(({ userId, preferred, other, stacked }) => ({
    userId,
    table,
    ids: [preferred, other],
    stacked: [
      ...(stacked === reporters.preferred || stacked === 'BOTH' ? [preferred] : []),
      ...(stacked === reporters.other || stacked === 'BOTH' ? [other] : []),
    ],
  }))
}

type Changed = { readonly gone: PairRows; readonly kept: PairRows }

/**
 * Writes changed pairs. Unique keys guarantee that a report has at most one partner unless it has partial clearings.
 */
export async function writePairs(tx: Tx, publisherId: PublisherId, { gone, kept }: Changed, now: Date): Promise<void> {
  if (gone.crossSource.length > 0) {
    await tx`
      delete from purchase_pairs as p
      using ${asTable(tx, gone.crossSource, { userId: 'uuid', cardId: 'uuid', affiliateId: 'uuid' })}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.card_id = given.card_id
        and p.affiliate_id = given.affiliate_id`
  }
  if (kept.crossSource.length > 0) {
    await tx`
      insert into purchase_pairs (user_id, card_id, affiliate_id, publisher_id, policy, stacked, since)
      select user_id, card_id, affiliate_id, ${publisherId}, policy, stacked, ${now}
      from ${asTable(tx, kept.crossSource, {
        userId: 'uuid',
        cardId: 'uuid',
        affiliateId: 'uuid',
        policy: 'plain',
        stacked: 'plain',
      })}
      on conflict (user_id, card_id) do update set policy = excluded.policy, stacked = excluded.stacked, since = excluded.since`
  }
  for (const table of TABLES) {
    const toRows = ({ sameSource }: PairRows): FlatRow[] => sameSource.filter((row) => row.table === table).map(flat)
    await writeSameSource(tx, publisherId, table, { gone: toRows(gone), kept: toRows(kept) }, now)
  }
}

type FlatRow = ReturnType<typeof flat>

function flat({ userId, table, ids: [preferredId, otherId], stacked }: SameSourcePair) {
  const { preferred, other } = PAIR_TABLES[table]
  const unpaid = stacked.includes(preferredId) ? preferred : other
  const code = stacked.length === 0 ? null : stacked.length > 1 ? 'BOTH' : unpaid
  return { userId, preferredId, otherId, stacked: code }
}

async function writeSameSource(
  tx: Tx,
  publisherId: PublisherId,
  table: PairTable,
  { gone, kept }: { readonly gone: readonly FlatRow[]; readonly kept: readonly FlatRow[] },
  now: Date,
): Promise<void> {
  const { preferredId, otherId } = PAIR_TABLES[table]
  const columns = { userId: 'uuid', preferredId: 'uuid', otherId: 'uuid' } as const
  if (gone.length > 0) {
    await tx`
      delete from ${tx(table)} as p
      using ${asTable(tx, gone, columns)}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.${tx(preferredId)} = given.preferred_id
        and p.${tx(otherId)} = given.other_id`
  }
  if (kept.length > 0) {
    await tx`
      insert into ${tx(table)} (user_id, ${tx(preferredId)}, ${tx(otherId)}, publisher_id, stacked, since)
      select user_id, preferred_id, other_id, ${publisherId}, stacked, ${now}
      from ${asTable(tx, kept, { ...columns, stacked: 'plain' })}
      on conflict (user_id, ${tx(otherId)}) do update set stacked = excluded.stacked, since = excluded.since`
  }
}
