import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES, type Currency, openTestWorld, START } from '../../test/support/reward-world.ts'
import { readSharedBalance } from '../../test/support/shared-balance.ts'
import { findConstraint } from '../platform/db/database.ts'
import { newUuid, type UserId } from '../platform/ids.ts'
import { readAccountStatement } from './account-statement.ts'
import { accrue, clawBack, closeBook, mature, openBook } from './book.ts'
import { foldDeltas } from './fold-deltas.ts'
import { readWallets } from './queries.ts'
import { ALLOWED, findFault, JOURNAL_KINDS } from './rules.ts'
import { verifyLedger } from './verify.ts'

const { db, world } = await openTestWorld('ledger', { connections: 10 })
const publisher = await world.publisher()
const { userId } = await world.user(publisher)

const cause = () => ({ id: newUuid(), version: 1, currency: 'USD', effectiveAt: START })
const split = { user: 70n, publisher: 20n, fee: 10n }

async function accrueOnce(user: UserId, booked = cause()): Promise<void> {
  await db.transaction(async (tx) => {
    const book = await openBook(tx, publisher, [user])
    accrue(book, user, booked, 'brand', split)
    await closeBook(tx, book)
  })
}

/** Inserts a journal directly, bypassing the ledger's rules, so that only the database's constraints can refuse it. */
async function writeRaw(amounts: readonly (number | null)[]): Promise<void> {
  const accounts = amounts.map(() => 'user_pending')
  await db.reader`
    insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts, owners,
      amounts)
    values (${userId}, ${newUuid()}, ${publisher.id}, 'accrual', ${newUuid()}, 1, now(), 'USD', ${accounts},
      ${amounts.map(() => '')}, ${amounts as number[]})`
}

const refusedBy = (constraint: string) => (error: unknown) => findConstraint(error) === constraint

test('the database refuses a journal whose postings do not sum to zero', async () => {
  await assert.rejects(writeRaw([5, -4]), refusedBy('postings_sum_to_zero'))
  await writeRaw([5, -5])
  await writeRaw([-5, 5])
})

test('the database refuses a journal without postings or with a zero posting', async () => {
  for (const amounts of [[], [5, -5, 0], [5, -5, null]])
    await assert.rejects(writeRaw(amounts), refusedBy('journals_amounts_check'))
})

test('the database refuses to change or delete journals and postings', async () => {
  await accrueOnce(userId)
  for (const attempt of [
    () => db.reader`update journals set amounts = '{1,-1}' where user_id = ${userId}`,
    () => db.reader`update journals set kind = 'maturity' where user_id = ${userId}`,
    () => db.reader`delete from journals where user_id = ${userId}`,
    () => db.reader`truncate journals`,
  ]) {
    await assert.rejects(attempt(), refusedBy('ledger_is_append_only'))
  }
})

test('booking the same cause twice is refused', async () => {
  const booked = cause()
  await accrueOnce(userId, booked)
  await assert.rejects(accrueOnce(userId, booked), refusedBy('journals_once_per_cause'))
})

test('a journal may only touch the accounts allowed for its kind, even if it balances', () => {
  for (const kind of JOURNAL_KINDS) {
    for (const account of [
      'advertiser_receivable',
      'user_pending',
      'user_held',
      'payout_clearing',
      'clawback_loss',
    ] as const) {
      if (ALLOWED[kind].includes(account)) continue
      const fault = findFault(kind, [
        { account, owner: '', amount: 1n },
        { account, owner: '', amount: -1n },
      ])
      assert.match(fault ?? '', new RegExp(account), kind)
    }
  }
})

test('a transaction that fails halfway leaves no journal, posting or balance', async () => {
  const { userId: other } = await world.user(publisher)
  const attempt = db.transaction(async (tx) => {
    const book = await openBook(tx, publisher, [other])
    accrue(book, other, cause(), 'brand', split)
    await closeBook(tx, book)
    throw new Error('changed my mind')
  })
  await assert.rejects(attempt, /changed my mind/)
  assert.deepEqual(await world.shown(publisher, other), {
    pending: 0n,
    available: 0n,
    held: 0n,
    debt: 0n,
    earnedTotal: 0n,
    redeemedTotal: 0n,
  })
  assert.equal((await db.reader`select 1 from journals where user_id = ${other}`).length, 0)
})

test('shared balances are exact even while bookings and folds run concurrently', async () => {
  const racing = await world.publisher()
  const users = await Promise.all(Array.from({ length: 8 }, () => world.user(racing)))
  const writer = async (user: UserId): Promise<void> => {
    for (let count = 0; count < 20; count++) {
      await db.transaction(async (tx) => {
        const book = await openBook(tx, racing, [user])
        accrue(book, user, cause(), 'brand', split)
        await closeBook(tx, book)
      })
    }
  }
  const reader = async (): Promise<void> => {
    for (let count = 0; count < 40; count++) {
      await foldDeltas(db)
      // A single statement sees one consistent state, in which the receivable always equals the sum of its shares.
      const [row] = await db.reader<{ apart: bigint }[]>`
        select coalesce(sum(amount), 0)::int8 as apart from (
          select amount from ledger_deltas where publisher_id = ${racing.id}
          union all select balance from ledger_rollups where publisher_id = ${racing.id}
          union all select -pending from user_balances where publisher_id = ${racing.id}
        ) as parts`
      assert.equal(row?.apart, 0n)
    }
  }
  await Promise.all([...users.map(({ userId: user }) => writer(user)), reader(), reader()])
  assert.equal(await readSharedBalance(db.reader, racing, 'advertiser_receivable', 'brand'), 100n * 160n)
  assert.equal(await readSharedBalance(db.reader, racing, 'publisher_pending'), -20n * 160n)
})

test("a user's concurrent first bookings in a new currency are all recorded", async () => {
  const both = await world.withEuros(await world.publisher())
  const { userId: user } = await world.user(both)
  const book = (currency: Currency) =>
    db.transaction(async (tx) => {
      const opened = await openBook(tx, both, [user])
      accrue(opened, user, { ...cause(), currency }, 'brand', split)
      await closeBook(tx, opened)
    })
  await Promise.all(Array.from({ length: 20 }, (_, nth) => book(nth % 4 === 0 ? 'USD' : 'EUR')))
  const pending = await Promise.all(CURRENCIES.map(async (one) => (await world.shown(both, user, one)).pending))
  assert.deepEqual(pending, [5n * 70n, 15n * 70n])
  assert.equal(await readSharedBalance(db.reader, both, 'advertiser_receivable', 'brand', 'EUR'), 1_500n)
  assert.deepEqual(await verifyLedger(db.reader), [])
})

test('booking in a currency that the publisher does not use is refused', async () => {
  const attempt = db.transaction(async (tx) => {
    const opened = await openBook(tx, publisher, [userId])
    accrue(opened, userId, { ...cause(), currency: 'GBP' }, 'brand', split)
    await closeBook(tx, opened)
  })
  await assert.rejects(attempt, /does not keep books in GBP/)
})

test("a statement is in booking order even if the later booking's transaction began first", async () => {
  const { userId: user } = await world.user(publisher)
  const reward = cause()
  await db.transaction(async (early) => {
    // Fixes this transaction's time before the other transaction books.
    await early`select now()`
    await accrueOnce(user, reward)
    const book = await openBook(early, publisher, [user])
    mature(book, user, reward, split)
    await closeBook(early, book)
  })
  const account = { publisherId: publisher.id, userId: user, currency: 'USD' }
  const whole = { from: null, until: null, after: null, limit: 10 }
  const statement = await db.snapshot((tx) => readAccountStatement(tx, account, whole))
  assert(statement !== null)
  assert.deepEqual(
    statement.lines.map(({ kind, balances: { pending, available } }) => [kind, pending, available]),
    [
      ['accrual', 70n, 0n],
      ['maturity', 0n, 70n],
    ],
  )
  const { pending, available, held, debt } =
    (await readWallets(db.reader, publisher, [user])).get(user)?.get('USD') ?? {}
  assert.deepEqual(statement.closing, { pending, available, held, debt })
})

test('verification detects a tampered balance and a tampered rollup', async () => {
  await db.reader`delete from ledger_rollups`
  await db.reader`delete from ledger_deltas`
  await db.reader`update user_balances set pending = pending + 7 where user_id = ${userId}`
  const found = await verifyLedger(db.reader)
  assert.ok(
    found.some((one) => one.check === 'user_balance' && one.where.includes(userId) && one.where.endsWith('pending')),
  )
  assert.ok(found.some((one) => one.check === 'rollup' && one.where.includes('advertiser_receivable')))
})

test('a clawback of spent money becomes debt, which the next reward repays first', async () => {
  const fresh = await world.publisher()
  const { userId: user, name } = await world.user(fresh)
  const step = (work: (book: Awaited<ReturnType<typeof openBook>>) => void) =>
    db.transaction(async (tx) => {
      const book = await openBook(tx, fresh, [user])
      work(book)
      await closeBook(tx, book)
      return world.shown
    })
  await step((book) => {
    accrue(book, user, cause(), 'brand', split)
  })
  await step((book) => {
    mature(book, user, cause(), split)
  })
  await world.decide(fresh, await world.redeem(fresh, name, 70n, START), 'paid', START)
  await step((book) => {
    clawBack(book, user, cause(), 'brand', split)
  })
  assert.deepEqual(await world.shown(fresh, user), {
    pending: 0n,
    available: 0n,
    held: 0n,
    debt: 70n,
    earnedTotal: 0n,
    redeemedTotal: 70n,
  })
  await step((book) => {
    accrue(book, user, cause(), 'brand', { user: 100n, publisher: 0n, fee: 0n })
  })
  await step((book) => {
    mature(book, user, cause(), { user: 100n, publisher: 0n, fee: 0n })
  })
  assert.deepEqual(await world.shown(fresh, user), {
    pending: 0n,
    available: 30n,
    held: 0n,
    debt: 0n,
    earnedTotal: 100n,
    redeemedTotal: 70n,
  })
})
