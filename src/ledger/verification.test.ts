import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openTestWorld, START } from '../../test/support/reward-world.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import { accrue, closeBook, openBook } from './book.ts'
import { showVerification, verifyNext } from './verification.ts'

const { db, world } = await openTestWorld('verification', { connections: 6 })
const publisher = await world.publisher()

let found: { check: string; where: string }[] = []
const log = pino({ level: 'error' }, { write: (line) => found.push(...JSON.parse(line).differences) })
const deps = { db, log }

const split = { user: 70n, publisher: 20n, fee: 10n }
const newUser = async (): Promise<UserId> => (await world.user(publisher)).userId

function book(userId: UserId, work: () => Promise<unknown> = async () => undefined): Promise<void> {
  return db.transaction(async (tx) => {
    const opened = await openBook(tx, publisher, [userId])
    accrue(opened, userId, { id: newUuid(), version: 1, currency: 'USD', effectiveAt: START }, 'brand', split)
    await closeBook(tx, opened)
    await work()
  })
}

/** Makes the next run due. */
const makeDue = () => db.reader`update ledger_verification set due_at = due_at - interval '1 hour'`

/**
 * Runs the verification an hour later. Returns the number of journals verified for the first time, the number of
 * differences, and the differences in the log.
 */
async function runOfNextHour(workers = 1) {
  await makeDue()
  found = []
  const before = await readMetric('laurel_ledger_verified_journals_total')
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (await verifyNext(deps)) {}
    }),
  )
  await showVerification(db.reader)
  return {
    journals: (await readMetric('laurel_ledger_verified_journals_total')) - before,
    differences: await readMetric('laurel_ledger_differences'),
    found,
  }
}

async function readMetric(metric: string): Promise<number> {
  return (await registry.getSingleMetric(metric)?.get())?.values[0]?.value ?? Number.NaN
}

/** Changes booked journals with their trigger disabled, which only the owner of the tables can do. */
async function tamper(statement: () => PromiseLike<unknown>): Promise<void> {
  await db.reader`alter table journals disable trigger journals_append_only`
  await statement()
  await db.reader`alter table journals enable trigger journals_append_only`
}

const clean = { differences: 0, found: [] }

test('journals that predate the hourly verification are added once; later ones are verified hourly', async () => {
  const users = [await newUser(), await newUser(), await newUser()]
  for (const userId of users) await book(userId)
  // Versions without the hourly verification did not queue their journals for it.
  await db.reader`delete from unverified_journals`
  await book(users[0] as UserId)
  assert.deepEqual(await runOfNextHour(), { journals: 1, ...clean })
  assert.deepEqual(await runOfNextHour(), { journals: 0, ...clean })
  for (const userId of users) await book(userId)
  assert.deepEqual(await runOfNextHour(3), { journals: 3, ...clean }, 'several workers share a run')
  await book(users[0] as UserId)
  assert.equal(await verifyNext(deps), false, 'no run is due within the hour')
})

test('a journal that commits after a later one was verified is verified by the next run', async () => {
  const [slow, quick] = [await newUser(), await newUser()]
  await runOfNextHour()
  let heldOpen = {} as Awaited<ReturnType<typeof runOfNextHour>>
  await book(slow, async () => {
    await book(quick)
    heldOpen = await runOfNextHour()
  })
  assert.deepEqual(heldOpen, { journals: 1, ...clean })
  assert.deepEqual(await runOfNextHour(), { journals: 1, ...clean })
})

test('if a process dies between two steps, another process finishes the run', async () => {
  await book(await newUser())
  await makeDue()
  await verifyNext(deps)
  assert.deepEqual(await runOfNextHour(), { journals: 0, ...clean })
  assert.equal(await verifyNext(deps), false)
})

test('a run scheduled while the clock was far ahead does not delay the next run', async () => {
  const age = () => readMetric('laurel_ledger_verified_seconds')
  const moved = db.reader`now() + interval '30 days'`
  await db.reader`update ledger_verification set due_at = ${moved}, verified_at = ${moved}`
  assert.equal(await verifyNext(deps), true)
  while (await verifyNext(deps)) {}
  assert.equal(await verifyNext(deps), false, 'the next one is an hour away by the database')
  await db.reader`update ledger_verification set verified_at = now() - interval '3 hours'`
  await showVerification(db.reader)
  assert.equal(Math.floor((await age()) / 60), 180)
})

test('a tampered balance is reported by every run until it is corrected', async () => {
  const userId = await newUser()
  await book(userId)
  await runOfNextHour()
  const change = (by: number) => db.reader`update user_balances set pending = pending + ${by} where user_id = ${userId}`
  await change(7)
  for (const _hour of [1, 2]) {
    const { differences, found } = await runOfNextHour()
    assert.equal(differences, 1)
    assert.deepEqual(found, [{ check: 'user_balance', where: `user ${userId} pending`, expected: '70', found: '77' }])
  }
  await change(-7)
  assert.deepEqual(await runOfNextHour(), { journals: 0, ...clean })
})

test("each user's balances are compared by exactly one query, and no query covers all users", async () => {
  const byEighth = new Map<number, UserId>()
  const toEighth = (userId: UserId) => Number.parseInt(userId.slice(0, 1), 16) >> 1
  while (byEighth.size < 8) {
    const userId = await newUser()
    byEighth.set(toEighth(userId), userId)
  }
  const users = [...byEighth.values()]
  const change = (by: number) =>
    db.reader`update user_balances set held = held + ${by} where user_id = any(${users}::uuid[])`
  await change(3)
  await makeDue()
  const perStep = []
  let more = true
  while (more) {
    found = []
    more = await verifyNext(deps)
    if (found.length > 0) perStep.push(found.map(({ where }) => where))
  }
  const eighths = [...byEighth].sort(([one], [other]) => one - other)
  assert.deepEqual(
    perStep,
    eighths.map(([, userId]) => [`user ${userId} held`]),
  )
  await change(-3)
  assert.deepEqual(await runOfNextHour(), { journals: 0, ...clean })
})

test('the next run reports a tampered shared account', async () => {
  const change = (by: number) => db.reader`
    insert into ledger_deltas (publisher_id, account, owner, currency, amount)
    values (${publisher.id}, 'fee_earned', '', 'USD', ${by})`
  await change(-5)
  const { found } = await runOfNextHour()
  assert.deepEqual(
    found.map(({ check, where }) => [check, where]),
    [['rollup', `publisher ${publisher.id} fee_earned  USD`]],
  )
  await change(5)
})

test('the next run reports new journals that were tampered with, are unbalanced or were deleted', async () => {
  const [changed, apart, gone] = [await newUser(), await newUser(), await newUser()]
  for (const userId of [changed, apart, gone]) await book(userId)
  await tamper(async () => {
    await db.reader`update journals set amounts = '{110,-80,-20,-10}' where user_id = ${changed}`
    await db.reader`update journals set amounts = '{100,-70,-20,-11}' where user_id = ${apart}`
    await db.reader`delete from journals where user_id = ${gone}`
  })
  const { found } = await runOfNextHour()
  const has = (check: string, where: string) => found.some((one) => one.check === check && one.where.startsWith(where))
  assert(has('user_balance', `user ${changed} pending`))
  assert(has('journal_sums_to_zero', 'journal '))
  assert(has('journal_is_there', `user ${gone} accrual `))
  assert(has('user_balance', `user ${gone} pending`))
})

test("rereading a user's journals reports any that changed since they were verified", async () => {
  const userId = await newUser()
  await book(userId)
  await runOfNextHour()
  await tamper(() => db.reader`update journals set owners = '{other,"","",""}' where user_id = ${userId}`)
  const isFound = async () =>
    (await runOfNextHour()).found.some(
      (one) => one.check === 'verified_journals' && one.where === `user ${userId} digest`,
    )
  // A user's slice is the first ten bits of the user ID. The first run rereads six other slices.
  const slice = Number.parseInt(userId.slice(0, 4), 16) >> 6
  await db.reader`update ledger_verification set next_slice = ${(slice + 1_024 - 6) % 1_024}`
  assert.equal(await isFound(), false)
  assert.equal(await isFound(), true)
})
