import assert from 'node:assert/strict'
import type { Reader } from '../../src/platform/db/database.ts'
import { buildCursorPage } from '../../src/platform/http/index.ts'
import { type OperatorList, readList } from '../../src/tenants/access/index.ts'
import type { TestApp } from './app.ts'

type Operator = Pick<TestApp, 'operator'>
type RowPage<Row> = { readonly content: Row[]; readonly next_cursor: string | null }

async function readPage<Row>({ operator }: Operator, address: string, query: string): Promise<RowPage<Row>> {
  const { status, body } = await operator('GET', `${address}${address.includes('?') ? '&' : '?'}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Reads an operator list one row at a time, and checks that each row appears only once. */
export async function walkList<Row extends object>(app: Operator, address: string, id: keyof Row): Promise<Row[]> {
  const rows: Row[] = []
  for (let from: string | null = ''; from !== null; ) {
    const page: RowPage<Row> = await readPage(app, address, `limit=1${from}`)
    assert(page.content.length <= 1)
    rows.push(...page.content)
    from = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`
  }
  assert.equal(new Set(rows.map((row) => row[id])).size, rows.length)
  return rows
}

/** Asserts that paging through an operator list row by row yields each row exactly once in every order. */
export async function checkPaging(
  app: Operator,
  address: string,
  { key, orders }: { readonly key: string; readonly orders: readonly string[] },
): Promise<void> {
  type Row = Readonly<Record<string, string>>
  const toIds = (rows: readonly Row[]) => rows.map((row) => row[key])
  const start = address.includes('?') ? `${address}&` : `${address}?`
  for (const order of orders) {
    const ascending = toIds((await readPage<Row>(app, address, `sort=${order}`)).content)
    assert.ok(ascending.length > 1, `${address} has no rows to order`)
    for (const [sort, expected] of [
      [order, ascending],
      [`-${order}`, ascending.toReversed()],
    ] as const)
      assert.deepEqual(toIds(await walkList<Row>(app, `${start}sort=${sort}`, key)), expected, `${address} by ${sort}`)
  }
}

/** Reads an entire list from the database in pages of one row. */
export async function readPages<Row extends object>(
  reader: Reader,
  list: OperatorList<Row>,
  query: object,
  sort: string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let place = {}; ; ) {
    const found = await readList(reader, list, { ...query, ...place, limit: 1 }, sort)
    const { content, next_cursor } = buildCursorPage(found, sort, (row) => row)
    rows.push(...content)
    if (next_cursor === null) return rows
    place = { cursor: next_cursor }
  }
}
