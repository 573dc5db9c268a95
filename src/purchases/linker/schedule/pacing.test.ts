import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { createPacing } from './pacing-queries.ts'

const { url } = await testDatabase('pacing')
// Stand-ins for two processes.
const processes = [openDatabase(url), openDatabase(url)]
after(() => Promise.all(processes.map((db) => db.close())))
const [here, there] = processes.map((db) => createPacing(db.reader))
assert(here !== undefined && there !== undefined && processes[0] !== undefined)
const { reader } = processes[0]

/** Returns how far the account's pace is ahead of this moment. */
async function aheadMs(account: string, operation: string): Promise<number> {
  const [row] = await reader<{ ms: number }[]>`
    select (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as ms
    from provider_pacing where account = ${account} and operation = ${operation}`
  return row?.ms ?? 0
}

// At this pace each call takes a minute, longer than any caller waits.
const SLOW = 1 / 0.95
const STEP_MS = 60_000

test('slots are consecutive across processes, and none is reserved twice', async () => {
  // 285 slots of 10 ms each, reserved concurrently by both processes.
  const perMinute = 6_000 / 0.95
  const before = performance.now()
  const slots = await Promise.all(
    Array.from({ length: 285 }, (_, index) => (index % 2 === 0 ? here : there).reserve('both', 'sync', perMinute)),
  )
  const passedMs = performance.now() - before
  assert(slots.every((slot) => slot.isReserved))
  const lastMs = Math.max(...slots.map((slot) => slot.inMs))
  // A second of unused time may be made up for. Everything else takes its full time from the first call on.
  assert(lastMs + passedMs >= 284 * 10 - 1_000, `the last of 285 slots is in ${lastMs} ms, after ${passedMs} ms`)
  assert((await aheadMs('both', 'sync')) + (performance.now() - before) >= 285 * 10 - 1_000)
})

test('a slot too far ahead is not reserved, but the caller gets the time until it', async () => {
  assert.deepEqual(await here.reserve('slow', 'sync', SLOW), { isReserved: true, inMs: 0 })
  const ahead = await aheadMs('slow', 'sync')
  for (const process of [here, there, here]) {
    const slot = await process.reserve('slow', 'sync', SLOW)
    assert.equal(slot.isReserved, false)
    assert(slot.inMs > 0 && slot.inMs <= STEP_MS)
  }
  assert((await aheadMs('slow', 'sync')) <= ahead)
})

test('after a rate limit, no process gets a slot for that operation and account until the pause ends', async () => {
  await here.postpone('limited', 'sync', 600_000)
  // A shorter pause does not end a longer one.
  await there.postpone('limited', 'sync', 1_000)
  for (const process of [here, there]) {
    const slot = await process.reserve('limited', 'sync', 6_000)
    assert.equal(slot.isReserved, false)
    assert(slot.inMs > 300_000, String(slot.inMs))
  }
  assert.equal((await there.reserve('limited', 'accounts', 6_000)).isReserved, true)
  assert.equal((await there.reserve('other', 'sync', 6_000)).isReserved, true)
})
