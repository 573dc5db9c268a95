import type { Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { insertQueues, keepEvents } from './delivery-queries.ts'
import { preferLookups } from './lease-queries.ts'

/**
 * A delivery is stranded if it is pending but its queue starts after it or no longer exists. It would never be sent,
 * and its event would be dropped undelivered. Replays in earlier versions could leave stranded deliveries. They are
 * found by scanning, because an index on pending deliveries would cost two writes per delivery.
 */

type Place = { readonly publisherId: PublisherId; readonly position: bigint }

// About 50 ms of work once a minute, which covers 29 million deliveries a day.
const LOOKED_MAX = 20_000

/**
 * Scans the deliveries after a position and queues the stranded ones. Returns the last position scanned; null at the
 * end.
 */
export async function queueStranded(tx: Tx, after: Place | null, limit = LOOKED_MAX): Promise<Place | null> {
  await preferLookups(tx)
  const [place] = await tx<Place[]>`
    -- all publishers: one worker looks for everyone
    with looked as materialized (
      select publisher_id, position, endpoint_id, user_id, status from webhook_deliveries
      ${after === null ? tx`` : tx`where (publisher_id, position) > (${after.publisherId}, ${after.position})`}
      order by publisher_id, position
      limit ${limit}
    ),
    beside as materialized (
      select publisher_id, position from looked l
      where status = 'pending' and not exists (
        select 1 from webhook_queues q
        where q.endpoint_id = l.endpoint_id and q.user_id = l.user_id and q.position <= l.position
      )
    ),
    stranded as materialized (
      select d.publisher_id, d.endpoint_id, d.user_id, d.position
      from beside b
      join webhook_deliveries d on d.publisher_id = b.publisher_id and d.position = b.position
      join webhook_endpoints e on e.publisher_id = d.publisher_id and e.endpoint_id = d.endpoint_id
      join event_feed f on f.publisher_id = d.publisher_id and f.sequence = d.sequence
      where d.status = 'pending'
      for update of d
      ${keepEvents(tx)}
    ),
    ${insertQueues(tx, 'stranded')}
    select publisher_id, position from looked order by publisher_id, position offset ${limit - 1}`
  return place ?? null
}
