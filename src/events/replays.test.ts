import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEventWorld } from '../../test/support/webhook-world.ts'
import { replayRange } from './replays.ts'
import { sequenceEvents } from './sequencer.ts'

const world = await startEventWorld('replays')

test('a range is not replayed while ten thousand deliveries wait for the endpoint', async () => {
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
