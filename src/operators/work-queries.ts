import type { Reader } from '../platform/database.ts'
import { countWaiting, type WaitingCount } from '../platform/waiting.ts'

/** The work that is due and not done yet, by queue; each is counted in the order of an index, and only so far. */
export const WORK_QUEUES = {
  facts: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: the service's own work
        select due_at as since from facts where due_at <= ${now} order by due_at limit ${limit}`,
    ),
  events: (reader) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: the service's own work
        select null::timestamptz as since from event_queue order by ordinal limit ${limit}`,
    ),
  webhooks: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: the service's own work
        select q.due_at as since
        from webhook_endpoints e join webhook_queues q on q.endpoint_id = e.endpoint_id and q.due_at <= ${now}
        where e.status = 'enabled' and e.deleted_at is null
        limit ${limit}`,
    ),
  feeds: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select sync_due_at as since from linker_items where sync_due_at <= ${now} order by sync_due_at limit ${limit}`,
    ),
  login_checks: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select check_due_at as since from linker_items where check_due_at <= ${now} order by check_due_at limit ${limit}`,
    ),
  login_removals: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select due_at as since from item_removals where due_at <= ${now} order by due_at limit ${limit}`,
    ),
  payouts: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select due_at as since from payout_queue where due_at <= ${now} order by due_at limit ${limit}`,
    ),
  gift_cards: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select due_at as since from gift_card_queue where due_at <= ${now} order by due_at limit ${limit}`,
    ),
  mails: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`select due_at as since from mails where due_at <= ${now} order by due_at limit ${limit}`,
    ),
  erasures: (reader, now) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: all users: the service's own work
        select due_at as since from erasures where done_at is null and due_at <= ${now} order by due_at limit ${limit}`,
    ),
  reports: (reader) =>
    countWaiting(
      reader,
      (limit) => reader`
        -- all publishers: the service's own work
        select created_at as since from report_orders where due_at is not null order by due_at limit ${limit}`,
    ),
} as const satisfies Record<string, (reader: Reader, now: Date) => Promise<WaitingCount>>

type Migrations = {
  readonly count: number
  readonly newest: string
  readonly appliedAt: Date
  readonly database: string
}

export async function findMigrations(reader: Reader): Promise<Migrations> {
  const [row] = await reader<[Migrations]>`
    select count(*) over ()::int as count, name as newest, applied_at, current_setting('server_version') as database
    from schema_migrations
    order by number desc
    limit 1`
  return row
}
