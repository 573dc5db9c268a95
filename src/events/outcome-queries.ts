import { plainArray, type Tx } from '../platform/database.ts'
import type { LaneKey } from './claim-queries.ts'
import type { EndpointId } from './record.ts'
import type { Health, Outcome, Verdict } from './rules.ts'

export type Attempt = {
  /** Which delivery of the lane it was. */
  readonly position: bigint
  readonly at: Date
  readonly outcome: Outcome
  readonly verdict: Verdict
}

/** A lane given back: what was tried, perhaps nothing. */
export type LaneResult = LaneKey & {
  readonly claimId: string
  /** Whether the endpoint was failing when the lane was claimed. */
  readonly wasFailing: boolean
  readonly attempts: readonly Attempt[]
}

/**
 * Locks the lanes whose claim still stands, records what was tried in them, and answers which they are. A lane whose
 * lease ran out belongs to whoever claimed it since, and so does the word about its deliveries.
 */
export async function recordAttempts(tx: Tx, results: readonly LaneResult[]): Promise<Set<string>> {
  const tried = results.flatMap(({ attempts }, place) => attempts.map((attempt) => ({ place: place + 1, ...attempt })))
  // all publishers: the lanes this worker claimed
  const rows = await tx<LaneKey[]>`
    with own as materialized (
      select l.endpoint_id, l.user_id, mine.place
      from unnest(
        ${plainArray(results.map((one) => one.endpointId))}::text::uuid[],
        ${plainArray(results.map((one) => one.userId))}::text::uuid[],
        ${plainArray(results.map((one) => one.claimId))}::text::uuid[]
      ) with ordinality as mine (endpoint_id, user_id, claim_id, place)
      join webhook_lanes l
        on l.endpoint_id = mine.endpoint_id and l.user_id = mine.user_id and l.claim_id = mine.claim_id
      order by l.endpoint_id, l.user_id
      for update of l
    ),
    recorded as (
      update webhook_deliveries d set
        status = done.status, attempts = done.attempts, last_attempt_at = done.at, next_attempt_at = done.next_at,
        response_status = done.response_status, error = done.error,
        exhausted_position = case when done.status = 'exhausted' then d.position end
      from unnest(
        ${plainArray(tried.map((one) => one.place))}::text::int[],
        ${plainArray(tried.map((one) => one.position))}::text::bigint[],
        ${plainArray(tried.map((one) => one.verdict.status))}::text::text[],
        ${plainArray(tried.map((one) => one.verdict.attempts))}::text::int[],
        ${plainArray(tried.map((one) => one.at.toISOString()))}::text::timestamptz[],
        ${plainArray(tried.map((one) => textOf(one.verdict.nextAttemptAt)))}::text::timestamptz[],
        ${plainArray(tried.map((one) => one.outcome.responseStatus))}::text::smallint[],
        ${plainArray(tried.map((one) => one.outcome.error))}::text::text[]
      ) as done (place, position, status, attempts, at, next_at, response_status, error)
      join own on own.place = done.place
      where d.endpoint_id = own.endpoint_id and d.user_id = own.user_id and d.position = done.position
    )
    select endpoint_id, user_id from own`
  return new Set(rows.map(laneName))
}

export function laneName(lane: LaneKey): string {
  return `${lane.endpointId}/${lane.userId}`
}

/**
 * Gives locked lanes back: one with nothing pending goes, any other is due when its first delivery is. A statement of
 * its own after the lock, for only then does it see everything that was added before the lock was held.
 */
export async function releaseLanes(tx: Tx, lanes: readonly LaneKey[]): Promise<void> {
  // all publishers: the lanes this worker claimed
  await tx`
    with heads as materialized (
      -- Where a row lies stays true while it is locked, and is found without an index.
      select l.ctid as place, head.position, head.next_attempt_at
      from unnest(
        ${plainArray(lanes.map((lane) => lane.endpointId))}::text::uuid[],
        ${plainArray(lanes.map((lane) => lane.userId))}::text::uuid[]
      ) as lane (endpoint_id, user_id)
      join webhook_lanes l on l.endpoint_id = lane.endpoint_id and l.user_id = lane.user_id
      left join lateral (
        select d.position, d.next_attempt_at from webhook_deliveries d
        where d.endpoint_id = l.endpoint_id and d.user_id = l.user_id and d.position >= l.position
          and d.status = 'pending'
        order by d.position
        limit 1
      ) as head on true
    ),
    emptied as (
      delete from webhook_lanes l using heads h where l.ctid = h.place and h.position is null
    )
    update webhook_lanes l set
      claim_id = null, leased_until = null, position = h.position, due_at = coalesce(h.next_attempt_at, '-infinity')
    from heads h
    where l.ctid = h.place and h.position is not null`
}

export type EndpointHealth = Health & { readonly endpointId: EndpointId }

export async function lockHealth(tx: Tx, endpointIds: readonly EndpointId[]): Promise<EndpointHealth[]> {
  // all publishers: the endpoints this worker called
  return tx<EndpointHealth[]>`
    select endpoint_id, status, failures, failing_since, throttled_until
    from webhook_endpoints
    where endpoint_id = any(${endpointIds as EndpointId[]}::uuid[]) and deleted_at is null
    order by endpoint_id
    for update`
}

/** Stopping keeps the last number of the feed: nothing above it was handed to the endpoint. */
export async function updateHealth(tx: Tx, health: readonly EndpointHealth[]): Promise<void> {
  // all publishers: the endpoints this worker called
  await tx`
    update webhook_endpoints e set
      status = now.status, failures = now.failures, failing_since = now.failing_since, throttled_until = now.throttled_until,
      stopped_after_sequence = case when e.status = 'enabled' and now.status <> 'enabled'
        then coalesce((select last_sequence from event_sequences s where s.publisher_id = e.publisher_id), 0)
        else e.stopped_after_sequence end
    from unnest(
      ${health.map((one) => one.endpointId)}::uuid[], ${health.map((one) => one.status)}::text[],
      ${health.map((one) => one.failures)}::int[], ${health.map((one) => textOf(one.failingSince))}::timestamptz[],
      ${health.map((one) => textOf(one.throttledUntil))}::timestamptz[]
    ) as now (endpoint_id, status, failures, failing_since, throttled_until)
    where e.endpoint_id = now.endpoint_id`
}

/** The driver knows a Date, but not an array of them. */
function textOf(instant: Date | null): string | null {
  return instant?.toISOString() ?? null
}
