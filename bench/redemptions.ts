import { type RedemptionId, reportOutcome, requestRedemption } from '../src/payouts/redemptions/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { Benchmark } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { type BenchUser, buildUserName, createTenant, createUsers, type Tenant } from './support/tenant.ts'
import { readColumns, readWritten, type Table, type WrittenRows, writeRows } from './support/written-rows.ts'

// Each user redeems once per round, so the writes are spread across the tables as widely as the users are.
const USERS = 500
const AVAILABLE = 1_000_000n
const AMOUNT = 500n
// The number of database connections that serve API calls.
const AT_ONCE = 10
const ROUNDS = 5

const written = (redemptions: Table): readonly Table[] => [
  { name: 'journals', byUser: true },
  { name: 'ledger_deltas', byUser: false },
  { name: 'user_balances', byUser: true, changedBy: ['user_id', 'currency'] },
  redemptions,
  { name: 'redemption_steps', byUser: true },
  { name: 'events', byUser: true },
  { name: 'event_queue', byUser: false },
]
const REQUESTED = written({ name: 'redemptions', byUser: true })
const PAID = written({ name: 'redemptions', byUser: true, changedBy: ['user_id', 'redemption_id'] })

export const redemptions: Benchmark = {
  name: 'redemptions',
  about:
    '500 users redeem with the method publisher, and each payout is reported as paid: two transactions per redemption, ten at a time. The limit writes exactly the same rows to a twin database in as many transactions, ten at a time, with one insert or update per table and all values computed beforehand',
  measure: async (server) => {
    const { tenant, users } = await prepare(server)
    const ours = server.open('redemptions_ours')
    const limit = server.open('redemptions_limit')
    try {
      const measured = await race(server, { ours, limit }, tenant, users)
      return [
        {
          name: 'redemptions',
          ...measured,
          goal: { of: 'ratio', bound: 'at least', value: 0.5 },
          unit: 'redemptions/s',
        },
      ]
    } finally {
      await ours.close()
      await limit.close()
      await server.drop('redemptions_ours')
      await server.drop('redemptions_limit')
    }
  },
}

/** Creates two identical databases, so that both sides start with the same tables. */
async function prepare(server: BenchServer): Promise<{ tenant: Tenant; users: BenchUser[] }> {
  server.say('redemptions: 500 users with balances are made')
  await server.create('redemptions_ours')
  const db = server.open('redemptions_ours')
  try {
    const tenant = await createTenant(db)
    const users = await createUsers(db, tenant, USERS)
    await db.transaction(
      (tx) => tx`
        update user_balances set available = ${AVAILABLE}, earned_total = ${AVAILABLE}
        where publisher_id = ${tenant.publisher.id}`,
    )
    await db.close()
    await server.create('redemptions_limit', 'redemptions_ours')
    return { tenant, users }
  } finally {
    await db.close()
  }
}

type Both = { readonly ours: number; readonly limit: number }

/** Runs the rounds on both sides. The first one is a warm-up. */
async function race(
  server: BenchServer,
  dbs: { readonly ours: Database; readonly limit: Database },
  { publisher }: Tenant,
  users: readonly BenchUser[],
): Promise<Both> {
  const rounds: Both[] = []
  const numbers = users.map((_, number) => number)
  for (let round = 0; round <= ROUNDS; round++) {
    server.say(`redemptions: round ${round} of ${ROUNDS}`)
    const asked: RedemptionId[] = []
    const requests = await bothSides(dbs, REQUESTED, async () => {
      await concurrently(numbers, async (number) => {
        const request = {
          publisherUserId: buildUserName(number),
          currency: 'USD',
          amount: AMOUNT,
          method: 'publisher',
          externalRef: `${round}`,
        } as const
        asked.push(
          (await dbs.ours.transaction((tx) => requestRedemption(tx, publisher, request, new Date()))).redemptionId,
        )
      })
      return asked
    })
    const outcomes = await bothSides(dbs, PAID, async () => {
      await concurrently(asked, async (redemptionId) => {
        const reported = { redemptionId, outcome: 'paid', reference: `wire-${redemptionId}` } as const
        await dbs.ours.transaction((tx) => reportOutcome(tx, publisher, reported, new Date()))
      })
      return asked
    })
    rounds.push({ ours: requests.ours + outcomes.ours, limit: requests.limit + outcomes.limit })
  }
  const perSecond = (side: keyof Both): number => USERS / computeMedian(rounds.slice(1).map((round) => round[side]))
  return { ours: perSecond('ours'), limit: perSecond('limit') }
}

/** Times the work, and then times writing the same rows to the other database. */
async function bothSides(
  { ours, limit }: { readonly ours: Database; readonly limit: Database },
  tables: readonly Table[],
  work: () => Promise<readonly RedemptionId[]>,
): Promise<Both> {
  let ids: readonly RedemptionId[] = []
  const seconds = await measureSeconds(async () => {
    ids = await work()
  })
  const columns = await readColumns(ours, tables)
  const rows = await Promise.all(
    (await findWriters(ours, ids)).map((one) => readWritten(ours, tables, columns, one.writer, [one.userId])),
  )
  return {
    ours: seconds,
    limit: await measureSeconds(() => concurrently(rows, (one: WrittenRows) => writeRows(limit, one))),
  }
}

/** Finds the transaction that last wrote each of these redemptions. */
async function findWriters(db: Database, ids: readonly RedemptionId[]): Promise<{ userId: string; writer: string }[]> {
  return db.reader<{ userId: string; writer: string }[]>`
    -- all publishers: there is one
    select user_id, xmin::text as writer from redemptions where redemption_id = any(${ids as RedemptionId[]}::uuid[])`
}

async function concurrently<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const caller = async (): Promise<void> => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}
