import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEventWorld } from '../../../test/support/webhook-world.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { sequenceEvents } from '../delivery/sequencer.ts'
import { formatCursor, parseCursor, readFeed } from './feed.ts'
import { beginFeedEpoch } from './feed-queries.ts'

const world = await startEventWorld('feed')

const record = async (publisher: Publisher, users: readonly string[]): Promise<void> => {
  await world.record(publisher, users)
  while (await sequenceEvents(world.db));
}
const read = (publisher: Publisher, cursor: string) => readFeed(world.db.reader, publisher, parseCursor(cursor), 100)
const readNumber = (publisher: Publisher, sequence: number) =>
  readFeed(world.db.reader, publisher, { epoch: null, sequence }, 100)
const restore = () => world.db.transaction((tx) => beginFeedEpoch(tx, world.clock.now()))
const refusal = (code: string, members: object) => (error: { code: string; members: object }) => {
  assert.deepEqual([error.code, error.members], [code, members])
  return true
}

test('a position beyond the newest event is refused, and the refusal includes the newest sequence', async () => {
  const publisher = await world.newPublisher()
  await assert.rejects(readNumber(publisher, 1), refusal('feed_position_invalid', { newest: 0 }))
  await record(publisher, ['ada', 'bob'])
  assert.equal((await readNumber(publisher, 2)).events.length, 0)
  await assert.rejects(readNumber(publisher, 3), refusal('feed_position_invalid', { newest: 2 }))
  await assert.rejects(read(publisher, '0-3'), refusal('feed_position_invalid', { newest: 2 }))
})

test('a reader that saw events lost in a restore gets the sequence number after which to resume', async () => {
  const publisher = await world.newPublisher()
  await record(publisher, ['ada', 'bob'])
  // The backup contains two events, but a reader has seen four.
  await restore()
  await record(publisher, ['eve', 'eve', 'eve'])
  await assert.rejects(read(publisher, '0-4'), refusal('feed_restored', { resume_after: 2, newest: 5 }))
  const { events, next } = await readNumber(publisher, 2)
  assert.deepEqual(
    events.map(({ sequence }) => Number(sequence)),
    [3, 4, 5],
  )
  assert.equal((await read(publisher, formatCursor(next))).events.length, 0)
})

test('a reader that saw none of the lost events can keep reading across several restores', async () => {
  const publisher = await world.newPublisher()
  await record(publisher, ['ada', 'bob'])
  const { next: first } = await read(publisher, '0-0')
  await restore()
  const { next: second, events } = await read(publisher, formatCursor(first))
  assert.deepEqual(events, [])
  assert.ok(second.epoch > first.epoch)
  await record(publisher, ['eve'])
  await restore()
  assert.equal((await read(publisher, formatCursor(first))).events.length, 1)
  assert.equal((await read(publisher, formatCursor(second))).events.length, 1)
  await assert.rejects(read(publisher, `0-3`), refusal('feed_restored', { resume_after: 2, newest: 3 }))
})

test('a cursor with an epoch unknown to the database is refused', async () => {
  const publisher = await world.newPublisher()
  await record(publisher, ['ada'])
  await assert.rejects(read(publisher, '1234-1'), refusal('feed_restored', { resume_after: 0, newest: 1 }))
})
