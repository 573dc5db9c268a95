import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/support/postgres.ts'
import { awaitAll, findSqlState, openDatabase, type Tx } from './db/database.ts'

const db = openDatabase((await testDatabase('together')).url)
after(() => db.close())

const write = async (tx: Tx, list: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count++)
    await tx`insert into list_count_deltas (publisher_id, list, delta) values (gen_random_uuid(), ${list}, 1)`
}
const fail = async (tx: Tx): Promise<void> => {
  await tx`select 1 / 0`
}

test('awaitAll throws the first failure after all other statements have settled', async () => {
  await assert.rejects(
    () => db.transaction((tx) => awaitAll([write(tx, 'failing', 5), fail(tx), write(tx, 'failing', 50)])),
    (error) => findSqlState(error) === '22012',
  )
  await db.transaction((tx) => awaitAll([write(tx, 'whole', 5), write(tx, 'whole', 50)]))
  const rows = await db.reader<{ list: string; written: number }[]>`
    -- all publishers: the rows of this test
    select list, count(*)::int as written from list_count_deltas group by list`
  assert.deepEqual([...rows], [{ list: 'whole', written: 55 }])
})
