import type { PendingQuery, Row } from 'postgres'
import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { KnownClick } from '../queries.ts'
import type { Content, ReportedStatus } from '../rules.ts'
import type { Sale } from './read-sale.ts'
import type { SaleRecord } from './sum-of-records.ts'

/** The reason a report is not credited to a click. */
export type Unmatched = 'no_sub_id' | 'unknown_sub_id' | 'other_network' | 'outside_window'

/** A stored report of a sale. */
export type Postback = Pick<
  Sale,
  'subId' | 'status' | 'orderId' | 'transactionId' | 'reportId' | 'reportedAt' | 'soldAt' | 'dateOnly'
> & {
  readonly postbackId: string
  readonly network: string
  readonly content: Content
  readonly click: KnownClick | null
  readonly amount: bigint | null
  readonly currency: string
  readonly receivedAt: Date
  /** The commission that the network reports, in the currency of the sale. */
  readonly commission: bigint | null
  /** The record's own amount and status, if records are additive. The postback then states their sum. */
  readonly added: bigint | null
  readonly addedStatus: ReportedStatus | null
  /** The reason the report is not credited to a click. */
  readonly unmatched: Unmatched | null
}

/** A report's identifiers for a sale, or for one of its items. */
type NamedSale = Pick<Postback, 'network' | 'subId' | 'orderId' | 'transactionId'>

/** The columns of a report other than those of its click. */
export const POSTBACK_COLUMNS = [
  ...(['postbackId', 'network', 'content', 'subId', 'status', 'orderId', 'transactionId', 'reportId'] as const),
  ...(['reportedAt', 'amount', 'currency', 'soldAt', 'dateOnly', 'receivedAt', 'commission'] as const),
  ...(['added', 'addedStatus', 'unmatched'] as const),
]

/** @returns false if the same report was received before */
export async function insertPostback(tx: Tx, postback: Postback, identitySha256: Buffer): Promise<boolean> {
  const { publisherId = null, userId = null, offerUid = null } = postback.click ?? {}
  const derived = { contentSha256: identitySha256, publisherId, userId, offerUid }
  const row = { ...postback, ...derived, content: tx.json(postback.content as never) }
  const names = [...POSTBACK_COLUMNS, ...(Object.keys(derived) as (keyof typeof derived)[])]
  // all publishers: the sale's owner may not be known
  const rows = await tx`
    insert into postbacks ${tx(row, ...names)}
    on conflict (network, content_sha256) do nothing
    returning 1`
  return rows.length === 1
}

/**
 * Builds an SQL condition that is true if a report `p` is about the sale with these identifiers. The order ID
 * identifies a sale. Networks report all sales of a product, or of an advertiser, under one `transaction_id`, which
 * therefore identifies a sale only if there is no order ID.
 */
export function matchesSale(
  reader: Reader,
  p: PendingQuery<Row[]>,
  { orderId, transactionId }: { readonly orderId: Named; readonly transactionId: Named },
): PendingQuery<Row[]> {
  return reader`
    (${p}.order_id = ${orderId} or (${p}.transaction_id = ${transactionId}
      and (${p}.order_id is null or ${orderId}::text is null)))`
}
type Named = string | null | PendingQuery<Row[]>

/**
 * Finds the last report with different content about the same item of the same sale, or about the rejection of its
 * order.
 */
export async function findPrecedingPostback(
  reader: Reader,
  { network, subId, orderId, transactionId, status, amount, currency, soldAt }: Postback,
): Promise<string | null> {
  // all publishers: the sale's owner may not be known
  const [row] = await reader<{ postbackId: string }[]>`
    select postback_id from postbacks
    where network = ${network} and sub_id = ${subId} and order_id is not distinct from ${orderId}
      and (transaction_id is not distinct from ${transactionId} or (transaction_id is null and status = 'rejected'))
      and (status, amount, currency, sold_at) is distinct from
        (${status}::text, ${amount}::int8, ${currency}::text, ${soldAt}::timestamptz)
    order by received_at desc, postback_id desc
    limit 1`
  return row?.postbackId ?? null
}

export type StoredRecord = SaleRecord & { readonly postbackId: string; readonly reportedAt: Date | null }

/** Lists the additive records of an item, in order of receipt. */
export async function listRecords(
  reader: Reader,
  { network, subId, orderId, transactionId }: NamedSale,
): Promise<StoredRecord[]> {
  // all publishers: the sale's owner may not be known
  return reader<StoredRecord[]>`
    select postback_id, report_id, added as amount, added_status as status, reported_at
    from postbacks
    where network = ${network} and sub_id = ${subId} and order_id is not distinct from ${orderId}
      and transaction_id is not distinct from ${transactionId} and added is not null
    order by received_at, postback_id`
}

/** Finds the currency of the last report of a sale or part of it; null if there is none. */
export async function findCurrencyOfSale(
  reader: Reader,
  { network, subId, orderId, transactionId }: NamedSale,
): Promise<string | null> {
  // all publishers: the sale's owner may not be known
  const [row] = await reader<{ currency: string }[]>`
    select p.currency from postbacks p
    where p.network = ${network} and p.sub_id = ${subId} and ${matchesSale(reader, reader`p`, { orderId, transactionId })}
    order by p.received_at desc, p.postback_id desc
    limit 1`
  return row?.currency ?? null
}

/** Returns true if a sale from a click, or part of that sale, was already credited. */
export async function isCredited(
  reader: Reader,
  { network, subId, orderId, transactionId }: NamedSale,
): Promise<boolean> {
  // all publishers: the sale's owner may not be known
  const rows = await reader`
    select 1 from postbacks p
    where p.network = ${network} and p.sub_id = ${subId} and p.user_id is not null
      and ${matchesSale(reader, reader`p`, { orderId, transactionId })}
    limit 1`
  return rows.length > 0
}

type LastContent = Pick<Postback, 'orderId' | 'transactionId' | 'reportId' | 'content'>

/** Lists the report contents received for these orders and for these items without an order, in order of receipt. */
export async function listContents(
  reader: Reader,
  network: string,
  { orderIds, transactionIds }: { readonly orderIds: readonly string[]; readonly transactionIds: readonly string[] },
): Promise<LastContent[]> {
  // all publishers: the owners of the sales are not known yet
  return reader<LastContent[]>`
    select order_id, transaction_id, report_id, content
    from postbacks
    where network = ${network}
      and (order_id = any(${orderIds as string[]}::text[])
        or (order_id is null and transaction_id = any(${transactionIds as string[]}::text[])))
    order by received_at, postback_id`
}

/** A report with the number of days its network takes to approve or reject a sale. */
export type ReportOfSale = Omit<Postback, 'added' | 'addedStatus' | 'unmatched' | 'commission'> & {
  readonly lockDays: number
}
type PostbackRow = Omit<ReportOfSale, 'click'> & KnownClick

/**
 * Lists the reports of the same sale as this one, in order of receipt. An order with all its items is one sale. A
 * report of an item without an order belongs to the click's only order that contains the item.
 */
export async function listReportsOfSale(
  reader: Reader,
  publisherId: PublisherId,
  postbackId: string,
): Promise<ReportOfSale[]> {
  const rows = await reader<PostbackRow[]>`
    with click as (
      select p.*
      from postbacks one
      join postbacks p on p.network = one.network and p.sub_id = one.sub_id and p.publisher_id = one.publisher_id
      where one.postback_id = ${postbackId} and one.publisher_id = ${publisherId}
    ),
    items as (
      select transaction_id, min(order_id) as order_id
      from click
      where transaction_id is not null
      group by transaction_id
      having count(distinct order_id) = 1
    ),
    sales as (
      select click.*, coalesce(click.order_id, items.order_id) as sale_order
      from click
      left join items on items.transaction_id = click.transaction_id
    )
    select ${selectColumns(reader, 'p', POSTBACK_COLUMNS)}, p.publisher_id, p.user_id, p.offer_uid, n.lock_days
    from sales one
    join networks n on n.network = one.network
    join sales p on p.sale_order is not distinct from one.sale_order
      and (one.sale_order is not null or p.transaction_id = one.transaction_id)
    where one.postback_id = ${postbackId}
    order by p.received_at, p.postback_id`
  return rows.map(({ publisherId, userId, offerUid, ...row }) => ({ ...row, click: { publisherId, userId, offerUid } }))
}
