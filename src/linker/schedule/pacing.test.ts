import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../../platform/database.ts'
import { createTurns } from './pacing.ts'

const { url } = await testDatabase('turns')
// Two processes, as far as the pace can tell.
const processes = [openDatabase(url), openDatabase(url)]
after(() => Promise.all(processes.map((db) => db.close())))
const [here, there] = processes.map((db) => createTurns(db.reader))
assert(here !== undefined && there !== undefined && processes[0] !== undefined)
const { reader } = processes[0]

/** How far the account's pace has been moved ahead of this moment. */
async function bookedMs(account: string, operation: string): Promise<number> {
  const [row] = await reader<{ ms: number }[]>`
    select (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as ms
    from provider_turns where account = ${account} and operation = ${operation}`
  return row?.ms ?? 0
}

// At this pace each turn takes a minute, longer than anybody waits.
const SLOW = 1 / 0.95
const TURN_MS = 60_000

test('turns of all processes follow each other; none is given twice', async () => {
  // 285 turns of 10 ms each, asked for at once from both sides.
  const perMinute = 6_000 / 0.95
  const before = performance.now()
  const taken = await Promise.all(
    Array.from({ length: 285 }, (_, index) => (index % 2 === 0 ? here : there).take('both', 'sync', perMinute)),
  )
  const passedMs = performance.now() - before
  assert(taken.every((turn) => turn.taken))
  const lastMs = Math.max(...taken.map((turn) => turn.inMs))
  // A second that nobody used may be made up for; all else takes its time, from the first call on.
  assert(lastMs + passedMs >= 284 * 10 - 1_000, `the last of 285 turns is in ${lastMs} ms, after ${passedMs} ms`)
  assert((await bookedMs('both', 'sync')) + (performance.now() - before) >= 285 * 10 - 1_000)
})

test('callers of one process that ask together get different turns', async () => {
  const turns = await Promise.all([1, 2, 3, 4].map(() => here.take('together', 'sync', 60 / 0.95)))
  const moments = turns.map((turn) => turn.inMs)
  for (const [index, moment] of moments.slice(1).entries()) {
    const earlier = moments[index] ?? 0
    // The first asked alone, so the second may follow after the statement of the first.
    if (index > 0) assert(moment - earlier > 999, moments.join())
    else assert(moment >= earlier)
  }
})

test('a turn that is too far ahead is not taken, and nothing is booked for it', async () => {
  assert.deepEqual(await here.take('slow', 'sync', SLOW), { taken: true, inMs: 0 })
  const booked = await bookedMs('slow', 'sync')
  for (const process of [here, there, here]) {
    const turn = await process.take('slow', 'sync', SLOW)
    assert.equal(turn.taken, false)
    assert(turn.inMs > 0 && turn.inMs <= TURN_MS)
  }
  assert((await bookedMs('slow', 'sync')) <= booked)
})

test('when the provider says "too often", no process has a turn of that operation and account, until the pause is over', async () => {
  await here.postpone('limited', 'sync', 600_000)
  // A shorter pause does not end a longer one.
  await there.postpone('limited', 'sync', 1_000)
  for (const process of [here, there]) {
    const turn = await process.take('limited', 'sync', 6_000)
    assert.equal(turn.taken, false)
    assert(turn.inMs > 300_000, String(turn.inMs))
  }
  assert.equal((await there.take('limited', 'accounts', 6_000)).taken, true)
  assert.equal((await there.take('other', 'sync', 6_000)).taken, true)
})

test('a database that fails fails those who ask, and serves the next', async () => {
  const db = openDatabase(url)
  const turns = createTurns(db.reader)
  await reader`alter table provider_turns rename to provider_turns_away`
  await assert.rejects(turns.take('again', 'sync', 6_000))
  await reader`alter table provider_turns_away rename to provider_turns`
  assert.equal((await turns.take('again', 'sync', 6_000)).taken, true)
  await db.close()
})
