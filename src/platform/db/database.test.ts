import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../test/support/postgres.ts'
import { asTable, type Database, isUnavailable, openDatabase, type Reader } from './database.ts'
import { type KindOfWork, LIMITS } from './kinds-of-work.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
const uncaught: unknown[] = []
const remember = (error: unknown): void => void uncaught.push(error)

before(async () => {
  database = await testDatabase('database')
  db = openDatabase(database.url, { connections: 4 })
  process.on('uncaughtException', remember)
})
after(async () => {
  process.off('uncaughtException', remember)
  await db.close()
  await database.drop()
})

for (const moment of ['between statements', 'during a statement'] as const) {
  test(`a connection terminated ${moment} fails only its own transaction`, async () => {
    const attempt = db.transaction(async (tx) => {
      const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const slow = moment === 'during a statement' ? tx`select pg_sleep(30)` : null
      slow?.catch(() => undefined)
      await db.reader`select pg_terminate_backend(${me?.pid ?? 0})`
      await slow
      await tx`select 1`
      await tx`select 2`
    })
    await assert.rejects(attempt)
    const [row] = await db.reader<{ one: number }[]>`select 1 as one`
    assert.equal(row?.one, 1)
    assert.equal(await db.transaction(async () => 'works again'), 'works again')
    assert.deepEqual(uncaught, [])
  })
}

test('after a connection is lost, the next transaction succeeds immediately on a new connection', async (context) => {
  const single = openDatabase(database.url, { connections: 1 })
  context.after(() => single.close())
  for (let round = 0; round < 3; round++) {
    const attempt = single.transaction((tx) => tx`select pg_terminate_backend(pg_backend_pid())`)
    await assert.rejects(attempt, isUnavailable)
    assert.equal(await single.transaction(async () => 'works again'), 'works again')
  }
})

test('a transaction is retried after a deadlock', async () => {
  let runs = 0
  const answer = await db.transaction(async (tx) => {
    if (++runs < 3) await tx`do $$ begin raise exception 'as if' using errcode = 'deadlock_detected'; end $$`
    return runs
  })
  assert.equal(answer, 3)
})

test('a snapshot reads the database at a single instant and cannot write', async () => {
  const deltas = (reader: Reader) => reader`select 1 from list_count_deltas where list = 'seen'`
  const insert = (reader: Reader) =>
    reader`insert into list_count_deltas (publisher_id, list, delta) values (gen_random_uuid(), 'seen', 1)`
  await db.snapshot(async (tx) => {
    assert.equal((await deltas(tx)).length, 0)
    await insert(db.reader)
    assert.equal((await deltas(tx)).length, 0)
  })
  assert.equal((await deltas(db.reader)).length, 1)
  await db.reader`delete from list_count_deltas`
  await assert.rejects(db.snapshot(insert), /read-only transaction/)
})

test('an error thrown by the work rolls everything back and is rethrown unchanged', async () => {
  const refusal = new Error('no')
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx`insert into list_count_deltas (publisher_id, list, delta) values (gen_random_uuid(), 'x', 1)`
      throw refusal
    }),
    (error) => error === refusal,
  )
  assert.equal((await db.reader`select 1 from list_count_deltas`).length, 0)
})

test('rows sent as a table round-trip unchanged', async () => {
  const rows = [
    {
      userId: '0190a3c2-7d1e-7b1f-8a55-2f8e6b1c9d10',
      kind: 'use',
      externalId: `it's "quoted", {braced} \\ and, comma`,
      amountMinor: 9_007_199_254_740_993n,
      position: 1,
      share: 0.25,
      isOpen: true,
      startsOn: '2026-03-08',
      madeAt: new Date('2026-03-08T07:30:00.123Z'),
      facts: { text: `"a" 'b' \\ {c}`, none: null },
      hash: Buffer.from([0, 92, 34, 255]),
    },
    {
      userId: null,
      kind: null,
      externalId: null,
      amountMinor: null,
      position: null,
      share: null,
      isOpen: null,
      startsOn: null,
      madeAt: null,
      facts: null,
      hash: null,
    },
  ]
  const columns = {
    ...({ userId: 'uuid', kind: 'plain', externalId: 'text', amountMinor: 'int8', position: 'int4' } as const),
    ...({ share: 'float8', isOpen: 'bool', startsOn: 'date', madeAt: 'timestamptz' } as const),
    ...({ facts: 'jsonb', hash: 'bytea' } as const),
  }
  for (const sent of [rows, rows.slice(0, 1), []]) {
    const received = await db.reader`select * from ${asTable(db.reader, sent, columns)}`
    assert.deepEqual([...received], sent)
  }
})

test('each kind of work has its own server-side limits', async () => {
  for (const [work, { statementMs, lockMs, idleMs }] of Object.entries(LIMITS)) {
    const opened = openDatabase(database.url, { work: work as KindOfWork, connections: 1 })
    const rows = await opened.reader`
      select setting::int as ms from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name desc`
    await opened.close()
    assert.deepEqual(
      rows.map(({ ms }) => ms),
      [statementMs, lockMs, idleMs],
      work,
    )
  }
})

for (const [limit, work] of [
  ['statementMs', (tx: Reader) => tx`select pg_sleep(600)`],
  ['lockMs', (tx: Reader) => tx`lock table list_counts`],
  ['idleMs', () => new Promise((resolve) => setTimeout(resolve, 1_000))],
] as const) {
  test(`work that exceeds ${limit} is rolled back and reported as unavailable`, async (context) => {
    const limited = openDatabase(database.url, { connections: 1, [limit]: 50 })
    context.after(() => limited.close())
    const attempt = (count: number) =>
      limited.transaction(async (tx) => {
        await tx`insert into list_count_deltas (publisher_id, list, delta) values (gen_random_uuid(), ${limit}, 1)`
        if (count > 0) await work(tx)
      })
    await db.transaction(async (tx) => {
      await tx`lock table list_counts in access exclusive mode`
      await assert.rejects(attempt(1), isUnavailable)
    })
    await attempt(0)
    assert.equal((await db.reader`select 1 from list_count_deltas where list = ${limit}`).length, 1)
    await db.reader`delete from list_count_deltas`
  })
}

test('a standalone query takes one turn, but a query fragment takes none', async (context) => {
  const limited = openDatabase(database.url, { connections: 1, waitingMax: 0 })
  context.after(() => limited.close())
  const { reader } = limited
  const part = reader`where number > ${1}`
  for (let round = 0; round < 2; round++)
    assert.equal((await reader`select number from generate_series(1, 3) as number ${part}`).length, 2)
  await assert.rejects(reader`select 1 / 0`)
  assert.equal((await reader`select 1`).length, 1)
})
