import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FloodPlan, playBeside } from '../../bench/support/beside.ts'
import { fillCatalog } from '../../bench/support/catalog.ts'
import { createSandboxes, createUsers } from '../../bench/support/tenant.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { databaseEnvironment, testDatabase } from '../support/postgres.ts'

// `npm run bench -- --only fairness` measures how long the other publishers wait.

const LIMITS = { readsPerSecond: 20, eventsPerSecond: 50 }
const CALLS = { users: 50, statusesPerSecond: 10, purchasesPerSecond: 5, seconds: 2 }
const FLOOD: FloodPlan = {
  users: 200,
  readsPerSecond: 10 * LIMITS.readsPerSecond,
  eventsPerSecond: 10 * LIMITS.eventsPerSecond,
  eventsPerBatch: 100,
  searchEvery: 8,
  reportsAtOnce: 5,
  reportEveryMs: 0,
  replaysPerSecond: 1,
  endpoints: 20,
  receiverMs: 8_000,
}
// Stands in for the duration of anything not answered, delivered or matured within a minute.
const NEVER_MS = 60_000

test("while one publisher floods the service, another's calls, webhooks and rewards all complete", async () => {
  const { url } = await testDatabase('fairness')
  const db = openDatabase(url)
  await fillCatalog(db)
  const [measured, neighbour] = await createSandboxes(db, LIMITS)
  await createUsers(db, measured, CALLS.users)
  await createUsers(db, neighbour, FLOOD.users)
  await db.close()
  const environment = { ...databaseEnvironment(), DATABASE_URL: url }
  const { waits, counts } = await playBeside(environment, { measured, neighbour }, CALLS, FLOOD, 1_000)
  for (const [kind, times] of Object.entries(waits)) {
    assert.equal(
      times.length,
      CALLS.seconds * (kind === 'statuses' ? CALLS.statusesPerSecond : CALLS.purchasesPerSecond),
    )
    assert.deepEqual([kind, times.filter((ms) => ms >= NEVER_MS)], [kind, []])
  }
  assert((counts['users 429'] ?? 0) > 0 && (counts['transactions 429'] ?? 0) > 0, JSON.stringify(counts))
})
