import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { countWaitingReviews } from '../../src/catalog/reviews/index.ts'
import { readWallets } from '../../src/ledger/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { toUserId } from '../../src/platform/ids.ts'
import { countWaitingClaims } from '../../src/purchases/claims/index.ts'
import { listPublishers } from '../../src/tenants/publishers/index.ts'
import { testDatabase } from '../../test/support/postgres.ts'
import { verifyAll } from '../commands/ledger.ts'
import { seedEmptyDatabase } from './seed.ts'

async function emptyDatabase(): Promise<Database> {
  const db = openDatabase((await testDatabase('seed')).url)
  after(() => db.close())
  return db
}

test('an empty database is seeded with a sandbox, a catalog and a demo story whose books balance', async () => {
  const db = await emptyDatabase()
  assert.match((await seedEmptyDatabase(db, new Date())) ?? '', /^lrl_sandbox_/)
  const { brands, offers } = await createCatalogStore(db).current()
  assert(brands.size >= 200)
  assert.equal(new Set([...offers.values()].map((offer) => offer.offerType)).size, 4)
  assert.equal(new Set([...offers.values()].map((offer) => offer.rewardType)).size, 4)
  const [sandbox] = await listPublishers(db.reader)
  assert(sandbox)
  const ada = toUserId(sandbox.id, 'ada')
  const balances = (await readWallets(db.reader, sandbox, [ada])).get(ada)?.get('USD')
  assert.deepEqual([balances?.pending, balances?.available, balances?.debt], [180n, 100n, 0n])
  const rows = await db.reader<{ line: string }[]>`
    select concat_ws(' ', status, status_reason, user_amount) as line from transactions where user_id = ${ada}`
  const outcomes = rows.map((row) => row.line).sort()
  assert.deepEqual(outcomes, [
    'CANCELLED refunded 0',
    ...Array(3).fill('CANCELLED unmatched 0'),
    'EARNED 100',
    'EARNED 480',
    'EARNED refunded -480',
    'PENDING 180',
  ])
  const waiting = await Promise.all([countWaitingReviews(db.reader), countWaitingClaims(db.reader)])
  assert.deepEqual(
    waiting.map(({ count }) => count),
    [2, 1],
  )
  assert.deepEqual((await verifyAll(db)).differences, [])
})

test('only one of two concurrent starts seeds a database, and a database with a publisher stays untouched', async () => {
  const db = await emptyDatabase()
  const keys = await Promise.all([seedEmptyDatabase(db, new Date()), seedEmptyDatabase(db, new Date())])
  assert.equal(keys.filter((key) => key !== null).length, 1)
  assert.equal(await seedEmptyDatabase(db, new Date()), null)
  assert.equal((await listPublishers(db.reader)).length, 1)
})
