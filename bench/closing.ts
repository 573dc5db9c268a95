import { closeMonth, openCut } from '../src/books/statements/index.ts'
import type { Database, Tx } from '../src/platform/db/database.ts'
import type { Publisher } from '../src/tenants/publishers/index.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import { BRANDS } from './support/catalog.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { createTenant, createUsers } from './support/tenant.ts'

const TRANSACTIONS = 1_000_000
const USERS = 20_000
const ROUNDS = 3
const DATABASE = 'closing'
const MONTH = '2026-01'
const MIB = 2 ** 20
const SAMPLED_EVERY_MS = 50

export const closing: Benchmark = {
  name: 'closing',
  about:
    'closing a month of 1,000,000 rewarded transactions at 2,000 brands, half of which matured in it: the cut, one pass over the journals, the statements of all advertisers, of the publisher and of the service, their hashes and rows. The limit is one bare SQL statement that adds up the same postings by kind, account, owner and side. `closing-memory`: the peak memory of this process meanwhile, sampled 20 times a second; the limit is its memory before',
  measure: async (server, size) => {
    const transactions = size ?? TRANSACTIONS
    server.say(`closing: ${transactions} transactions are booked`)
    await server.create(DATABASE)
    const db = server.open(DATABASE)
    try {
      const { publisher } = await prepare(db, transactions)
      return await race(db, publisher, transactions, server.say)
    } finally {
      await db.close()
      await server.drop(DATABASE)
    }
  },
}

async function prepare(db: Database, transactions: number) {
  const tenant = await createTenant(db)
  await createUsers(db, tenant, USERS)
  await db.transaction((tx) => bookMonth(tx, tenant.publisher, transactions))
  await db.reader`vacuum analyze journals`
  return tenant
}

/** Books accruals spread over the month, as intake does, and matures every other one. */
async function bookMonth(tx: Tx, publisher: Publisher, transactions: number): Promise<void> {
  // The rows are consistent by construction, and checking each would take longer than everything else.
  await tx`set local session_replication_role = replica`
  await tx`
    with members as (
      select user_id, row_number() over (order by user_id) - 1 as place from users where publisher_id = ${publisher.id}
    ), bought as (
      select m.user_id, n, 1 + n * 37 % 10007 as of, gen_random_uuid() as cause_id,
        '2026-01-02T00:00:00Z'::timestamptz + n * (interval '28 days' / ${transactions}::float8) as at
      from generate_series(0, ${transactions - 1}::int) as n join members m on m.place = n % ${USERS}::int
    )
    insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, created_at, currency, accounts,
      owners, amounts)
    select user_id, gen_random_uuid(), ${publisher.id}, kind, cause_id, 1, at, at, ${publisher.currency}, accounts, owners, amounts
    from bought
    cross join lateral (values
      ('accrual', '{advertiser_receivable,user_pending,publisher_pending,fee_pending}'::text[],
        array['brand-' || n % ${BRANDS}::int, '', '', ''], array[10 * of, -7 * of, -2 * of, -of]::int8[]),
      ('maturity', '{user_pending,user_available,publisher_pending,publisher_payable,fee_pending,fee_earned}',
        '{"","","","","",""}', array[7 * of, -7 * of, 2 * of, -2 * of, of, -of])
    ) as booked (kind, accounts, owners, amounts)
    where kind = 'accrual' or n % 2 = 0
    order by n`
}

async function race(
  db: Database,
  publisher: Publisher,
  transactions: number,
  say: (message: string) => void,
): Promise<Reading[]> {
  const memory = watchOwnMemory()
  const rounds: { ours: number; limit: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    say(`closing: round ${round} of ${ROUNDS}`)
    const isLast = round === ROUNDS
    rounds.push({
      ours: await measureSeconds(() => closeOnce(db, publisher, isLast)),
      limit: await measureSeconds(() => addUp(db, publisher)),
    })
  }
  memory.stop()
  const [count] = await db.reader<{ statements: number }[]>`select count(*)::int as statements from statements`
  if (count?.statements !== BRANDS + 2) throw new Error(`the month has ${count?.statements} statements`)
  return [
    {
      name: 'closing',
      ours: transactions / computeMedian(rounds.map((round) => round.ours)),
      limit: transactions / computeMedian(rounds.map((round) => round.limit)),
      goal: { of: 'ratio', bound: 'at least', value: 0.5 },
      unit: 'transactions/s',
    },
    {
      name: 'closing-memory',
      ours: memory.peakBytes() / MIB,
      limit: memory.firstBytes / MIB,
      goal: { of: 'ratio', bound: 'at most', value: 1.5 },
      unit: 'MiB',
    },
  ]
}

class Undone extends Error {}

/** Closes the month, but rolls back every round except the last so that the next one finds it open. */
async function closeOnce(db: Database, publisher: Publisher, isLast: boolean): Promise<void> {
  const cut = await openCut(db, 60_000)
  const asked = { month: MONTH, publisherId: publisher.id }
  await db
    .transaction(async (tx) => {
      await closeMonth(tx, asked, { cut, by: 'bench', realNow: new Date() })
      if (!isLast) throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
}

async function addUp(db: Database, publisher: Publisher): Promise<void> {
  await db.reader`
    select kind, account, owner, amount > 0, count(*), sum(amount)
    from postings
    where publisher_id = ${publisher.id} and effective_at >= '2026-01-01' and effective_at < '2026-02-01'
    group by kind, account, owner, amount > 0`
}

function watchOwnMemory() {
  const firstBytes = process.memoryUsage.rss()
  let peak = firstBytes
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, SAMPLED_EVERY_MS)
  return { firstBytes, peakBytes: () => peak, stop: () => clearInterval(timer) }
}
