import { request } from 'undici'
import type { Database } from '../src/platform/db/database.ts'
import { createOperator } from '../src/tenants/access/index.ts'
import { toLocalActor } from '../src/tenants/accounts/index.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { fillForOperators } from './support/operators-view.ts'
import { type Serving, serve } from './support/processes.ts'
import { createTenant } from './support/tenant.ts'

const ROWS = 1_000_000
const LIMIT = 30
const WARM_UP = 20
const REQUESTS = 200
const P95_MAX_MS = 50

type Sql = ReturnType<Database['reader']>
type List = {
  readonly name: string
  readonly path: string
  /** The bare SQL statement that reads the rows of the page. */
  readonly bare: (reader: Database['reader']) => Sql
  /**
   * The start of a page in the middle of the list: the sort order, and a query for the key and id of the row before it.
   */
  readonly deep?: { readonly order: string; readonly place: (reader: Database['reader'], deep: number) => Sql }
}

const utc = 'to_char(%s at time zone \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\')'
const instant = (reader: Database['reader'], column: string) => reader.unsafe(utc.replace('%s', column))

const LISTS: readonly List[] = [
  {
    name: 'users',
    path: '/operator/users?sort=-created_at',
    bare: (reader) => reader`select * from users order by created_at desc, user_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'users-deep',
    path: '/operator/users?sort=created_at',
    deep: {
      order: 'created_at',
      place: (reader, deep) => reader`
        select ${instant(reader, 'created_at')} as key, user_id as id from users order by created_at, user_id offset ${deep} limit 1`,
    },
    bare: (reader) => reader`
      select * from users where created_at >= ${'2026-01-06T18:53:20Z'} order by created_at, user_id limit ${LIMIT + 1}`,
  },
  {
    name: 'users-by-email',
    path: '/operator/users?email=user-500000@example.com',
    bare: (reader) => reader`
      select * from users
      where publisher_id = (select publisher_id from publishers limit 1) and lower(email) = 'user-500000@example.com'`,
  },
  {
    name: 'users-rare',
    path: '/operator/users?status=INACTIVE',
    bare: (reader) => reader`
      select u.* from (select * from users order by created_at desc, user_id desc limit 5000) u
      where exists (select 1 from user_deactivations d where d.user_id = u.user_id and reactivated_at is null)`,
  },
  {
    name: 'transactions',
    path: '/operator/transactions?sort=-transaction_date_time',
    bare: (reader) => reader`
      select * from transactions order by authorized_at desc, transaction_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'transactions-deep',
    path: '/operator/transactions?sort=-transaction_date_time',
    deep: {
      order: '-transaction_date_time',
      place: (reader, deep) => reader`
        select ${instant(reader, 'authorized_at')} as key, transaction_id as id from transactions
        order by authorized_at desc, transaction_id desc offset ${deep} limit 1`,
    },
    bare: (reader) => reader`
      select * from transactions where authorized_at <= ${'2026-01-06T18:53:20Z'}
      order by authorized_at desc, transaction_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'transactions-by-amount',
    path: '/operator/transactions?sort=-amount&currency=USD',
    deep: {
      order: '-amount',
      place: (reader, deep) => reader`
        select amount::text as key, transaction_id as id from transactions where currency = 'USD'
        order by amount desc, transaction_id desc offset ${deep} limit 1`,
    },
    bare: (reader) => reader`
      select * from transactions where currency = 'USD' order by amount desc, transaction_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'transactions-of-brand',
    path: '/operator/transactions?brand_uid=brand-1&status=PENDING',
    bare: (reader) => reader`
      select * from transactions where brand_uid = 'brand-1' and status = 'PENDING'
      order by authorized_at desc, transaction_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'transactions-rare',
    path: '/operator/transactions?source=VOUCHER',
    bare: (reader) => reader`
      select * from (select * from transactions order by authorized_at desc, transaction_id desc limit 5000) t
      where source = 'VOUCHER'`,
  },
  {
    name: 'deliveries-deep',
    path: '/operator/deliveries',
    deep: {
      order: '-created_at',
      place: (reader, deep) => reader`
        select position::text as key, delivery_id as id from webhook_deliveries order by position desc offset ${deep} limit 1`,
    },
    bare: (reader) => reader`
      select * from webhook_deliveries order by position desc, delivery_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'deliveries-rare',
    path: '/operator/deliveries?status=exhausted',
    bare: (reader) => reader`
      select * from (select * from webhook_deliveries order by position desc, delivery_id desc limit 5000) d
      where status = 'exhausted'`,
  },
  {
    name: 'audit',
    path: '/operator/audit?subject=key_5000',
    bare: (reader) => reader`
      select * from audit_log where subject = 'key_5000' order by audit_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'audit-rare',
    path: '/operator/audit?action=month.closed',
    bare: (reader) => reader`
      select * from (select * from audit_log order by audit_id desc limit 5000) a where action = 'month.closed'`,
  },
  {
    name: 'broken-logins',
    path: '/operator/logins/broken',
    bare: (reader) => reader`
      select * from links where error is not null and unlinked_at is null
      order by linked_at desc, link_id desc limit ${LIMIT + 1}`,
  },
  {
    name: 'offers',
    path: '/operator/offers?state=ended&search_text=offer',
    bare: (reader) => reader`
      select * from (select * from offers order by ordinal desc limit 5000) o
      where end_date < current_date and name ilike '%offer%' limit ${LIMIT + 1}`,
  },
  {
    name: 'budgets',
    path: '/operator/budgets',
    bare: (reader) => reader`
      select * from offers where retired_at is null and conditions -> 'budgets' is not null
      order by ordinal desc limit ${LIMIT + 1}`,
  },
  {
    name: 'overview',
    path: '/operator/overview',
    bare: (reader) => reader`select count(*) from linker_items where synced_at is not null`,
  },
]

export const operatorLists: Benchmark = {
  name: 'operator-lists',
  about:
    "a page of each of the operators' lists, of 1,000,000 users, transactions, deliveries, audit entries and logins, and of 100,000 offers, by filters, by sort order and from the middle, one request after the other, at the 95th percentile. The limit is the 95th percentile of the bare statement that reads the rows of the page (for the overview: its largest count). `operator-lists-indexes`: the bytes of a row in the indexes that only these lists need; the limit is the row itself",
  measure: async (server, size) => {
    const rows = size ?? ROWS
    const { db, service, key } = await prepared(server, rows)
    try {
      server.say('operator-lists: measuring')
      const readings: Reading[] = []
      for (const list of LISTS) {
        const goal = { of: 'ours', bound: 'at most', value: P95_MAX_MS } as const
        readings.push({
          name: `operator-lists-${list.name}`,
          ...(await race(db, service, key, { list, rows })),
          goal,
          unit: 'ms',
        })
      }
      for (const [table, indexes] of Object.entries(INDEXES))
        readings.push({
          name: `operator-lists-indexes-${table}`,
          ...(await measureBytes(db, table, indexes, rows)),
          goal: { of: 'ratio', bound: 'at most', value: 0.25 },
          unit: 'bytes',
        })
      return readings
    } finally {
      await service.stop()
      await db.close()
      await server.drop('operator_lists')
    }
  },
}

/** Indexes that only the operators' lists need. Their bytes per row are compared with the bytes of the row itself. */
const INDEXES = {
  transactions: ['all_transactions_by_date', 'all_transactions_by_amount', 'all_transactions_of_brands'],
  users: ['all_users_by_creation'],
  webhook_deliveries: ['all_webhook_deliveries_in_order'],
} as const

async function measureBytes(
  { reader }: Database,
  table: string,
  indexes: readonly string[],
  rows: number,
): Promise<{ ours: number; limit: number }> {
  const [row] = await reader<{ ours: number; limit: number }[]>`
    select sum(pg_relation_size(index::regclass))::float8 / ${rows} as ours, pg_table_size(${table})::float8 / ${rows} as limit
    from unnest(${indexes as string[]}::text[]) as index`
  if (row === undefined) throw new Error(`the indexes of ${table} have no size`)
  return row
}

async function prepared(server: BenchServer, rows: number): Promise<{ db: Database; service: Serving; key: string }> {
  const url = await server.create('operator_lists')
  const db = server.open('operator_lists')
  const tenant = await createTenant(db)
  await fillForOperators(db, tenant, rows, server.say)
  const operator = { name: 'Ada', role: 'admin', by: toLocalActor('bench') } as const
  const { key } = await db.transaction((tx) => createOperator(tx, operator, new Date()))
  const settings = { DATABASE_URL: url, PORT: '0', LAUREL_OPERATOR_CALLS_PER_SECOND: '100000' }
  return { db, service: await serve('service.ts', [], settings), key }
}

async function race(
  db: Database,
  service: Serving,
  key: string,
  { list, rows }: { readonly list: List; readonly rows: number },
): Promise<{ ours: number; limit: number }> {
  const path = `${list.path}${list.path.includes('?') ? '&' : '?'}limit=${LIMIT}`
  const asked = list.name === 'overview' ? list.path : path + (await findCursor(db, list, rows))
  const taken = { ours: [] as number[], limit: [] as number[] }
  for (let count = 0; count < WARM_UP + REQUESTS; count++) {
    const both = {
      ours: await measureMilliseconds(() => answered(service.url + asked, key)),
      limit: await measureMilliseconds(() => list.bare(db.reader)),
    }
    if (count < WARM_UP) continue
    taken.ours.push(both.ours)
    taken.limit.push(both.limit)
  }
  return { ours: computeP95(taken.ours), limit: computeP95(taken.limit) }
}

// Finds the cursor of the page in the middle of the list.
async function findCursor({ reader }: Database, { deep }: List, rows: number): Promise<string> {
  if (deep === undefined) return ''
  const [row] = (await deep.place(reader, Math.floor(rows / 2))) as unknown as readonly {
    readonly key: string
    readonly id: string
  }[]
  return `&cursor=${Buffer.from(JSON.stringify([deep.order, row?.key, row?.id])).toString('base64url')}`
}

async function answered(url: string, key: string): Promise<void> {
  const answer = await request(url, { headers: { authorization: `Bearer ${key}` } })
  const body = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${body}`)
}

async function measureMilliseconds(work: () => PromiseLike<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}

function computeP95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}
