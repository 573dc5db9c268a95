import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { PUBLISHER, type Publisher, publisherNotFound } from './publisher.ts'
import type { MoneyLimits } from './settings.ts'

/** SQL columns from which `toPublisher` builds a publisher. */
export const publisherColumns = (reader: Reader) => reader`
  ${selectColumns(reader, 'publishers', PUBLISHER.columns)}, publisher_id as id,
  clock_offset_ms::float8 as clock_offset_ms,
  (
    select jsonb_object_agg(c.currency, jsonb_build_object(
      'redemptionMinimum', c.redemption_minimum::text, 'redemptionUserDayMax', c.redemption_user_day_max::text,
      'redemptionReviewAbove', c.redemption_review_above::text,
      'redemptionTwoPeopleAbove', c.redemption_two_people_above::text,
      'adjustmentAloneMax', c.adjustment_alone_max::text))
    from publisher_currencies c where c.publisher_id = publishers.publisher_id
  ) as limits`

export type PublisherRow = Omit<Publisher, 'limits'> & {
  readonly limits: Readonly<Record<string, Readonly<Record<keyof MoneyLimits, string | null>>>>
}

export function toPublisher({ limits, ...row }: PublisherRow): Publisher {
  const minor = ([name, text]: [string, string | null]) => [name, text === null ? null : BigInt(text)]
  const read = (texts: object) => Object.fromEntries(Object.entries(texts).map(minor)) as MoneyLimits
  return { ...row, limits: new Map(Object.entries(limits).map(([currency, texts]) => [currency, read(texts)])) }
}

/** SQL for the current time of the publisher in row `p`: real time, moved ahead in a sandbox. */
export const nowOfPublisher = (reader: Reader, realNow: Date) =>
  reader`${realNow}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`

/** SQL condition that is true if a row's publisher is leaving or has left. Workers skip such rows. */
export const isMoving = (reader: Reader) =>
  reader`publisher_id in (select publisher_id from publishers where moves_at is not null)`

/** @throws Refusal publisher_not_found */
export async function getPublisher(reader: Reader, publisherId: PublisherId): Promise<Publisher> {
  const [row] = await reader<PublisherRow[]>`
    select ${publisherColumns(reader)} from publishers where publisher_id = ${publisherId}`
  if (row === undefined) throw publisherNotFound()
  return toPublisher(row)
}

export async function listPublishers(reader: Reader): Promise<Publisher[]> {
  // all publishers: the operator's list, and the worker's pass over every clock
  const rows = await reader<
    PublisherRow[]
  >`select ${publisherColumns(reader)} from publishers order by created_at, publisher_id`
  return rows.map(toPublisher)
}

/** Lists the publishers that have left this installation or are leaving it. */
export async function listMovingPublishers(reader: Reader): Promise<ReadonlySet<PublisherId>> {
  // all publishers: any of them may leave
  const rows = await reader<{ publisherId: PublisherId }[]>`
    select publisher_id from publishers where moves_at is not null`
  return new Set(rows.map((row) => row.publisherId))
}

type NewPublisher = Pick<Publisher, 'id' | 'name' | 'environment' | 'currency' | 'timeZone' | 'redemptionMethods'>

export async function insertPublisher(tx: Tx, publisher: NewPublisher, now: Date): Promise<void> {
  const { id: publisherId, ...row } = publisher
  await tx`insert into publishers ${tx({ publisherId, ...row, createdAt: now })}`
}

export type Settings = Omit<Publisher, 'id' | 'environment' | 'currency' | 'limits' | 'clockOffsetMs'>

export async function updateSettings(tx: Tx, publisherId: PublisherId, changes: Partial<Settings>): Promise<void> {
  await tx`update publishers set ${tx(changes)} where publisher_id = ${publisherId}`
}

/** @returns true if the currency is new */
export async function insertCurrency(
  tx: Tx,
  publisherId: PublisherId,
  { currency, ...limits }: MoneyLimits & { readonly currency: string },
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    insert into publisher_currencies ${tx({ publisherId, currency, ...limits, createdAt: now })}
    on conflict do nothing`
  return count === 1
}

export async function updateLimits(
  tx: Tx,
  publisherId: PublisherId,
  currency: string,
  changes: Partial<MoneyLimits>,
): Promise<void> {
  await tx`
    update publisher_currencies set ${tx(changes)} where publisher_id = ${publisherId} and currency = ${currency}`
}

export async function moveClock(tx: Tx, publisherId: PublisherId, aheadMs: number): Promise<number> {
  const [row] = await tx<{ offset: number }[]>`
    update publishers set clock_offset_ms = clock_offset_ms + ${aheadMs}
    where publisher_id = ${publisherId} and environment = 'sandbox'
    returning clock_offset_ms::float8 as offset`
  return row?.offset ?? 0
}

/** Returns true if the publisher has left this installation or is leaving it. */
export async function findMoving(reader: Reader, publisherId: PublisherId): Promise<boolean> {
  const [row] = await reader<{ isMoving: boolean }[]>`
    select moves_at is not null as is_moving from publishers where publisher_id = ${publisherId}`
  return row?.isMoving ?? false
}

/** The kinds of return targets in the link flow, with the tables that list them. */
const ALLOWED = {
  redirect_uri: 'allowed_redirect_uris',
  android_package_name: 'allowed_android_packages',
} as const
type AllowList = keyof typeof ALLOWED

export async function insertAllowed(
  tx: Tx,
  publisherId: PublisherId,
  list: AllowList,
  value: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into ${tx(ALLOWED[list])} (publisher_id, ${tx(list)}, created_at) values (${publisherId}, ${value}, ${now})
    on conflict do nothing`
}

export async function listAllowed(reader: Reader, publisherId: PublisherId, list: AllowList): Promise<string[]> {
  const rows = await reader<{ value: string }[]>`
    select ${reader(list)} as value from ${reader(ALLOWED[list])}
    where publisher_id = ${publisherId}
    order by 1`
  return rows.map((row) => row.value)
}

/** @returns true if the list had this entry */
export async function deleteAllowed(
  tx: Tx,
  publisherId: PublisherId,
  list: AllowList,
  value: string,
): Promise<boolean> {
  const { count } = await tx`
    delete from ${tx(ALLOWED[list])} where publisher_id = ${publisherId} and ${tx(list)} = ${value}`
  return count === 1
}

/** Locks the publisher's settings until the transaction ends. */
export async function lockPublisher(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`select 1 from publishers where publisher_id = ${publisherId} for no key update`
}
