import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEventWorld, userNamed } from '../../../test/support/webhook-world.ts'
import { listEventsAfter } from '../feed/feed-queries.ts'
import { recordEvents } from '../record.ts'
import { sequenceEvents } from './sequencer.ts'

const world = await startEventWorld('sequencer')

async function readFeed(publisher: Awaited<ReturnType<typeof world.newPublisher>>) {
  return listEventsAfter(world.db.reader, publisher, 0, 100_000)
}

test('eight concurrent writers, some of which roll back, leave no gaps and lose no events', async () => {
  const publishers = [await world.newPublisher(), await world.newPublisher()] as const
  const kept = new Map(publishers.map((publisher) => [publisher.id, new Set<string>()]))
  let writing = true
  const writer = async (name: number): Promise<void> => {
    for (let count = 0; count < 30; count++) {
      const publisher = publishers[count % 2 === 0 ? 0 : 1]
      const user = `${name}-${count}`
      const rolledBack = (name + count) % 3 === 0
      const records = [0, 1].map((index) => ({
        type: 'user.updated' as const,
        userId: userNamed(user),
        data: { user, index },
      }))
      await world.db
        .transaction(async (tx) => {
          await recordEvents(tx, publisher, records, world.clock.now())
          if (rolledBack) throw new Error('rolled back')
        })
        .catch((error: Error) => assert.equal(error.message, 'rolled back'))
      if (!rolledBack) kept.get(publisher.id)?.add(user)
    }
  }
  const sequencer = async (): Promise<void> => {
    while (writing) await sequenceEvents(world.db)
  }
  const sequencers = [sequencer(), sequencer()]
  await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
  writing = false
  await Promise.all(sequencers)
  while (await sequenceEvents(world.db));
  await sequenceEvents(world.db)

  for (const publisher of publishers) {
    const feed = await readFeed(publisher)
    assert.deepEqual(
      feed.map((event) => Number(event.sequence)),
      feed.map((_, index) => index + 1),
    )
    const data = feed.map((event): { user: string; index: number } => JSON.parse(event.data))
    assert.deepEqual(new Set(data.map(({ user }) => user)), kept.get(publisher.id))
    assert.equal(data.length, 2 * (kept.get(publisher.id)?.size ?? 0))
    // Events in one transaction stay in order.
    for (const [place, { user, index }] of data.entries()) {
      if (index === 1) assert.ok(data.findIndex((one) => one.user === user && one.index === 0) < place)
    }
  }
})

test('an event appears in the feed only after its transaction commits', async () => {
  const publisher = await world.newPublisher()
  await world.db.transaction(async (tx) => {
    const records = [{ type: 'user.created' as const, userId: userNamed('ada'), data: {} }]
    await recordEvents(tx, publisher, records, world.clock.now())
    await sequenceEvents(world.db)
    assert.deepEqual(await readFeed(publisher), [])
  })
  await sequenceEvents(world.db)
  assert.equal((await readFeed(publisher)).length, 1)
})

test("an event goes only to those of its publisher's endpoints that subscribe to its type", async () => {
  const [publisher, other] = [await world.newPublisher(), await world.newPublisher()]
  const every = await world.newEndpoint(publisher, 'https://example.com/every')
  const some = await world.newEndpoint(publisher, 'https://example.com/some', ['user.created'])
  await world.newEndpoint(publisher, 'https://example.com/none', ['card.linked'])
  await world.newEndpoint(other, 'https://example.com/other')
  await world.record(publisher, ['ada'], 'user.created')
  await world.record(publisher, ['ada'], 'user.updated')
  await sequenceEvents(world.db)
  const rows = await world.db.reader<{ endpoint: string; sequence: bigint }[]>`
    select endpoint_id as endpoint, sequence from webhook_deliveries where publisher_id in (${publisher.id}, ${other.id})
    order by position`
  const ids = [every.endpoint.endpointId, some.endpoint.endpointId].sort()
  assert.deepEqual(
    rows.map((row) => [row.endpoint, Number(row.sequence)]),
    [...ids.map((id) => [id, 1]), [every.endpoint.endpointId, 2]],
  )
})

test('a pass numbers events for every publisher, but fewer for a publisher with more endpoints', async () => {
  const [flooding, other] = [await world.newPublisher(), await world.newPublisher()]
  const [pass, endpoints] = [4_000, 5]
  for (let number = 0; number < endpoints; number++) {
    await world.newEndpoint(flooding, `https://example.com/flooded/${number}`)
  }
  const users = Array.from({ length: pass / endpoints }, (_, number) => `user-${number}`)
  await world.record(flooding, users, 'user.created')
  await world.record(other, ['ada'], 'user.created')
  assert.equal(await sequenceEvents(world.db), true)
  assert.equal((await readFeed(other)).length, 1)
  assert.equal((await readFeed(flooding)).length, pass / 2 / endpoints)
  while (await sequenceEvents(world.db));
  const numbered = (await readFeed(flooding)).map(({ data }) => JSON.parse(data).publisher_user_id)
  assert.deepEqual(numbered, users)
})
