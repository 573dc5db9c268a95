import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Program } from './rules.ts'

export async function upsertPrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  await tx`
    insert into programs as p (offer_uid, network, address_template, currency, first_day, last_day)
    select offer_uid, network, address_template, currency, first_day, last_day
    from ${asTable(tx, programs, {
      offerUid: 'text',
      network: 'text',
      addressTemplate: 'text',
      currency: 'plain',
      firstDay: 'date',
      lastDay: 'date',
    })}
    on conflict (offer_uid) do update set
      network = excluded.network, address_template = excluded.address_template, currency = excluded.currency,
      first_day = excluded.first_day, last_day = excluded.last_day, ended_at = null`
}

export async function markProgramsEnded(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  await tx`
    update programs set ended_at = ${now} where offer_uid = any(${offerUids as string[]}::text[]) and ended_at is null`
}

/** Finds an offer's program, unless it has ended. */
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
  // all publishers: tracking links are followed without a key, and the token, which we created, names only the user
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

export type KnownClick = { readonly publisherId: PublisherId; readonly userId: UserId; readonly offerUid: string }

export type SoldClick = KnownClick & {
  readonly subId: string
  readonly clickedAt: Date
  readonly isSold: boolean
  /** The attribution window of the click's network. A click that precedes a sale by more than this is not credited. */
  readonly windowDays: number
}

/**
 * Locks and returns the click with this sub-id, if it was sent to this network. The lock keeps the click from being
 * deleted while a sale is being reported, and serializes the click's reports.
 */
export async function lockSubId(tx: Tx, network: string, subId: string): Promise<SoldClick | null> {
  // all publishers: networks know a click only by its sub-id
  const [row] = await tx<SoldClick[]>`
    select s.publisher_id, s.user_id, s.offer_uid, s.sub_id, s.clicked_at, s.is_sold, n.window_days
    from sub_ids s
    join networks n on n.network = s.network
    where s.sub_id = ${subId} and s.network = ${network}
    for no key update of s`
  return row ?? null
}

export async function existsSubId(reader: Reader, subId: string): Promise<boolean> {
  // all publishers: networks know a click only by its sub-id
  const rows = await reader`select 1 from sub_ids where sub_id = ${subId}`
  return rows.length > 0
}

type ClickKey = Pick<KnownClick, 'userId' | 'offerUid'> & { readonly network: string }

/** Finds the sub-id of a user's newest click on an offer at a network within a period, both ends inclusive. */
export async function findNewestClick(
  reader: Reader,
  publisherId: PublisherId,
  { userId, offerUid, network }: ClickKey,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<string | null> {
  const [row] = await reader<{ subId: string }[]>`
    select s.sub_id
    from clicks c
    join sub_ids s on s.user_id = c.user_id and s.sub_id = replace(c.click_id::text, '-', '')
    where c.user_id = ${userId} and c.publisher_id = ${publisherId} and c.offer_uid = ${offerUid}
      and c.clicked_at between ${from} and ${until} and s.network = ${network}
    order by c.clicked_at desc, c.click_id desc
    limit 1`
  return row?.subId ?? null
}

/** A click as operators see it. */
export type ClickOfUser = Pick<Click, 'offerUid' | 'clickedAt'> & {
  readonly network: string | null
  /** True if a network has reported a sale from this click. */
  readonly isSold: boolean
}
type Around = {
  readonly userId: UserId
  /** Limits the clicks to these offers; null for all. */
  readonly offerUids: readonly string[] | null
  readonly from: Date
  readonly until: Date
  readonly at: Date
  readonly limit: number
}

/** Lists a user's clicks within a period, those closest to a given instant first. */
export async function listClicksAround(
  reader: Reader,
  publisherId: PublisherId,
  { userId, offerUids, from, until, at, limit }: Around,
): Promise<ClickOfUser[]> {
  return reader<ClickOfUser[]>`
    select c.offer_uid, c.clicked_at, s.network, coalesce(s.is_sold, false) as is_sold
    from clicks c
    left join sub_ids s on s.user_id = c.user_id and s.sub_id = replace(c.click_id::text, '-', '')
    where c.user_id = ${userId} and c.publisher_id = ${publisherId}
      and c.clicked_at >= ${from} and c.clicked_at < ${until}
      ${offerUids === null ? reader`` : reader`and c.offer_uid = any(${offerUids as string[]}::text[])`}
    order by abs(extract(epoch from c.clicked_at - ${at}::timestamptz)), c.click_id
    limit ${limit}`
}

export async function markSubIdSold(tx: Tx, subId: string): Promise<void> {
  // all publishers: networks know a click only by its sub-id
  await tx`update sub_ids set is_sold = true where sub_id = ${subId}`
}

/** Returns the longest lock period of any network. */
export async function findLongestLockDays(reader: Reader): Promise<number> {
  const [row] = await reader<{ lockDays: number | null }[]>`select max(lock_days) as lock_days from networks`
  return row?.lockDays ?? 0
}

/** Returns the time of the oldest click without a reported sale. */
export async function findOldestClick(reader: Reader): Promise<Date | null> {
  const [row] = await reader<{ clickedAt: Date }[]>`
    -- all publishers: totals for metrics
    select clicked_at from sub_ids where not is_sold order by clicked_at limit 1`
  return row?.clickedAt ?? null
}

/** Deletes clicks without a reported sale, oldest first, and returns how many it deleted. */
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
      select user_id, click_id from ${asTable(tx, dropped, { userId: 'uuid', clickId: 'uuid' })}
    )`
  return dropped.length
}
