import type { Reader } from '../platform/db/database.ts'
import { decodeUuidTime, type PublisherId, type UserId } from '../platform/ids.ts'
import type { Permission } from '../tenants/access/index.ts'

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

type Kind = {
  readonly prefix: string
  /** The permission required to see results of this kind. */
  readonly permission: Permission
  readonly table: string
  readonly idColumn: string
  /** SQL for the title of row `t`. */
  readonly title: string
  readonly isOfUser?: true
  /** True if the index on the table's IDs starts with the publisher's ID. The titles are then qualified by `t`. */
  readonly isIndexedByPublisher?: true
  /** SQL condition that rows must meet. */
  readonly only?: string
}

function kind(prefix: string, permission: Permission, column: string, title: string): Kind {
  const [table = '', idColumn = ''] = column.split('.')
  return { prefix, permission, table, idColumn, title }
}
const ofUser = (...given: Parameters<typeof kind>): Kind => ({ ...kind(...given), isOfUser: true })
const indexedByPublisher = (found: Kind): Kind => ({ ...found, isIndexedByPublisher: true })

const PURCHASE_TITLE = 'coalesce(t.merchant_name, t.merchant_descriptor, t.external_id)'
const GIFT_CARD_TITLE =
  '(select o.offer_uid from gift_card_orders o where o.user_id = t.user_id and o.order_id = t.order_id)'
const SALE_TITLE = "network || ', ' || coalesce(order_id, transaction_id)"
const STAFF = { title: "coalesce(nullif(name, ''), email)", only: "kind <> 'user'" }

/** Everything that can be found by its ID. */
export const KINDS = {
  publisher: kind('pub', 'publishers:read', 'publishers.publisher_id', 'name'),
  user: ofUser('usr', 'users:read', 'users.user_id', 'publisher_user_id'),
  transaction: indexedByPublisher(ofUser('txn', 'transactions:read', 'transactions.transaction_id', PURCHASE_TITLE)),
  claim: ofUser('clm', 'claims:read', 'claims.claim_id', 'external_ref'),
  redemption: ofUser('rdm', 'redemptions:read', 'redemptions.redemption_id', 'coalesce(external_ref, method)'),
  adjustment: ofUser('adj', 'adjustments:read', 'adjustments.adjustment_id', 'reason'),
  gift_card_order: ofUser('gco', 'gift-cards:read', 'gift_card_orders.order_id', 'offer_uid'),
  webhook_endpoint: {
    ...kind('whe', 'webhooks:read', 'webhook_endpoints.endpoint_id', 'url'),
    only: 'deleted_at is null',
  },
  webhook_delivery: indexedByPublisher(kind('dlv', 'webhooks:read', 'webhook_deliveries.delivery_id', 't.type')),
  api_key: indexedByPublisher(kind('key', 'keys:read', 'api_keys.key_id', "t.prefix || '…' || t.last_four")),
  account: { ...kind('acc', 'staff:read', 'accounts.account_id', STAFF.title), only: STAFF.only },
  payment: kind('pay', 'payments:read', 'payments.payment_id', 'external_ref'),
  statement: kind('stm', 'statements:read', 'statements.statement_id', "party_name || ', ' || month"),
  report: indexedByPublisher(kind('rpt', 'publishers:read', 'report_orders.report_id', 't.kind')),
  card: ofUser('crd', 'users:read', 'cards.card_id', "concat_ws(' … ', name, mask)"),
  gift_card: ofUser('gcd', 'gift-cards:read', 'gift_cards.card_id', GIFT_CARD_TITLE),
  postback: ofUser('pbk', 'postbacks:read', 'postbacks.postback_id', SALE_TITLE),
  payout_file: kind('pof', 'payout-files:read', 'payout_files.file_id', "format || ', ' || pay_on"),
  rematch: kind('rmt', 'rematches:read', 'rematches.rematch_id', 'reason'),
  erasure: ofUser('era', 'users:read', 'erasures.erasure_id', 'pseudonym'),
  review: kind('rev', 'reviews:read', 'review_items.review_id', 'template'),
} as const satisfies Readonly<Record<string, Kind>>

export type IdentifiedKind = keyof typeof KINDS
export const IDENTIFIED_KINDS = Object.keys(KINDS) as readonly IdentifiedKind[]

/** Finds the row with this ID, and its title, through an index. */
export async function findById(reader: Reader, name: IdentifiedKind, id: string): Promise<readonly FoundRow[]> {
  const { table, idColumn, title, isOfUser, isIndexedByPublisher, only = 'true' }: Kind = KINDS[name]
  return reader<FoundRow[]>`
    -- all publishers: operators look for anything; all users: they know only its ID
    select t.${reader(idColumn)} as uuid, ${reader.unsafe(title)} as title, t.publisher_id,
      ${isOfUser ? reader`t.user_id` : reader`null::uuid`} as user_id
    from ${isIndexedByPublisher ? reader`publishers p join ${reader(table)} t using (publisher_id)` : reader`${reader(table)} t`}
    where t.${reader(idColumn)} = ${id} and ${reader.unsafe(only)}`
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
    select account_id as uuid, ${reader.unsafe(STAFF.title)} as title, publisher_id, null::uuid as user_id
    from accounts where lower(email) = lower(${email}) and ${reader.unsafe(STAFF.only)}`
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
