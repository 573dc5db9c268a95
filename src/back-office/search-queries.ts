import type { Reader } from '../platform/db/database.ts'
import { decodeUuidTime, type PublisherId, type UserId } from '../platform/ids.ts'

// Needed because an event ID's time comes from the service's clock, but a delivery's time from the database's.
const CLOCK_SKEW = '1 minute'
// Long enough even if no worker has planned deliveries for hours.
const PLANNED_WITHIN = '1 day'

/** A search result, with its title and owner. */
export type FoundRow = {
  readonly uuid: string
  readonly title: string
  /** Null if it belongs to the operating company. */
  readonly publisherId: PublisherId | null
  readonly userId: UserId | null
}

// Each statement finds the row with this ID, along with its title, through an index.
const BY_ID = {
  publisher: (reader: Reader, id: string) => reader<FoundRow[]>`
    select publisher_id as uuid, name as title, publisher_id, null::uuid as user_id
    from publishers where publisher_id = ${id}`,
  user: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any user
    select user_id as uuid, publisher_user_id as title, publisher_id, user_id from users where user_id = ${id}`,
  transaction: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all users: operators know only its ID
    select t.transaction_id as uuid, coalesce(t.merchant_name, t.merchant_descriptor, t.external_id) as title,
      t.publisher_id, t.user_id
    from publishers p join transactions t on t.publisher_id = p.publisher_id and t.transaction_id = ${id}`,
  claim: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any claim; all users: they know only its ID
    select claim_id as uuid, external_ref as title, publisher_id, user_id from claims where claim_id = ${id}`,
  redemption: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any redemption; all users: they know only its ID
    select redemption_id as uuid, coalesce(external_ref, method) as title, publisher_id, user_id
    from redemptions where redemption_id = ${id}`,
  adjustment: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any adjustment; all users: they know only its ID
    select adjustment_id as uuid, reason as title, publisher_id, user_id from adjustments where adjustment_id = ${id}`,
  gift_card_order: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any order; all users: they know only its ID
    select order_id as uuid, offer_uid as title, publisher_id, user_id from gift_card_orders where order_id = ${id}`,
  webhook_endpoint: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any endpoint
    select endpoint_id as uuid, url as title, publisher_id, null::uuid as user_id
    from webhook_endpoints where endpoint_id = ${id} and deleted_at is null`,
  webhook_delivery: (reader: Reader, id: string) => reader<FoundRow[]>`
    select d.delivery_id as uuid, d.type as title, d.publisher_id, null::uuid as user_id
    from publishers p join webhook_deliveries d on d.publisher_id = p.publisher_id and d.delivery_id = ${id}`,
  api_key: (reader: Reader, id: string) => reader<FoundRow[]>`
    select k.key_id as uuid, k.prefix || '…' || k.last_four as title, k.publisher_id, null::uuid as user_id
    from publishers p join api_keys k on k.publisher_id = p.publisher_id and k.key_id = ${id}`,
  account: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any person of the staff
    select account_id as uuid, coalesce(nullif(name, ''), email) as title, publisher_id, null::uuid as user_id
    from accounts where account_id = ${id} and kind <> 'user'`,
  payment: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any payment
    select payment_id as uuid, external_ref as title, publisher_id, null::uuid as user_id
    from payments where payment_id = ${id}`,
  statement: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any statement
    select statement_id as uuid, party_name || ', ' || month as title, publisher_id, null::uuid as user_id
    from statements where statement_id = ${id}`,
  report: (reader: Reader, id: string) => reader<FoundRow[]>`
    select r.report_id as uuid, r.kind as title, r.publisher_id, null::uuid as user_id
    from publishers p join report_orders r on r.publisher_id = p.publisher_id and r.report_id = ${id}`,
  card: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any card; all users: they know only its ID
    select card_id as uuid, concat_ws(' … ', name, mask) as title, publisher_id, user_id from cards where card_id = ${id}`,
  gift_card: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any gift card; all users: they know only its ID
    select c.card_id as uuid, o.offer_uid as title, c.publisher_id, c.user_id
    from gift_cards c join gift_card_orders o using (user_id, order_id) where c.card_id = ${id}`,
  postback: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any postback; all users: they know only its ID
    select postback_id as uuid, network || ', ' || coalesce(order_id, transaction_id) as title, publisher_id, user_id
    from postbacks where postback_id = ${id}`,
  payout_file: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any payout file
    select file_id as uuid, format || ', ' || pay_on as title, publisher_id, null::uuid as user_id
    from payout_files where file_id = ${id}`,
  rematch: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any re-match
    select rematch_id as uuid, reason as title, publisher_id, null::uuid as user_id
    from rematches where rematch_id = ${id}`,
  erasure: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any erasure; all users: they know only its ID
    select erasure_id as uuid, pseudonym as title, publisher_id, user_id from erasures where erasure_id = ${id}`,
  review: (reader: Reader, id: string) => reader<FoundRow[]>`
    -- all publishers: operators look for any review
    select review_id as uuid, template as title, publisher_id, null::uuid as user_id
    from review_items where review_id = ${id}`,
} as const satisfies Readonly<Record<string, (reader: Reader, id: string) => PromiseLike<readonly FoundRow[]>>>

export type IdentifiedKind = keyof typeof BY_ID
export const IDENTIFIED_KINDS = Object.keys(BY_ID) as readonly IdentifiedKind[]

export async function findById(reader: Reader, kind: IdentifiedKind, id: string): Promise<readonly FoundRow[]> {
  return BY_ID[kind](reader, id)
}

/**
 * Finds the first deliveries of an event, one per endpoint. Deliveries are planned with the event or seconds later.
 * They are indexed by time, not by event, so the search uses the recording time contained in the event's ID.
 */
export async function findDeliveriesByEvent(
  reader: Reader,
  eventId: string,
  limit: number,
): Promise<readonly FoundRow[]> {
  const recordedAt = decodeUuidTime(eventId)
  return reader<FoundRow[]>`
    with first as (
      -- all publishers: operators look for any event; all users: they know only its ID
      select created_at from webhook_deliveries
      where event_id = ${eventId} and created_at between ${recordedAt}::timestamptz - ${CLOCK_SKEW}::interval
        and ${recordedAt}::timestamptz + ${PLANNED_WITHIN}::interval
      order by created_at limit 1
    )
    -- all publishers: as above; all users: as above
    select d.delivery_id as uuid, d.type as title, d.publisher_id, d.user_id
    from first join webhook_deliveries d on d.created_at = first.created_at and d.event_id = ${eventId}
    order by d.position
    limit ${limit}`
}

/**
 * Finds users by email address or by their publisher's identifier for them.
 * @param userIds the user IDs derived from the identifier, one for each publisher
 */
export async function findUsersCalled(
  reader: Reader,
  publisherIds: readonly PublisherId[],
  userIds: readonly UserId[],
  text: string,
  limit: number,
): Promise<readonly FoundRow[]> {
  return reader<FoundRow[]>`
    select user_id as uuid, coalesce(email, publisher_user_id) as title, publisher_id, user_id
    from (
      select user_id, email, publisher_user_id, publisher_id from users
      where user_id = any(${userIds as UserId[]}::uuid[]) and publisher_user_id = ${text}
      union
      select user_id, email, publisher_user_id, publisher_id from users
      where publisher_id = any(${publisherIds as PublisherId[]}::uuid[]) and lower(email) = lower(${text})
    ) as u
    order by publisher_id, user_id
    limit ${limit}`
}

/** Finds the staff member with this email address, at the operating company or at a publisher. */
export async function findStaffAt(reader: Reader, email: string): Promise<readonly FoundRow[]> {
  return reader<FoundRow[]>`
    -- all publishers: operators look for any person of the staff
    select account_id as uuid, coalesce(nullif(name, ''), email) as title, publisher_id, null::uuid as user_id
    from accounts where lower(email) = lower(${email}) and kind <> 'user'`
}

/** Finds transactions by the ID under which one of their source events was reported. */
export async function findReported(
  reader: Reader,
  publisherIds: readonly PublisherId[],
  sources: readonly string[],
  externalId: string,
  limit: number,
): Promise<readonly FoundRow[]> {
  return reader<FoundRow[]>`
    select distinct t.transaction_id as uuid, coalesce(t.merchant_name, t.merchant_descriptor, t.external_id) as title,
      t.publisher_id, t.user_id
    from source_claims c
    join source_events e on e.user_id = c.user_id and e.source = c.source and e.external_id = c.external_id
    join transactions t on t.user_id = e.user_id and t.transaction_id = e.transaction_id
    where c.publisher_id = any(${publisherIds as PublisherId[]}::uuid[]) and c.source = any(${sources as string[]}::text[])
      and c.external_id = ${externalId}
    order by t.publisher_id, uuid
    limit ${limit}`
}
