import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { createPublisher } from '../../tenants/publishers/index.ts'
import type { PublisherId } from '../ids.ts'
import { type Fact, FactFailure, type FactTurn, recordFact, runFact } from './outbox.ts'

const db = await openTestDatabase('facts')

const publisherIds: PublisherId[] = []
for (const name of ['first', 'second', 'third']) {
  const made = await db.transaction((tx) => createPublisher(tx, { name, environment: 'sandbox' }, new Date()))
  publisherIds.push(made.id)
}

/** Records facts for a publisher, numbered in order. */
const record = (place: number, count: number) => db.reader`
  insert into facts (publisher_id, name, payload)
  select ${publisherIds[place] ?? ''}, 'thing.done', jsonb_build_object('nth', n::text) from generate_series(1, ${count}::int) n`
const toName = ({ publisherId, payload }: Fact): string => `${publisherIds.indexOf(publisherId)}:${payload['nth']}`

async function take(times: number, turn: FactTurn, work: (fact: Fact) => void = () => undefined): Promise<string[]> {
  const taken: string[] = []
  for (let time = 0; time < times; time++)
    await runFact(db, turn, async (_tx, fact) => {
      taken.push(toName(fact))
      work(fact)
    }).catch((error: unknown) => assert(error instanceof FactFailure))
  return taken
}

test('publishers take turns, so one with a large backlog of facts does not hold up the others', async () => {
  await record(1, 20_000)
  await db.reader`analyze facts`
  const turn: FactTurn = { after: null }
  assert.deepEqual(await take(3, turn), ['1:1', '1:2', '1:3'])
  await record(2, 1)
  await record(0, 2)
  assert.deepEqual((await take(6, turn)).toSorted(), ['0:1', '0:2', '1:4', '1:5', '1:6', '2:1'])
  await db.reader`delete from facts`
})

test('concurrent processes run each fact of every publisher exactly once', async () => {
  for (const place of [0, 1, 2]) await record(place, 20)
  const done = await Promise.all([1, 2, 3].map(() => take(25, { after: null })))
  assert.deepEqual([done.flat().length, new Set(done.flat()).size], [60, 60])
})

test('a failing fact is postponed without delaying other facts of the same or any other publisher', async () => {
  await record(0, 2)
  await record(1, 1)
  const fail = (fact: Fact): void => {
    if (toName(fact) === '0:1') throw new Error('it fails')
  }
  assert.deepEqual((await take(4, { after: null }, fail)).toSorted(), ['0:1', '0:2', '1:1'])
  const [left] = await db.reader<{ attempts: number }[]>`select attempts from facts`
  assert.equal(left?.attempts, 1)
  await db.reader`delete from facts`
})

test('runFact can be limited to the facts of one publisher', async () => {
  const [first, second] = publisherIds as [PublisherId, PublisherId]
  await db.transaction((tx) => recordFact(tx, second, 'thing.done', { nth: '1' }))
  assert.equal(await runFact(db, first, async () => undefined), false)
  assert.equal(await runFact(db, second, async () => undefined), true)
})
