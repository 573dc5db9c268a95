import type { Reader } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import type { NumberedEvent } from './event-body.ts'

/** The publisher's events after a number, in order and without gaps. */
export async function listEventsAfter(
  reader: Reader,
  publisher: Publisher,
  after: number,
  limit: number,
): Promise<NumberedEvent[]> {
  const rows = await reader<Omit<NumberedEvent, 'environment'>[]>`
    select f.sequence, f.publisher_id, e.event_id, e.type, e.created_at,
      e.stored_data::text as data, e.previous::text as previous
    from event_feed f
    join events e on e.user_id = f.user_id and e.event_id = f.event_id
    where f.publisher_id = ${publisher.id} and f.sequence > ${after}
    order by f.sequence
    limit ${limit}`
  return rows.map((row) => ({ ...row, environment: publisher.environment }))
}

/** The newest sequence of the publisher's feed, 0 before the first. */
export async function lastSequence(reader: Reader, publisher: Publisher): Promise<number> {
  const [row] = await reader<{ last: bigint }[]>`
    select last_sequence as last from event_sequences where publisher_id = ${publisher.id}`
  return Number(row?.last ?? 0)
}
