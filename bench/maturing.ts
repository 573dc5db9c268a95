import { matureRewards } from '../src/purchases/transactions/index.ts'
import type { Benchmark } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { matureInOneStatement } from './support/one-statement.ts'
import { addRipeRewards } from './support/ripe-rewards.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { createTenant, createUsers, type Tenant } from './support/tenant.ts'

const USERS = 20_000
const REWARDS_OF_USER = 5
const REWARDS = USERS * REWARDS_OF_USER
const ROUNDS = 3
const TEMPLATE = 'maturing_template'

export const maturing: Benchmark = {
  name: 'maturing',
  about:
    'making 100,000 rewards available in batches, across 20,000 users, once their refund period has passed. The limit is one SQL statement that writes the same rows (journals, postings, deltas, balances, transactions, events and their queue) in one go',
  measure: async (server) => {
    const tenant = await prepare(server)
    const now = new Date()
    const rounds: { ours: number; limit: number }[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      server.say(`maturing: round ${round} of ${ROUNDS}`)
      rounds.push({
        ours: await onCopy(server, async (db) => {
          while ((await db.transaction((tx) => matureRewards(tx, tenant.publisher, now))).more) {}
        }),
        limit: await onCopy(server, (db) => db.transaction((tx) => matureInOneStatement(tx, tenant.publisher, now))),
      })
    }
    await server.drop(TEMPLATE)
    return [
      {
        name: 'maturing',
        ours: REWARDS / computeMedian(rounds.map((round) => round.ours)),
        limit: REWARDS / computeMedian(rounds.map((round) => round.limit)),
        goal: { of: 'ratio', bound: 'at least', value: 0.5 },
        unit: 'rewards/s',
      },
    ]
  },
}

async function prepare(server: BenchServer): Promise<Tenant> {
  server.say('maturing: 100,000 rewards past their refund period are made')
  await server.create(TEMPLATE)
  const db = server.open(TEMPLATE)
  try {
    const tenant = await createTenant(db)
    await createUsers(db, tenant, USERS)
    await addRipeRewards(db, tenant.publisher, REWARDS_OF_USER)
    return tenant
  } finally {
    await db.close()
  }
}

/** Times the work on a fresh copy, and checks that everything has matured when it is done. */
async function onCopy(
  server: BenchServer,
  work: (db: ReturnType<BenchServer['open']>) => Promise<unknown>,
): Promise<number> {
  await server.create('maturing', TEMPLATE)
  const db = server.open('maturing')
  try {
    await db.reader`select 1`
    const seconds = await measureSeconds(() => work(db))
    const [counted] = await db.reader<{ earned: number; queued: number; posted: number }[]>`
      -- all publishers: there is one
      select (select count(*)::int from transactions where status = 'EARNED') as earned,
        (select count(*)::int from event_queue) as queued, (select count(*)::int from journals where kind = 'maturity') as posted`
    if (counted?.earned !== REWARDS || counted.posted !== REWARDS || counted.queued !== 2 * REWARDS)
      throw new Error(`of ${REWARDS} rewards ${JSON.stringify(counted)}`)
    return seconds
  } finally {
    await db.close()
    await server.drop('maturing')
  }
}
