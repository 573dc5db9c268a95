import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { startEventWorld, startReceiver, userNamed } from '../../../test/support/webhook-world.ts'
import { sequenceEvents } from '../delivery/sequencer.ts'
import { queueStranded } from '../delivery/stranded-queries.ts'
import { replayRange } from './replays.ts'

const world = await startEventWorld('replays')

test('a range replay is refused while ten thousand deliveries wait for the endpoint', async () => {
  const publisher = await world.newPublisher()
  const { endpoint } = await world.newEndpoint(publisher, 'https://example.com/hook')
  await world.record(publisher, ['ada'])
  while (await sequenceEvents(world.db));
  const replay = () =>
    world.db.transaction((tx) =>
      replayRange(tx, publisher, endpoint.endpointId, { after: 0, until: null }, world.clock.now()),
    )
  await world.db.reader`
    insert into webhook_deliveries (publisher_id, endpoint_id, user_id, event_id, type, sequence)
    select publisher_id, endpoint_id, user_id, event_id, type, sequence
    from webhook_deliveries, generate_series(1, 9998) where endpoint_id = ${endpoint.endpointId}`
  assert.equal((await replay()).replayed, 1)
  await assert.rejects(replay(), { code: 'deliveries_waiting', members: { waiting_max: 10_000 } })
  await world.db.reader`
    update webhook_deliveries set status = 'delivered'
    where position = (select min(position) from webhook_deliveries where endpoint_id = ${endpoint.endpointId})`
  assert.equal((await replay()).replayed, 1)
})

test('concurrent replays together do not exceed the limit', async () => {
  const publisher = await world.newPublisher()
  const { endpoint } = await world.newEndpoint(publisher, 'https://example.com/hook')
  await world.record(publisher, ['ada', 'bob'])
  while (await sequenceEvents(world.db));
  await world.db.reader`
    insert into webhook_deliveries (publisher_id, endpoint_id, user_id, event_id, type, sequence)
    select publisher_id, endpoint_id, user_id, event_id, type, sequence
    from webhook_deliveries, generate_series(1, 4998) where endpoint_id = ${endpoint.endpointId}`
  const range = { after: 0, until: null }
  const replay = () =>
    world.db.transaction((tx) => replayRange(tx, publisher, endpoint.endpointId, range, world.clock.now()))
  const replays: Promise<unknown>[] = []
  await world.db.transaction(async (tx) => {
    // Each replay has counted the waiting deliveries, or is waiting for a replay that has.
    await tx`select 1 from event_feed where publisher_id = ${publisher.id} for update`
    replays.push(replay())
    await Promise.race([world.untilSomethingWaits(), ...replays])
    replays.push(replay(), replay())
    await Promise.all([tx`select 1`, world.db.reader`select 1`])
  })
  const outcomes = await Promise.allSettled(replays)
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

for (const claimed of [false, true]) {
  const queue = claimed ? 'queue that is being delivered' : 'queue'
  test(`a replay is delivered even if the sequencer creates the user's ${queue} in the meantime`, async () => {
    const publisher = await world.newPublisher()
    await world.record(publisher, ['ada', 'bob'])
    while (await sequenceEvents(world.db));
    const answering = Promise.withResolvers<void>()
    const receiver = await startReceiver((_request, response) => void answering.promise.then(() => response.end()))
    const { endpoint } = await world.newEndpoint(publisher, receiver.url)
    const deliverer = world.newDeliverer()
    const replaying: Promise<unknown>[] = []
    await world.db.transaction(async (tx) => {
      // The replay blocks here, after inserting ada's delivery and before adding it to the queue.
      await tx`
        select 1 from event_feed where publisher_id = ${publisher.id} and user_id = ${userNamed('bob')} for update`
      replaying.push(
        world.db.transaction((other) =>
          replayRange(other, publisher, endpoint.endpointId, { after: 0, until: null }, world.clock.now()),
        ),
      )
      await Promise.race([world.untilSomethingWaits(), ...replaying])
      await world.record(publisher, ['ada'])
      while (await sequenceEvents(world.db));
      if (claimed) {
        await deliverer.pass()
        await eventually(async () => receiver.received.length === 1)
      }
    })
    await Promise.all(replaying)
    answering.resolve()
    await world.settle(deliverer)
    const sequences = receiver.received.map(({ event }) => event.sequence)
    assert.deepEqual(sequences.toSorted(), [1, 2, 3])
    assert.equal(sequences.indexOf(1) < sequences.indexOf(3), !claimed)
  })
}

test('a pending delivery without a queue, or with one that starts after it, is found and sent', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada', 'bob', 'bob', 'eve', 'zoe'])
  while (await sequenceEvents(world.db));
  const matchQueue = (user: string) =>
    world.db.reader`endpoint_id = ${endpoint.endpointId} and user_id = ${userNamed(user)}`
  // The state after a replay by an earlier version.
  await world.db.reader`delete from webhook_queues where ${matchQueue('ada')} or ${matchQueue('eve')}`
  await world.db.reader`update webhook_queues set position = position + 1 where ${matchQueue('bob')}`
  // Drops eve's event.
  await world.db.reader`delete from event_feed where publisher_id = ${publisher.id} and user_id = ${userNamed('eve')}`
  await world.settle(world.newDeliverer())
  const sequences = () => receiver.received.map(({ event }) => event.sequence).sort()
  assert.deepEqual(sequences(), [3, 5])

  const look = (after: Parameters<typeof queueStranded>[1]) => world.db.transaction((tx) => queueStranded(tx, after, 2))
  let looks = 1
  // Begins at this publisher, because other publishers in this file have a great many deliveries.
  const begin = { publisherId: publisher.id, position: 0n }
  for (let place = await look(begin); place?.publisherId === publisher.id; place = await look(place)) looks++
  await world.settle(world.newDeliverer())
  assert.deepEqual(sequences(), [1, 2, 3, 5])
  const queues = await world.db.reader`select 1 from webhook_queues where endpoint_id = ${endpoint.endpointId}`
  assert.deepEqual([queues.length, looks > 2], [0, true])
})
