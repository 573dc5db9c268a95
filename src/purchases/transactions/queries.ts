import type { Terms } from '../../catalog/offers/index.ts'
import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import { nowOfPublisher } from '../../tenants/publishers/index.ts'
import type { SourceEvent } from './event.ts'
import type { PurchaseKey } from './intake/purchase-keys.ts'
import { listTransactionColumns, toTransaction } from './rewards/queries.ts'
import type { Transaction } from './rewards/transaction.ts'

/** Claims external ids for their users. Returns the source and id of each id that was free. */
export async function claimEvents(
  tx: Tx,
  publisherId: PublisherId,
  events: readonly SourceEvent[],
): Promise<Set<string>> {
  // Sorted so that concurrent batches do not deadlock.
  const sorted = events.toSorted((a, b) => (a.source + a.externalId < b.source + b.externalId ? -1 : 1))
  const rows = await tx<Pick<SourceEvent, 'source' | 'externalId'>[]>`
    insert into source_claims (publisher_id, source, external_id, user_id)
    select ${publisherId}, source, external_id, user_id
    from ${asTable(tx, sorted, { source: 'plain', externalId: 'text', userId: 'uuid' })}
    on conflict do nothing
    returning source, external_id`
  return new Set(rows.map((row) => `${row.source} ${row.externalId}`))
}

type KnownEvent = Pick<StoredEvent, 'userId' | 'source' | 'externalId' | 'inputHash' | 'transactionId'>

/**
 * Returns the stored events with these external ids, regardless of which of the publisher's users made the purchases.
 */
export async function listKnownEvents(
  tx: Tx,
  publisherId: PublisherId,
  names: readonly Pick<SourceEvent, 'source' | 'externalId'>[],
): Promise<KnownEvent[]> {
  return tx<KnownEvent[]>`
    select e.user_id, e.source, e.external_id, e.input_hash, e.transaction_id
    from ${asTable(tx, names, { source: 'plain', externalId: 'text' })}
    join source_claims c on c.publisher_id = ${publisherId} and c.source = given.source and c.external_id = given.external_id
    join source_events e on e.user_id = c.user_id and e.source = c.source and e.external_id = c.external_id`
}

/** Returns the purchases that these ids belong to: purchases with an event that has or references one of the ids. */
export async function listPurchaseKeys(
  reader: Reader,
  publisherId: PublisherId,
  wanted: readonly Omit<PurchaseKey, 'transactionId'>[],
): Promise<PurchaseKey[]> {
  return reader<PurchaseKey[]>`
    select given.user_id, given.source, given.external_id, e.transaction_id
    from ${asTable(reader, wanted, { userId: 'uuid', source: 'plain', externalId: 'text' })}
    cross join lateral (
      select transaction_id from source_events
      where publisher_id = ${publisherId} and user_id = given.user_id and source = given.source and external_id = given.external_id
      union all
      select transaction_id from source_events
      where publisher_id = ${publisherId} and user_id = given.user_id and source = given.source
        and original_external_id = given.external_id
      limit 1
    ) as e`
}

/** Maps the external ids of a user's card events to their transactions. */
export async function mapCardEventsToPurchases(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, TransactionId>> {
  if (externalIds.length === 0) return new Map()
  const wanted = externalIds.map((externalId) => ({ userId, source: 'CARD' as const, externalId }))
  const keys = await listPurchaseKeys(reader, publisherId, wanted)
  return new Map(keys.map((key) => [key.externalId, key.transactionId]))
}

/** Returns the external ids of a card purchase's events. */
export async function listCardPurchaseEvents(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  transactionId: TransactionId,
): Promise<string[]> {
  const rows = await reader<{ externalId: string }[]>`
    select external_id from source_events
    where user_id = ${userId} and publisher_id = ${publisherId} and transaction_id = ${transactionId} and source = 'CARD'
    order by external_id`
  return rows.map((row) => row.externalId)
}

/** A card event as reported. */
export type StoredCardEvent = Pick<EventRow, 'externalId' | 'kind' | 'amount' | 'currency' | 'occurredAt'> & {
  readonly merchantDescriptor: string
}

/** Returns a user's card events whose external ids have this prefix. */
export async function listCardEvents(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  idPrefix: string,
): Promise<StoredCardEvent[]> {
  return reader<StoredCardEvent[]>`
    select external_id, kind, amount, currency, occurred_at, coalesce(facts ->> 'merchantDescriptor', '') as merchant_descriptor
    from source_events
    where user_id = ${userId} and publisher_id = ${publisherId} and source = 'CARD' and starts_with(external_id, ${idPrefix})
    order by external_id`
}

export async function insertSourceEvents(
  tx: Tx,
  publisherId: PublisherId,
  events: readonly StoredEvent[],
): Promise<void> {
  const rows = events.map(({ facts, dateOnly, ...event }) => ({
    ...event,
    facts: dateOnly ? { ...facts, dateOnly } : facts,
  }))
  await tx`
    insert into source_events (user_id, event_id, transaction_id, publisher_id, source, external_id, kind, original_external_id, amount,
      currency, occurred_at, received_at, input_hash, facts)
    select user_id, event_id, transaction_id, ${publisherId}, source, external_id, kind, original_external_id, amount,
      currency, occurred_at, received_at, input_hash, facts
    from ${asTable(tx, rows, {
      userId: 'uuid',
      eventId: 'uuid',
      transactionId: 'uuid',
      source: 'plain',
      externalId: 'text',
      kind: 'plain',
      originalExternalId: 'text',
      amount: 'int8',
      currency: 'plain',
      occurredAt: 'timestamptz',
      receivedAt: 'timestamptz',
      inputHash: 'bytea',
      facts: 'jsonb',
    })}`
}

/** Moves the stored events of purchases that were merged into others. */
export async function moveEvents(
  tx: Tx,
  publisherId: PublisherId,
  merged: readonly { readonly userId: UserId; readonly from: TransactionId; readonly into: TransactionId }[],
): Promise<void> {
  if (merged.length === 0) return
  const rows = merged.map(({ userId, from: fromId, into: intoId }) => ({ userId, fromId, intoId }))
  await tx`
    update source_events as e set transaction_id = given.into_id
    from ${asTable(tx, rows, { userId: 'uuid', fromId: 'uuid', intoId: 'uuid' })}
    where e.publisher_id = ${publisherId} and e.user_id = given.user_id and e.transaction_id = given.from_id`
}

type StoredEvent = SourceEvent & { readonly transactionId: TransactionId }
type EventRow = Omit<StoredEvent, 'dateOnly'> & {
  readonly facts: SourceEvent['facts'] & { readonly dateOnly?: boolean }
}

/** Returns all events of these purchases. `isFeed` is not stored but derived from the feed rows. */
export async function listPurchaseEvents(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<StoredEvent[]> {
  const rows = await reader<EventRow[]>`
    select user_id, event_id, transaction_id, source, external_id, kind, original_external_id, amount, currency, occurred_at,
      received_at, input_hash, facts,
      source = 'CARD' and exists (
        select from feed_rows f where f.user_id = e.user_id and f.external_id = e.external_id
      ) as is_feed
    from source_events e
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
      and transaction_id = any(${ids as TransactionId[]}::uuid[])`
  return rows.map(({ facts: { dateOnly = false, ...facts }, ...row }) => ({ ...row, dateOnly, facts }))
}

/** A user's purchases at a brand from `since` on, all of which a change at that brand may affect. */
export type BrandSpan = { readonly userId: UserId; readonly brandUid: string; readonly since: Date }

/** A purchase in a span, or the last purchase before the span. */
export type Neighbour = Pick<Transaction, 'userId' | 'transactionId' | 'source' | 'externalId' | 'authorizedAt'> & {
  readonly brandUid: string
  /** False if the purchase was declined, merged, voided or lapsed, or if only its refund is known. */
  readonly isPurchase: boolean
  /** True if the purchase was made at or after the start of the span. */
  readonly isLater: boolean
  readonly hasMatured: boolean
  /** The catalog version it is judged against; null for the current one. */
  readonly judgedIn: number | null
  /** The stored terms of a later purchase that has not matured; null for any other. */
  readonly terms: Partial<Terms> | null
}

const isPurchase = (reader: Reader) => reader`
  coalesce(status_reason, '') not in ('declined', 'original_unknown', 'merged', 'authorization_expired')
    and not (status_reason is not distinct from 'reversed' and cleared_on is null)`

/**
 * Returns the purchases in each span, and the last one before it that makes the user a customer. `offset 0` forces a
 * separate index lookup for each span. Without it, the planner may join the spans and read all of the publisher's
 * transactions until the table is first analyzed.
 */
export async function listNeighbours(
  reader: Reader,
  publisherId: PublisherId,
  spans: readonly BrandSpan[],
): Promise<Neighbour[]> {
  if (spans.length === 0) return []
  return reader<Neighbour[]>`
    select given.user_id, given.brand_uid, t.*
    from ${asTable(reader, spans, { userId: 'uuid', brandUid: 'text', since: 'timestamptz' })}
    cross join lateral (
      (select transaction_id, source, external_id, authorized_at, ${isPurchase(reader)} as is_purchase, true as is_later,
        status = 'EARNED' as has_matured, judged_in, case when status <> 'EARNED' then terms end as terms
      from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and adjusts is null and authorized_at >= given.since
      offset 0)
      union all
      (select transaction_id, source, external_id, authorized_at, true, false, status = 'EARNED', judged_in, null
      from transactions
      where user_id = given.user_id and brand_uid = given.brand_uid and publisher_id = ${publisherId}
        and adjusts is null and authorized_at < given.since and ${isPurchase(reader)}
      order by authorized_at desc
      limit 1)
    ) as t`
}

/** Returns the time of the user's last purchase at each brand. */
export async function listLatestPurchases(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
): Promise<{ brandUid: string; at: Date }[]> {
  return reader<{ brandUid: string; at: Date }[]>`
    select brand_uid, max(authorized_at) as at from transactions
    where user_id = ${userId} and publisher_id = ${publisherId} and brand_uid is not null and adjusts is null
      and ${isPurchase(reader)}
    group by brand_uid`
}

/** Returns purchases that have lapsed without clearing, longest overdue first. */
export async function listLapsed(
  tx: Tx,
  publisherId: PublisherId,
  now: Date,
  limit: number,
): Promise<{ userId: UserId; transactionId: TransactionId }[]> {
  return tx<{ userId: UserId; transactionId: TransactionId }[]>`
    select user_id, transaction_id from transactions
    where publisher_id = ${publisherId} and lapses_at <= ${now}
    order by lapses_at, transaction_id
    limit ${limit}`
}

/** Returns the publishers with purchases that have lapsed by their own clocks. */
export async function listLapsedPublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  // all publishers: the worker's round
  const rows = await reader<{ publisherId: PublisherId }[]>`
    select p.publisher_id from publishers p
    where p.moves_at is null and exists (
      select 1 from transactions t
      where t.publisher_id = p.publisher_id
        and t.lapses_at <= ${nowOfPublisher(reader, realNow)})`
  return rows.map((row) => row.publisherId)
}

type Around = {
  readonly userId: UserId
  /** Only purchases at this brand or at an unknown brand; null for all. */
  readonly brandUid: string | null
  readonly from: Date
  readonly until: Date
  readonly at: Date
  readonly limit: number
}

/** Returns a user's purchases within a period, sorted by proximity to `at`. */
export async function listPurchasesAround(
  reader: Reader,
  publisherId: PublisherId,
  { userId, brandUid, from, until, at, limit }: Around,
): Promise<Transaction[]> {
  const rows = await reader<Parameters<typeof toTransaction>[0][]>`
    select ${listTransactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = ${userId} and t.adjusts is null
      and t.authorized_at >= ${from} and t.authorized_at < ${until}
      ${brandUid === null ? reader`` : reader`and coalesce(t.brand_uid, ${brandUid}) = ${brandUid}`}
    order by abs(extract(epoch from t.authorized_at - ${at}::timestamptz)), t.transaction_id
    limit ${limit}`
  return rows.map(toTransaction)
}
