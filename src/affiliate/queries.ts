import { given, type Reader, type Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Content, Program, SaleStatus } from './rules.ts'

export async function upsertPrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  await tx`
    insert into programs as p (offer_uid, network, address_template, currency, first_day, last_day)
    select offer_uid, network, address_template, currency, first_day, last_day
    from ${given(tx, programs, {
      ...{ offerUid: 'text', network: 'text', addressTemplate: 'text', currency: 'plain' },
      ...{ firstDay: 'date', lastDay: 'date' },
    })}
    on conflict (offer_uid) do update set
      network = excluded.network, address_template = excluded.address_template, currency = excluded.currency,
      first_day = excluded.first_day, last_day = excluded.last_day, ended_at = null`
}

export async function markProgramsEnded(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  await tx`
    update programs set ended_at = ${now} where offer_uid = any(${offerUids as string[]}::text[]) and ended_at is null`
}

/** The program of an offer, unless it has ended. */
export async function findLiveProgram(reader: Reader, offerUid: string): Promise<Program | null> {
  const [program] = await reader<Program[]>`
    select offer_uid, network, address_template, currency, first_day,
      last_day
    from programs where offer_uid = ${offerUid} and ended_at is null`
  return program ?? null
}

export async function findCurrency(reader: Reader, offerUid: string): Promise<string | null> {
  const [row] = await reader<{ currency: string }[]>`select currency from programs where offer_uid = ${offerUid}`
  return row?.currency ?? null
}

export async function findPublisherOfUser(reader: Reader, userId: UserId): Promise<PublisherId | null> {
  // all publishers: a tracking link is followed without a key; its token, made by us, names the user alone
  const [row] = await reader<{ publisherId: PublisherId }[]>`
    select publisher_id from users where user_id = ${userId}`
  return row?.publisherId ?? null
}

type Click = {
  readonly userId: UserId
  readonly clickId: string
  readonly subId: string
  readonly offerUid: string
  readonly network: string
  readonly clickedAt: Date
}

export async function insertClick(tx: Tx, publisherId: PublisherId, click: Click): Promise<void> {
  await tx`
    with clicked as (
      insert into clicks (user_id, click_id, publisher_id, offer_uid, clicked_at)
      values (${click.userId}, ${click.clickId}, ${publisherId}, ${click.offerUid}, ${click.clickedAt})
    )
    insert into sub_ids (sub_id, user_id, click_id, publisher_id, offer_uid, network, clicked_at)
    values (${click.subId}, ${click.userId}, ${click.clickId}, ${publisherId}, ${click.offerUid}, ${click.network},
      ${click.clickedAt})`
}

type KnownClick = { readonly publisherId: PublisherId; readonly userId: UserId; readonly offerUid: string }

/**
 * The click of a sub-id that was passed on to this network, locked so that it stays while a sale of it is reported.
 */
export async function lockSubId(
  tx: Tx,
  network: string,
  subId: string,
): Promise<(KnownClick & { readonly isSold: boolean }) | null> {
  // all publishers: networks know a click by its sub-id alone
  const [row] = await tx<(KnownClick & { isSold: boolean })[]>`
    select publisher_id, user_id, offer_uid, is_sold from sub_ids where sub_id = ${subId} and network = ${network}
    for no key update`
  return row ?? null
}

export async function markSubIdSold(tx: Tx, subId: string): Promise<void> {
  // all publishers: networks know a click by its sub-id alone
  await tx`update sub_ids set is_sold = true where sub_id = ${subId}`
}

/** The longest lock period of a network. */
export async function findLongestLockDays(reader: Reader): Promise<number> {
  const [row] = await reader<{ lockDays: number | null }[]>`select max(lock_days) as lock_days from networks`
  return row?.lockDays ?? 0
}

/** When the oldest click without a reported sale was made. */
export async function findOldestClick(reader: Reader): Promise<Date | null> {
  const [row] = await reader<{ clickedAt: Date }[]>`
    -- all publishers: totals for metrics
    select clicked_at from sub_ids where not is_sold order by clicked_at limit 1`
  return row?.clickedAt ?? null
}

/** Deletes clicks without a reported sale, the oldest first. Returns how many there were. */
export async function deleteOldClicks(tx: Tx, before: Date, limit: number): Promise<number> {
  // all publishers: deletes by age
  const dropped = await tx<{ userId: UserId; clickId: string }[]>`
    delete from sub_ids
    where sub_id in (
      select sub_id from sub_ids
      where not is_sold and clicked_at < ${before}
      order by clicked_at
      limit ${limit}
      for update skip locked
    )
    returning user_id, click_id`
  // all publishers: deletes by age
  await tx`
    delete from clicks
    where (user_id, click_id) in (
      select user_id, click_id from ${given(tx, dropped, { userId: 'uuid', clickId: 'uuid' })}
    )`
  return dropped.length
}

export async function upsertNetwork(tx: Tx, network: string, fingerprint: Buffer, now: Date): Promise<void> {
  await tx`
    insert into networks (network, secret_fingerprint, updated_at) values (${network}, ${fingerprint}, ${now})
    on conflict (network) do update set secret_fingerprint = excluded.secret_fingerprint, updated_at = excluded.updated_at`
}

/** False when there is no such network. */
export async function updateLockDays(tx: Tx, network: string, lockDays: number, now: Date): Promise<boolean> {
  const rows = await tx`
    update networks set lock_days = ${lockDays}, updated_at = ${now} where network = ${network}
    returning 1`
  return rows.length === 1
}

export async function findNetwork(
  reader: Reader,
  network: string,
): Promise<{ readonly lockDays: number; readonly updatedAt: Date } | null> {
  const [row] = await reader<{ lockDays: number; updatedAt: Date }[]>`
    select lock_days, updated_at from networks where network = ${network}`
  return row ?? null
}

export async function findFingerprint(reader: Reader, network: string): Promise<Buffer | null> {
  const [row] = await reader<{ fingerprint: Buffer }[]>`
    select secret_fingerprint as fingerprint from networks where network = ${network}`
  return row?.fingerprint ?? null
}

/** One report of a sale, as stored. */
export type Postback = {
  readonly postbackId: string
  readonly network: string
  readonly content: Content
  readonly subId: string
  readonly click: KnownClick | null
  readonly status: SaleStatus
  readonly orderId: string | null
  readonly transactionId: string | null
  readonly reportId: string | null
  readonly reportedAt: Date | null
  readonly amount: bigint | null
  readonly currency: string
  readonly soldAt: Date | null
  readonly dateOnly: boolean
  readonly receivedAt: Date
}

/** False when the same report was received before. */
export async function insertPostback(tx: Tx, postback: Postback, identitySha256: Buffer): Promise<boolean> {
  const rows = await tx`
    insert into postbacks (network, content_sha256, postback_id, content, sub_id, publisher_id, user_id, offer_uid,
      status, order_id, transaction_id, report_id, reported_at, amount, currency, sold_at, date_only, received_at)
    values (${postback.network}, ${identitySha256}, ${postback.postbackId}, ${tx.json(postback.content as never)},
      ${postback.subId}, ${postback.click?.publisherId ?? null}, ${postback.click?.userId ?? null},
      ${postback.click?.offerUid ?? null}, ${postback.status}, ${postback.orderId}, ${postback.transactionId},
      ${postback.reportId}, ${postback.reportedAt}, ${postback.amount}, ${postback.currency}, ${postback.soldAt},
      ${postback.dateOnly}, ${postback.receivedAt})
    on conflict (network, content_sha256) do nothing
    returning 1`
  return rows.length === 1
}

export type UnknownReport = Omit<Postback, 'content' | 'click'> & {
  /** The network that the click of this sub-id was sent to; null without such a click. */
  readonly sentTo: string | null
}
type UnknownFilter = { readonly network: string | null; readonly before: Date | null; readonly limit: number }

/** Reports that belong to no click of their network, the newest first. */
export async function listUnknownReports(
  reader: Reader,
  { network, before, limit }: UnknownFilter,
): Promise<UnknownReport[]> {
  // all publishers: whose sales they are is not known
  return reader<UnknownReport[]>`
    select p.postback_id, p.network, p.sub_id, p.status, p.order_id, p.transaction_id, p.report_id, p.reported_at,
      p.amount, p.currency, p.sold_at, p.date_only, p.received_at, s.network as sent_to
    from postbacks p
    left join sub_ids s on s.sub_id = lower(p.sub_id)
    where p.user_id is null and (${network}::text is null or p.network = ${network})
      and (${before}::timestamptz is null or p.received_at < ${before})
    order by p.received_at desc, p.postback_id desc
    limit ${limit}`
}

/** The last report received about the same item of the same sale, or of the rejection of its order, with other content. */
export async function findPrecedingPostback(
  reader: Reader,
  { network, subId, orderId, transactionId, status, amount, currency, soldAt }: Postback,
): Promise<string | null> {
  // all publishers: whose sale it is may not be known
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

/** A report with the days that its network takes to approve or reject a sale. */
export type ReportOfSale = Postback & { readonly lockDays: number }
type ReportRow = Omit<ReportOfSale, 'click'> & KnownClick

/**
 * What was received about the sale of this report, in the order of receipt. An order is one sale, all its items
 * together. A report of an item without its order is about the only order of the click that has this item.
 */
export async function listPostbacksOfSale(
  reader: Reader,
  publisherId: PublisherId,
  postbackId: string,
): Promise<ReportOfSale[]> {
  const rows = await reader<ReportRow[]>`
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
    select p.postback_id, p.network, p.content, p.sub_id, p.publisher_id, p.user_id, p.offer_uid, p.status, p.order_id,
      p.transaction_id, p.report_id, p.reported_at, p.amount, p.currency, p.sold_at, p.date_only, p.received_at,
      n.lock_days
    from sales one
    join networks n on n.network = one.network
    join sales p on p.sale_order is not distinct from one.sale_order
      and (one.sale_order is not null or p.transaction_id = one.transaction_id)
    where one.postback_id = ${postbackId}
    order by p.received_at, p.postback_id`
  return rows.map(({ publisherId, userId, offerUid, ...row }) => ({ ...row, click: { publisherId, userId, offerUid } }))
}
