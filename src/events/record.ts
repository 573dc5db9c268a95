import { asTable, type Tx } from '../platform/db/database.ts'
import { type Id, newUuid, type UserId } from '../platform/ids.ts'
import { type Notice, queueNotices } from '../tenants/accounts/index.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { packData } from './stored-data.ts'

export const EVENT_TYPES = [
  'transaction.created',
  'transaction.updated',
  'reward.available',
  'reward.reversed',
  'user.created',
  'user.updated',
  'user.terms_accepted',
  'user.marketing_chosen',
  'user.deactivated',
  'user.erased',
  'card.linked',
  'card.updated',
  'card.unlinked',
  'card.reauthentication_required',
  'card.duplicate_detected',
  'link.new_accounts_available',
  'link.failed',
  'redemption.created',
  'redemption.approved',
  'redemption.sent',
  'redemption.completed',
  'redemption.failed',
  'redemption.returned',
  'redemption.cancelled',
  'adjustment.booked',
  'claim.opened',
  'claim.decided',
  'gift_card.ordered',
  'gift_card.delivered',
  'gift_card.failed',
  'gift_card.refunded',
  'gift_card.refund_refused',
  'payout_destination.updated',
  'payout_destination.removed',
  'statement.closed',
  'report.ready',
  'webhook.test',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
export type EventId = Id<'event'>
export type EndpointId = Id<'endpoint'>

export type EventRecord = {
  readonly type: EventType
  /** The user that the event is about; null if it is about the publisher itself. */
  readonly userId: UserId | null
  /** The full object as sent to receivers, including its `version` if it has one. */
  readonly data: object
  /** The previous values of changed members, in the same shape. */
  readonly previous?: object | null
}

/**
 * Returns the previous values of the members that differ, leaving out the version and update time, which always differ.
 */
export function diffMembers<T extends object>(before: T, after: T): Partial<T> {
  const now = new Map<string, unknown>(Object.entries(after))
  const former = Object.entries(before).filter(
    ([name, value]) => name !== 'version' && name !== 'updated_at' && now.get(name) !== value,
  )
  return Object.fromEntries(former) as Partial<T>
}

/** Records events in the transaction that causes them, in order. They are numbered and delivered after it commits. */
export async function recordEvents(
  tx: Tx,
  publisher: Publisher,
  records: readonly EventRecord[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return
  const rows = records.map((record) => ({ ...record, eventId: newUuid<'event'>() }))
  await insertEvents(tx, publisher, rows, null, now)
  await queueNotices(tx, publisher.id, toNotices(records))
}

/** The email notifications triggered by events. */
const NOTICE_OF: Partial<Record<EventType, Notice>> = {
  'reward.available': 'reward_ready',
  'redemption.completed': 'redemption_paid',
  'card.reauthentication_required': 'card_broken',
}

function toNotices(records: readonly EventRecord[]) {
  return records.flatMap(({ type, userId }) => {
    const kind = NOTICE_OF[type]
    return kind === undefined || userId === null ? [] : [{ userId, kind }]
  })
}

/** Records an event for a single endpoint. It appears in the feed like any other. */
export async function recordEventFor(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  record: EventRecord,
  now: Date,
): Promise<EventId> {
  const eventId = newUuid<'event'>()
  await insertEvents(tx, publisher, [{ ...record, eventId }], endpointId, now)
  return eventId
}

async function insertEvents(
  tx: Tx,
  publisher: Publisher,
  records: readonly (EventRecord & { readonly eventId: EventId })[],
  endpointId: EndpointId | null,
  now: Date,
): Promise<void> {
  const rows = records.map((record) => ({
    ...record,
    userId: record.userId ?? publisher.id,
    storedData: packData(record.data),
  }))
  // Sorting by ID restores the order in which this process created the events.
  await tx`
    with given as materialized (
      select * from ${asTable(tx, rows, { userId: 'uuid', eventId: 'uuid', type: 'plain', storedData: 'json', previous: 'json' })}
    ),
    recorded as (
      insert into events (user_id, event_id, publisher_id, type, stored_data, previous, created_at)
      select user_id, event_id, ${publisher.id}, type, stored_data, previous, ${now} from given
    )
    insert into event_queue (publisher_id, user_id, event_id, type, endpoint_id)
    select ${publisher.id}, user_id, event_id, type, ${endpointId}::uuid
    from given
    order by event_id`
}
