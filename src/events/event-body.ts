import { encodeId, type PublisherId } from '../platform/ids.ts'
import type { EventId } from './record.ts'
import { toDataText } from './stored-data.ts'

/** An event with its sequence number, as stored. */
export type NumberedEvent = {
  readonly eventId: EventId
  readonly type: string
  readonly createdAt: Date
  readonly publisherId: PublisherId
  readonly environment: 'sandbox' | 'production'
  readonly sequence: bigint
  /** JSON as stored. */
  readonly data: string
  readonly previous: string | null
}

/** Returns the event as it is delivered, with the same bytes at every attempt. */
export function buildEventBody(event: NumberedEvent): string {
  const head = JSON.stringify({
    id: encodeId('evt', event.eventId),
    type: event.type,
    created_at: event.createdAt.toISOString(),
    publisher_id: encodeId('pub', event.publisherId),
    environment: event.environment,
    sequence: Number(event.sequence),
  })
  return `${head.slice(0, -1)},"data":${toDataText(event.data)},"previous":${event.previous ?? 'null'}}`
}
