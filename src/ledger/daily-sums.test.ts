import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openTestWorld, START } from '../../test/support/reward-world.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import { accrue, closeBook, openBook } from './book.ts'
import { addUpLedger } from './daily-sums.ts'
import { listMoney, listRewardDays } from './daily-sums-queries.ts'

const { db, world } = await openTestWorld('daily_sums', { connections: 6 })

const split = { user: 70n, publisher: 20n, fee: 10n }
type Publisher = Awaited<ReturnType<typeof world.publisher>>

function book(publisher: Publisher, userId: UserId, work: () => Promise<unknown> = async () => undefined) {
  return db.transaction(async (tx) => {
    const opened = await openBook(tx, publisher, [userId])
    accrue(opened, userId, { id: newUuid(), version: 1, currency: 'USD', effectiveAt: START }, 'brand', split)
    await closeBook(tx, opened)
    await work()
  })
}

/** Sums until everything booked so far is included. An open transaction in any database on the server delays a cut. */
async function addUpAll(workers = 1): Promise<void> {
  const [{ now }] = await db.reader<[{ now: string }]>`select clock_timestamp()::text as now`
  await eventually(async () => {
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (await addUpLedger(db)) {}
      }),
    )
    const rows = await db.reader`select from ledger_added_up where booked_until >= ${now}::text::timestamptz`
    return rows.length === 1
  })
}

const readPending = async ({ id }: Publisher) => (await listMoney(db.reader, id)).map(({ pending }) => pending)

/** Compares every sum with the postings. */
async function assertSumsTrue(): Promise<void> {
  const kept = await db.reader`
    select publisher_id, currency, kind, account, debits, credits, debited, credited from ledger_totals order by 1, 2, 3, 4`
  const days = await db.reader`
    select publisher_id, currency, kind, account, sum(debits)::int8 as debits, sum(credits)::int8 as credits,
      sum(debited)::int8 as debited, sum(credited)::int8 as credited
    from ledger_days group by 1, 2, 3, 4 order by 1, 2, 3, 4`
  const booked = await db.reader`
    select publisher_id, currency, kind, account, coalesce(sum(amount) filter (where amount > 0), 0)::int8 as debits,
      coalesce(-sum(amount) filter (where amount < 0), 0)::int8 as credits, count(*) filter (where amount > 0) as debited,
      count(*) filter (where amount < 0) as credited
    from postings group by 1, 2, 3, 4 order by 1, 2, 3, 4`
  assert.deepEqual([...kept], [...booked])
  assert.deepEqual([...days], [...booked])
}

test('every journal is summed once, regardless of the number of workers', async () => {
  const publisher = await world.publisher()
  const { userId } = await world.user(publisher)
  await book(publisher, userId)
  await addUpAll(3)
  assert.deepEqual(await readPending(publisher), [70n])
  await book(publisher, userId)
  await addUpAll(3)
  await addUpAll()
  assert.deepEqual(await readPending(publisher), [140n])
  const day = START.toISOString().slice(0, 10)
  assert.deepEqual(
    [...(await listRewardDays(db.reader, publisher.id, { from: day, until: day }))],
    [{ day, currency: 'USD', what: 'began', amount: 140n, count: 2n }],
  )
  await assertSumsTrue()
})

test('a journal that commits after a later one was summed is picked up by the next pass', async () => {
  const publisher = await world.publisher()
  const [slow, quick] = [await world.user(publisher), await world.user(publisher)]
  await book(publisher, slow.userId, async () => {
    await book(publisher, quick.userId)
    await addUpLedger(db)
  })
  await addUpAll()
  assert.deepEqual(await readPending(publisher), [140n])
  await assertSumsTrue()
})

test('journals from before the daily sums were introduced are summed one day at a time', async () => {
  const publisher = await world.publisher()
  const { userId } = await world.user(publisher)
  await book(publisher, userId)
  await addUpAll()
  await db.reader`delete from ledger_days`
  await db.reader`delete from ledger_totals`
  await db.reader`update ledger_added_up set booked_until = now() - interval '60 hours'`
  const pass = async (): Promise<{ readonly hasMore: boolean } | null> => {
    const [before] = await db.reader`select booked_until::text from ledger_added_up`
    const hasMore = await addUpLedger(db)
    const [after] = await db.reader`select booked_until::text from ledger_added_up`
    // An open transaction in any database on the server delays a cut. A pass without a cut sums nothing.
    return before?.['bookedUntil'] === after?.['bookedUntil'] ? null : { hasMore }
  }
  const passes = [await eventually(pass), await eventually(pass), await eventually(pass)]
  assert.deepEqual(
    passes.map(({ hasMore }) => hasMore),
    [true, true, false],
    'two days and a half are three steps',
  )
  assert.deepEqual(await readPending(publisher), [70n])
  await assertSumsTrue()
})
