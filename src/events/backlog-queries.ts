import type { Reader } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'

/** When the first event in the queue of the sequencer happened. */
export async function oldestUnsequenced(reader: Reader): Promise<Date | null> {
  const [head] = await reader<{ userId: UserId; eventId: string }[]>`
    -- all publishers: one queue
    select user_id, event_id from event_queue order by ordinal limit 1`
  if (head === undefined) return null
  const [row] = await reader<{ createdAt: Date }[]>`
    -- all publishers: one queue
    select created_at from events where user_id = ${head.userId} and event_id = ${head.eventId}`
  return row?.createdAt ?? null
}

type Backlog = { readonly environment: 'sandbox' | 'production'; readonly due: number }

export async function listBacklogs(reader: Reader, now: Date): Promise<Backlog[]> {
  return reader<Backlog[]>`
    -- all publishers: for whoever watches the service
    select p.environment, count(*)::int as due
    from webhook_queues q
    join webhook_endpoints e on e.endpoint_id = q.endpoint_id and e.status = 'enabled' and e.deleted_at is null
    join publishers p on p.publisher_id = q.publisher_id
    where q.due_at <= ${now}
    group by p.environment`
}
