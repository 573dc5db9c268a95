import type { Reader } from '../../platform/db/database.ts'
import { encodeId, type PublisherId, type TransactionId, type UserId } from '../../platform/ids.ts'
import { selectMember } from '../feed/announced-queries.ts'
import type { EventId } from '../record.ts'
import type { Delivery } from './delivery.ts'
import { deliveryColumns } from './delivery-queries.ts'

type Announcement = {
  readonly eventId: EventId
  readonly type: string
  readonly createdAt: Date
  readonly deliveries: readonly Delivery[]
}

/** Lists the events about a user's transaction, oldest first, with their deliveries. */
export async function listAnnouncements(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  transactionId: TransactionId,
): Promise<Announcement[]> {
  const events = await reader<Omit<Announcement, 'deliveries'>[]>`
    select event_id, type, created_at
    from events
    where publisher_id = ${publisherId} and user_id = ${userId}
      and ${selectMember(reader, 'transaction_uid')} = ${encodeId('txn', transactionId)}
    order by event_id`
  // The endpoint filter makes the query read the endpoints' queues instead of all of the publisher's deliveries.
  const deliveries = await reader<Delivery[]>`
    select ${deliveryColumns(reader)}
    from webhook_deliveries d
    where publisher_id = ${publisherId} and user_id = ${userId}
      and endpoint_id in (
        select endpoint_id from webhook_endpoints where publisher_id = ${publisherId} and deleted_at is null
      )
      and event_id = any(${events.map(({ eventId }) => eventId)}::uuid[])
    order by position`
  return events.map((event) => ({
    ...event,
    deliveries: deliveries.filter(({ eventId }) => eventId === event.eventId),
  }))
}
