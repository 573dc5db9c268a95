import type { Reader } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'

/** Returns the time of the first event still waiting for the sequencer. */
export async function findOldestUnsequenced(reader: Reader): Promise<Date | null> {
  const [head] = await reader<{ userId: UserId; eventId: string }[]>`
    -- all publishers: one queue
    select user_id, event_id from event_queue order by ordinal limit 1`
  if (head === undefined) return null
  const [row] = await reader<{ createdAt: Date }[]>`
    -- all publishers: one queue
    select created_at from events where user_id = ${head.userId} and event_id = ${head.eventId}`
  return row?.createdAt ?? null
}

// Enough to show the scale of a problem. Counting more each time would take too long.
const PUBLISHER_EXHAUSTED_MAX = 1_000
const EXHAUSTED_MAX = 10_000

type Exhausted = { readonly environment: 'sandbox' | 'production'; readonly count: number }

/**
 * Counts the deliveries exhausted after an instant, except those queued again since then and those of disabled or
 * deleted endpoints. If a publisher has too many, only its newest are counted.
 */
export async function listExhausted(reader: Reader, after: Date): Promise<Exhausted[]> {
  return reader<Exhausted[]>`
    -- all publishers: totals for metrics
    select one.environment, count(*)::int as count
    from (
      select p.environment, d.*
      from (select publisher_id, environment from publishers order by environment) as p
      cross join lateral (
        select endpoint_id, user_id, event_id, position, last_attempt_at from webhook_deliveries
        where publisher_id = p.publisher_id and exhausted_position is not null
        order by exhausted_position desc
        limit ${PUBLISHER_EXHAUSTED_MAX}
      ) as d
      limit ${EXHAUSTED_MAX}
    ) as one
    join webhook_endpoints e on e.endpoint_id = one.endpoint_id and e.status <> 'disabled' and e.deleted_at is null
    where one.last_attempt_at > ${after} and not exists (
      select 1 from webhook_deliveries later
      where later.endpoint_id = one.endpoint_id and later.user_id = one.user_id and later.position > one.position
        and later.event_id = one.event_id
    )
    group by one.environment`
}

type Backlog = { readonly environment: 'sandbox' | 'production'; readonly due: number }

export async function listBacklogs(reader: Reader, now: Date): Promise<Backlog[]> {
  return reader<Backlog[]>`
    -- all publishers: totals for metrics
    select p.environment, count(*)::int as due
    from webhook_queues q
    join webhook_endpoints e on e.endpoint_id = q.endpoint_id and e.status = 'enabled' and e.deleted_at is null
    join publishers p on p.publisher_id = q.publisher_id
    where q.due_at <= ${now}
    group by p.environment`
}
