import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { CATEGORIES, importText, offer } from '../../../test/support/catalog-world.ts'
import { testDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { createCatalogStore } from '../catalog/index.ts'
import { listBudgets } from './budget-queries.ts'
import { warnAboutBudgets } from './budget-warnings.ts'
import type { BudgetKey } from './budgets.ts'
import { takeFromBudgets } from './take-budgets.ts'

const database = await testDatabase('budget-warnings')
const db = openDatabase(database.url, { connections: 4 })
after(() => db.close())

const NOW = new Date('2026-03-12T10:00:00Z')
const catalog = createCatalogStore(db)
const budgets = [{ period: 'DAY', amount: 100 }]
const flat = { reward_type: 'CASHBACK_DOLLAR', commission: { amount: 7 } }
await importText(db, {
  categories: CATEGORIES,
  brands: [
    {
      category_id: 1,
      name: 'Budgeted',
      offers: [
        offer('By rate', { offer_uid: 'by-rate', budgets }),
        offer('Flat', { ...flat, offer_uid: 'flat', budgets }),
      ],
    },
  ],
})

type Reported = { readonly offer_uid: string; readonly percent: number; readonly spent: string; readonly level: number }

/** Returns the warnings that one process logs in one run. */
async function look(at = NOW): Promise<Reported[]> {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  await warnAboutBudgets({ db, catalog, log: pino({}, stream) }, at)
  return lines.map((line) => JSON.parse(line))
}

const reported = (lines: readonly Reported[]): string[] =>
  lines.map((one) => `${one.offer_uid} ${one.percent} ${one.spent}`).sort()

let users = 0
async function spend(
  key: Pick<BudgetKey, 'offerUid'> & Partial<BudgetKey>,
  amount: bigint,
  budget = 10_000n,
): Promise<void> {
  const whole: BudgetKey = { environment: 'production', period: 'DAY', startsOn: '2026-03-12', ...key }
  const userId = `00000000-0000-8000-8000-${String(users++).padStart(12, '0')}` as UserId
  const states = await listBudgets(db.reader, [whole])
  const version = (states[0]?.offerVersion ?? 0) + (states[0]?.amount === budget ? 0 : 1)
  const take = { ...whole, userId, amount, budget, offerVersion: version }
  assert.ok(await db.transaction((tx) => takeFromBudgets(tx, [take], states)))
}

test('nearly spent and spent budgets are each logged once across all processes', async () => {
  await spend({ offerUid: 'by-rate' }, 7_999n)
  assert.deepEqual(await look(), [])
  await spend({ offerUid: 'by-rate' }, 1n)
  const first = (await Promise.all([look(), look(), look(), look()])).flat()
  assert.deepEqual(reported(first), ['by-rate 80 80.00'])
  assert.equal(first[0]?.level, 40)
  assert.deepEqual(await look(), [])
  await spend({ offerUid: 'by-rate' }, 2_000n)
  assert.deepEqual(reported((await Promise.all([look(), look()])).flat()), ['by-rate 100 100.00'])
  assert.deepEqual(await look(), [])
})

test('a budget is reported as spent when too little is left for any reward', async () => {
  await spend({ offerUid: 'flat' }, 9_301n)
  assert.deepEqual(reported(await look()), ['flat 100 93.01', 'flat 80 93.01'])
})

test('raised budgets and sandbox budgets get separate warnings', async () => {
  await spend({ offerUid: 'by-rate' }, 7_000n, 20_000n)
  assert.deepEqual(reported(await look()), ['by-rate 80 170.00'])
  await spend({ offerUid: 'by-rate', environment: 'sandbox' }, 8_500n)
  assert.deepEqual(reported(await look()), ['by-rate 80 85.00'])
})

test('budgets older than the look-back period are not logged', async () => {
  await spend({ offerUid: 'by-rate', startsOn: '2026-03-06' }, 9_000n)
  await spend({ offerUid: 'by-rate', startsOn: '2026-03-05' }, 9_500n)
  assert.deepEqual(reported(await look()), ['by-rate 80 90.00'])
})
