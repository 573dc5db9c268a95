import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { countWaiting, WAITING_MAX, type WaitingCount } from '../../platform/queue/waiting.ts'

// Takes about 10 ms to read and covers more than one page of the delivery list.
export const DELIVERIES_EXAMINED = 5_000

type WebhookHealth = {
  readonly endpoints: number
  readonly failing: number
  readonly stopped: number
  readonly queuesWaiting: number
  /** Counts of the newest deliveries only. */
  readonly delivered: number
  readonly pending: number
  readonly exhausted: number
}

/** @param publisherId null for all publishers */
export async function findWebhookHealth(reader: Reader, publisherId: PublisherId | null): Promise<WebhookHealth> {
  const own = publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`
  const [row] = await reader<[WebhookHealth]>`
    -- all publishers: the operators' overview
    with live as (
      select endpoint_id, status, failing_since from webhook_endpoints where deleted_at is null ${own}
    ), newest as (
      select status from webhook_deliveries where true ${own} order by position desc limit ${DELIVERIES_EXAMINED}
    )
    select
      (select count(*) from live)::int as endpoints,
      (select count(*) from live where failing_since is not null)::int as failing,
      (select count(*) from live where status <> 'enabled')::int as stopped,
      (select count(*) from (select 1 from live join webhook_queues using (endpoint_id) limit ${WAITING_MAX}) as q)::int
        as queues_waiting,
      (select count(*) from newest where status = 'delivered')::int as delivered,
      (select count(*) from newest where status = 'pending')::int as pending,
      (select count(*) from newest where status = 'exhausted')::int as exhausted`
  return row
}

/** Counts the endpoints whose most recent attempt failed. */
export function countFailingEndpoints(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: the operators' desk
      select failing_since as since from webhook_endpoints
      where failing_since is not null and deleted_at is null
      order by failing_since
      limit ${limit}`,
  )
}
