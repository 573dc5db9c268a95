import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { type CursorRows, type ListPlace, readMergedRows } from './keyset.ts'

const { reader, ...db } = await openTestDatabase('keyset', { connections: 2 })

const toList = (table: string) => ({
  columns: reader`name`,
  table,
  alias: table,
  key: { column: reader`${reader(table)}.at`, type: 'instant' as const },
  id: reader`${reader(table)}.id`,
  indexed: reader`true`,
  others: reader`and name <> 'noise'`,
})

test('merged lists are read in one order, even if one has long stretches without a match', async () => {
  await db.transaction(async (tx) => {
    for (const table of ['sparse', 'dense'])
      await tx`create table ${tx(table)} (at timestamptz, id uuid default gen_random_uuid(), name text)`
    await tx`
      insert into sparse (at, name)
      select timestamptz '2026-01-01' + second * interval '1 second', 'noise' from generate_series(1, 12000) as second`
    for (const [table, second] of [
      ['dense', 10],
      ['sparse', 20],
      ['dense', 7_000],
      ['sparse', 7_000.5],
      ['dense', 11_000],
      ['dense', 13_000],
    ] as const)
      await tx`
        insert into ${tx(table)} (at, name)
        values (timestamptz '2026-01-01' + ${second} * interval '1 second', ${String(second)})`
  })
  const expected = ['10', '20', '7000', '7000.5', '11000', '13000']
  for (const limit of [1, 2, 10])
    for (const descending of [false, true]) {
      const names: string[] = []
      let after: ListPlace | null = null
      do {
        const lists = [toList('sparse'), toList('dense')]
        const page: CursorRows<{ name: string }> = await readMergedRows(reader, lists, { after, descending, limit })
        assert.ok(page.rows.length <= limit)
        names.push(...page.rows.map(({ name }) => name))
        after = page.next
      } while (after !== null)
      assert.deepEqual(names, descending ? expected.toReversed() : expected, `${limit} at a time`)
    }
})
