import type postgres from 'postgres'
import type { Reader } from '../platform/db/database.ts'
import { countWaiting, type WaitingCount } from '../platform/queue/waiting.ts'

type Rows = (reader: Reader, limit: number, now: Date) => postgres.PendingQuery<postgres.Row[]>

const dueIn =
  (table: string, column = 'due_at'): Rows =>
  (reader, limit, now) => {
    const dueAt = reader(column)
    return reader`
      -- all publishers: all users: the service's own work
      select ${dueAt} as since from ${reader(table)} where ${dueAt} <= ${now} order by ${dueAt} limit ${limit}`
  }

/**
 * For each queue, selects the rows that are due and not done, and in `events` and `reports` also those not yet due,
 * with the time since which they have been waiting, if it is known.
 */
const DUE = {
  facts: dueIn('facts'),
  events: (reader, limit) => reader`
    -- all publishers: the service's own work
    select null::timestamptz as since from event_queue order by ordinal limit ${limit}`,
  webhooks: (reader, limit, now) => reader`
    -- all publishers: the service's own work
    select q.due_at as since
    from webhook_endpoints e join webhook_queues q on q.endpoint_id = e.endpoint_id and q.due_at <= ${now}
    where e.status = 'enabled' and e.deleted_at is null
    limit ${limit}`,
  feeds: dueIn('linker_items', 'sync_due_at'),
  login_checks: dueIn('linker_items', 'check_due_at'),
  login_removals: dueIn('item_removals'),
  payouts: dueIn('payout_queue'),
  gift_cards: dueIn('gift_card_queue'),
  mails: dueIn('mails'),
  erasures: (reader, limit, now) => reader`
    -- all publishers: all users: the service's own work
    select due_at as since from erasures where done_at is null and due_at <= ${now} order by due_at limit ${limit}`,
  reports: (reader, limit) => reader`
    -- all publishers: the service's own work
    select created_at as since from report_orders where due_at is not null order by due_at limit ${limit}`,
} as const satisfies Record<string, Rows>

type WorkQueue = keyof typeof DUE
export const WORK_QUEUES = Object.keys(DUE) as WorkQueue[]

/** Counts the due rows of a queue, up to a limit. */
export function countDue(reader: Reader, queue: WorkQueue, now: Date): Promise<WaitingCount> {
  const rows: Rows = DUE[queue]
  return countWaiting(reader, (limit) => rows(reader, limit, now))
}

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
