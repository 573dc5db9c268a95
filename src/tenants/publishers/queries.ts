import { type Day, toDay } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Retained } from '../../platform/db/retention.ts'
import { KNOWN_MAX } from '../../platform/http/callers/key-cache.ts'
import type { KeyLimits } from '../../platform/http/callers/key-limits.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Actor } from '../accounts/index.ts'
import { type MoneyLimits, type Publisher, publisherNotFound, type Scope } from './publisher.ts'

export type ApiKey = KeyLimits & {
  readonly keyId: string
  readonly publisherId: PublisherId
  readonly prefix: string
  readonly lastFour: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedOn: Day | null
}

/** SQL columns from which `toPublisher` builds a publisher. */
export const publisherColumns = (reader: Reader) => reader`
  publisher_id as id, name, environment, currency, time_zone, timestamp_format, own_card_feed, links_cards, fee_ppm, share_ppm,
  link_name, link_language, link_countries, link_products, link_account_subtypes, stacking_policy, marketplace_policy,
  reads_per_second, writes_per_second, events_per_second, clock_offset_ms::float8 as clock_offset_ms,
  redemption_methods, redemption_user_day_count, destination_cool_down_hours, claim_days, claim_default,
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
  await tx`
    insert into publishers (publisher_id, name, environment, currency, time_zone, redemption_methods, created_at)
    values (${publisher.id}, ${publisher.name}, ${publisher.environment}, ${publisher.currency}, ${publisher.timeZone},
      ${publisher.redemptionMethods as string[]}, ${now})`
}

export type Settings = Pick<
  Publisher,
  | 'name'
  | 'timeZone'
  | 'timestampFormat'
  | 'ownCardFeed'
  | 'linksCards'
  | 'linkName'
  | 'linkLanguage'
  | 'linkCountries'
  | 'linkProducts'
  | 'linkAccountSubtypes'
  | 'feePpm'
  | 'sharePpm'
  | 'stackingPolicy'
  | 'marketplacePolicy'
  | 'readsPerSecond'
  | 'writesPerSecond'
  | 'eventsPerSecond'
  | 'redemptionMethods'
  | 'redemptionUserDayCount'
  | 'destinationCoolDownHours'
  | 'claimDays'
  | 'claimDefault'
>

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

export type LiveKey = Pick<ApiKey, 'keyId' | 'scopes' | keyof KeyLimits> & {
  /** The API version that the key is pinned to. */
  readonly version: string
  readonly publisher: Publisher
  /** True if the publisher has left this installation or is leaving it. */
  readonly isMoving: boolean
  /**
   * The person acting for the publisher, whose changes are recorded in the audit log; null for a program with the
   * publisher's key.
   */
  readonly actor: Actor | null
}

export async function findLiveKey(reader: Reader, sha256: Buffer): Promise<LiveKey | null> {
  // all publishers: the key identifies its publisher
  const [row] = await reader<
    (Pick<ApiKey, 'keyId' | 'scopes' | 'publisherId' | keyof KeyLimits> & { version: string; isMoving: boolean })[]
  >`
    select key_id, publisher_id, scopes, interface_version as version, expires_at, address_ranges,
      ${isMoving(reader)} as is_moving
    from api_keys where sha256 = ${sha256} and revoked_at is null`
  return row === undefined ? null : { ...row, actor: null, publisher: await getPublisher(reader, row.publisherId) }
}

/** Returns true if the publisher has left this installation or is leaving it. */
export async function findMoving(reader: Reader, publisherId: PublisherId): Promise<boolean> {
  const [row] = await reader<{ isMoving: boolean }[]>`
    select moves_at is not null as is_moving from publishers where publisher_id = ${publisherId}`
  return row?.isMoving ?? false
}

/** Records the day on which keys were last used. Only the first use each day is written. */
export async function markKeysUsed(tx: Tx, keyIds: readonly string[], day: Date): Promise<void> {
  // all publishers: the keys used may belong to any of them
  await tx`
    update api_keys set last_used_on = ${toDay(day, 'UTC')}
    where key_id = any(${keyIds as string[]}::uuid[]) and (last_used_on is null or last_used_on < ${toDay(day, 'UTC')})`
}

/** Lists the hashes of the newest active keys. */
export async function listLiveHashes(reader: Reader): Promise<Buffer[]> {
  // all publishers: a presented key may belong to any of them
  const rows = await reader<{ sha256: Buffer }[]>`
    select sha256 from api_keys where revoked_at is null order by created_at desc limit ${KNOWN_MAX}`
  return rows.map(({ sha256 }) => sha256)
}

export async function insertApiKey(tx: Tx, publisherId: PublisherId, key: ApiKey & { sha256: Buffer }): Promise<void> {
  await tx`
    insert into api_keys (publisher_id, key_id, sha256, prefix, last_four, scopes, created_at, expires_at,
      address_ranges)
    values (${publisherId}, ${key.keyId}, ${key.sha256}, ${key.prefix}, ${key.lastFour}, ${key.scopes}, ${key.createdAt},
      ${key.expiresAt}, ${key.addressRanges as string[]})`
}

const keyColumns = (reader: Reader) => reader`
  key_id, publisher_id, prefix, last_four, scopes, created_at, revoked_at, last_used_on,
  expires_at, address_ranges`

export async function listKeys(reader: Reader, publisherId: PublisherId): Promise<ApiKey[]> {
  return reader<ApiKey[]>`
    select ${keyColumns(reader)} from api_keys where publisher_id = ${publisherId} order by created_at, key_id`
}

export async function markKeyRevoked(tx: Tx, keyId: string, now: Date): Promise<ApiKey | null> {
  // all publishers: the operator names a key by its own ID
  const [row] = await tx<ApiKey[]>`
    update api_keys set revoked_at = ${now} where key_id = ${keyId} and revoked_at is null
    returning ${keyColumns(tx)}`
  return row ?? null
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

/** A request with an Idempotency-Key. The same key on another route is a different request. */
export type KeyedRequest = { readonly key: string; readonly route: string; readonly inputHash: Buffer }

/** The stored responses of one caller. */
export type AnswerStore = {
  /** Returns false if the key was already used. Waits for any transaction that is currently using it. */
  claim(tx: Tx, asked: KeyedRequest): Promise<boolean>
  find(reader: Reader, asked: KeyedRequest): Promise<StoredAnswer | null>
  store(tx: Tx, asked: KeyedRequest, answer: unknown): Promise<void>
}
export type StoredAnswer = { readonly inputHash: Buffer; readonly answer: unknown }

/** Returns the stored responses to a publisher's requests. They are encrypted because some contain secrets. */
export function createAnswerStore(publisherId: PublisherId, vault: Vault): AnswerStore {
  const toContext = (key: string): string => `idempotency_keys:${publisherId}:${key}`
  return {
    claim: async (tx, { key, route, inputHash }) => {
      const { count } = await tx`
        insert into idempotency_keys (publisher_id, idempotency_key, route, input_hash)
        values (${publisherId}, ${key}, ${route}, ${inputHash})
        on conflict do nothing`
      return count === 1
    },
    find: async (reader, { key, route }) => {
      const [row] = await reader<{ inputHash: Buffer; sealedAnswer: Buffer }[]>`
        select input_hash, sealed_answer from idempotency_keys
        where publisher_id = ${publisherId} and idempotency_key = ${key} and route = ${route}`
      return row ? { ...row, answer: JSON.parse(vault.open(row.sealedAnswer, toContext(key))) } : null
    },
    store: async (tx, { key, route }, answer) => {
      await tx`
        update idempotency_keys set sealed_answer = ${vault.seal(JSON.stringify(answer), toContext(key))}
        where publisher_id = ${publisherId} and idempotency_key = ${key} and route = ${route}`
    },
  }
}

/** Retains responses for 24 hours. After that, only natural keys prevent duplicates. */
export const retainedAnswers: Retained = {
  table: 'idempotency_keys',
  days: async () => 1,
  oldest: async (reader) => {
    const [row] = await reader<{ createdAt: Date }[]>`
      -- all publishers: totals for metrics
      select created_at from idempotency_keys order by created_at limit 1`
    return row?.createdAt ?? null
  },
  drop: async (tx, before, limit) => {
    // all publishers: drops by age
    const { count } = await tx`
      delete from idempotency_keys
      where (publisher_id, idempotency_key, route) in (
        select publisher_id, idempotency_key, route from idempotency_keys
        where created_at < ${before}
        order by created_at
        limit ${limit}
        for update skip locked
      )`
    return count
  },
}

/** Locks the publisher's settings until the transaction ends. */
export async function lockPublisher(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`select 1 from publishers where publisher_id = ${publisherId} for no key update`
}
