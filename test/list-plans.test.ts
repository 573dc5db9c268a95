import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Reader } from '../src/platform/db/database.ts'
import { encodeId } from '../src/platform/ids.ts'
import { type OperatorList, readList } from '../src/tenants/access/index.ts'
import { openTestDatabase } from './support/postgres.ts'

type Node = { readonly [name: string]: unknown; readonly Plans?: readonly Node[] }

// Filters that select few rows, and the column whose index finds those rows.
const SELECTIVE: Readonly<Record<string, string>> = { publisher_user_id: 'user_id', external_ref: 'external_ref' }
// Lists that stay short or whose plans this test cannot judge.
const EXCEPTIONS: Readonly<Record<string, string>> = {
  CHANGE_LIST: 'the changes of one re-match, whose ID is the start of their key',
  ENDPOINT_LIST: 'a publisher has at most twenty',
  PUBLISHER_LIST: 'thousands at most',
  RECEIVABLE_LIST: 'sums of the ledger by advertiser',
  STATEMENT_LIST: 'its filters choose the index',
  TRANSACTION_LIST: 'its filters choose the index',
  UNDECIDED_CALLS: 'a queue of calls, which stays short',
  UNMATCHED_REFUNDS: 'two subqueries of what waits, merged',
}
const PUBLISHER = encodeId('pub', '00000000-0000-8000-8000-000000000001')

const { reader } = await openTestDatabase('list_plans', { connections: 1 })
// In empty tables every plan costs about the same, so this rules out the plans that a large table would rule out.
for (const plan of ['seqscan', 'bitmapscan', 'sort']) await reader`set ${reader(`enable_${plan}`)} = off`
const lists = await findLists()

async function findLists(): Promise<Map<string, OperatorList<object>>> {
  const found = new Map<string, OperatorList<object>>()
  for await (const path of glob('src/**/*queries.ts')) {
    if (!/: OperatorList</.test(await readFile(path, 'utf8'))) continue
    const all = (await import(`../${path}`)) as Readonly<Record<string, OperatorList<object>>>
    for (const [name, list] of Object.entries(all))
      if (list?.sorts !== undefined && !(name in EXCEPTIONS)) found.set(name, list)
  }
  return found
}

test('every indexed filter and cursor of an operator list reads a page in order from an index', async () => {
  assert(lists.size >= 6, 'the lists were found')
  const faults: string[] = []
  for (const [name, { unindexed: _, ...list }] of lists)
    for (const sort of Object.keys(list.sorts))
      for (const query of listQueries(list, sort)) {
        const text = [name, sort, ...Object.keys(query)].join(' ')
        faults.push(...findFaults(await explain(list, query, sort), list.table).map((fault) => `${text}: ${fault}`))
      }
  assert.deepEqual(faults, [])
})

test("an operator list's selective filter finds its few rows through an index", async () => {
  const indexes = await reader<{ text: string }[]>`
    select c.relname || '.' || a.attname as text
    from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indpred is null`
  const leading = new Set(indexes.map(({ text }) => text))
  const sought = [...lists.values()].flatMap(({ table, filters }) =>
    Object.keys(filters).flatMap((name) => (name in SELECTIVE ? `${table}.${SELECTIVE[name]}` : [])),
  )
  assert.deepEqual(
    sought.filter((column) => !leading.has(column)),
    [],
  )
})

test('a filter or sort order without an index is reported', async () => {
  const list = lists.get('ADJUSTMENT_LIST') as OperatorList<object>
  const cases: [change: Partial<OperatorList<object>>, query: object, sort: string, fault: RegExp][] = [
    [{ sorts: { decided_at: 'instant' } }, {}, 'decided_at', /sorts/],
    [{ only: (sql) => sql`adjustments.decided_by is null` }, {}, 'created_at', /checks .*decided_by/],
    [{ table: 'claims', id: 'claimId' as never, columns: (sql) => sql`claim_id` }, {}, 'created_at', /sorts/],
  ]
  for (const [change, query, sort, fault] of cases) {
    const changed = { ...list, ...change }
    assert.match(findFaults(await explain(changed, query, sort), changed.table).join(), fault)
  }
})

/** Lists a query for each combination of filters that an index serves in that order, with and without a cursor. */
function listQueries({ filters, sorts }: OperatorList<object>, sort: string): Readonly<Record<string, string>>[] {
  const order = sorts[sort]
  const indexed = Object.entries(filters).filter(
    ([name, { unindexed }]) =>
      !(name in SELECTIVE) && (typeof unindexed === 'function' ? !unindexed({ sort }) : unindexed === undefined),
  )
  const type = typeof order === 'object' ? order.type : order
  const key = {
    instant: '2026-01-01T00:00:00.000000Z',
    day: '2026-01-01',
    month: '2026-01',
    text: 'a',
    integer: '1',
    ordinal: '1',
    id: null,
  }[type ?? 'instant']
  const id = type === 'ordinal' ? null : '00000000-0000-8000-8000-000000000001'
  const cursor = Buffer.from(JSON.stringify([sort, key ?? id, id])).toString('base64url')
  const queries: Readonly<Record<string, string>>[] = [{}, { cursor }]
  for (const [name, { parameter }] of indexed)
    queries.push(...queries.map((query) => ({ ...query, [name]: chooseValue(parameter) })))
  return queries
}

function chooseValue(parameter: object): string {
  const { enum: values, format } = parameter as { readonly enum?: readonly string[]; readonly format?: string }
  const dates: Readonly<Record<string, string>> = { date: '2026-01-31', 'date-time': '2026-01-31T10:00:00Z' }
  return values?.[0] ?? dates[format ?? ''] ?? PUBLISHER
}

/** Returns the plan of a page. Prefixing the statement with `explain` makes the plan its only row. */
async function explain(list: OperatorList<object>, query: object, sort: string): Promise<Node> {
  const explaining = new Proxy(reader, {
    apply: (target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) => {
      const [start, ...others] = Array.isArray(strings) ? strings : ['']
      if (start.trim() !== 'select') return Reflect.apply(target, self, [strings, ...values])
      const texts = [`explain (format json) ${start}`, ...others]
      return Reflect.apply(target, self, [Object.assign(texts, { raw: texts }), ...values])
    },
  }) as Reader
  const { rows } = await readList(explaining, list, query as Readonly<Record<string, unknown>>, sort)
  const [row] = rows as readonly Record<string, [{ Plan: Node }]>[]
  const [plan] = Object.values(row ?? {})
  assert(plan?.[0], 'the plan was read')
  return plan[0].Plan
}

/** Finds whatever makes a page read more than its own rows: a sort, a table scan, or conditions checked on each row. */
function findFaults(node: Node, table: string): string[] {
  const inner = (node.Plans ?? []).filter((plan) => plan['Parent Relationship'] !== 'SubPlan')
  const filter = node['Filter']
  // A cursor compares two columns. An index on the first column leaves few rows to check.
  const isChecked = typeof filter === 'string' && !/^\(ROW\((?!.* AND ).*\) [<>] ROW\(.*\)\)$/.test(filter)
  return [
    ...(node['Node Type'] === 'Sort' ? ['sorts'] : []),
    ...(node['Node Type'] === 'Seq Scan' ? [`scans ${table}`] : []),
    ...(isChecked ? [`checks ${filter}`] : []),
    ...inner.flatMap((plan) => findFaults(plan, table)),
  ]
}
