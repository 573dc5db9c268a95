import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEventWorld } from '../../test/support/webhook-world.ts'
import { DAY_MS } from '../platform/calendar.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import { sequenceEvents } from './delivery/sequencer.ts'
import { changeEndpoint, deleteEndpoint } from './endpoints/endpoints.ts'
import { replayRange } from './endpoints/replays.ts'
import { showBacklog } from './metrics.ts'

const world = await startEventWorld('event_metrics')

const undelivered = async (): Promise<object> => {
  await showBacklog(world.db.reader, world.clock.now())
  const metric = (await registry.getMetricsAsJSON()).find(({ name }) => name === 'laurel_webhook_deliveries_exhausted')
  return Object.fromEntries(metric?.values.map(({ labels, value }) => [labels['environment'], value]) ?? [])
}
const exhaust = () => world.db.reader`
  update webhook_deliveries
  set status = 'exhausted', exhausted_position = position, last_attempt_at = ${world.clock.now()}
  where status = 'pending'`
/** Creates a publisher with an endpoint that failed to receive three events. */
async function unreached(environment: 'sandbox' | 'production') {
  const publisher = await world.newPublisher(environment)
  const { endpoint } = await world.newEndpoint(publisher, 'https://example.com/hook')
  await world.record(publisher, ['ada', 'ada', 'bob'])
  while (await sequenceEvents(world.db));
  await exhaust()
  return { publisher, endpointId: endpoint.endpointId }
}

test('exhausted deliveries are counted until they are replayed or their endpoint is deleted', async () => {
  assert.deepEqual(await undelivered(), { sandbox: 0, production: 0 })
  for (const environment of ['sandbox', 'production', 'production'] as const) {
    const { publisher, endpointId } = await unreached(environment)
    const before = await undelivered()
    const again = { after: 1, until: 3 }
    const replay = () => world.db.transaction((tx) => replayRange(tx, publisher, endpointId, again, world.clock.now()))
    await replay()
    assert.deepEqual(await undelivered(), { ...before, [environment]: 1 })
    await exhaust()
    assert.deepEqual(await undelivered(), { ...before, [environment]: 3 }, 'each event counts once')
    await world.db.transaction((tx) => deleteEndpoint(tx, publisher, endpointId, world.clock.now()))
    assert.deepEqual(await undelivered(), { sandbox: 0, production: 0 })
  }
})

test('exhausted deliveries are counted for a day, but not while their endpoint is disabled', async () => {
  await unreached('production')
  const other = await unreached('production')
  assert.deepEqual(await undelivered(), { sandbox: 0, production: 6 })
  const disabled = { disabled: true }
  await world.db.transaction((tx) =>
    changeEndpoint(
      tx,
      world,
      other.publisher,
      { endpointId: other.endpointId, changes: disabled, mayDecide: false },
      world.clock.now(),
    ),
  )
  assert.deepEqual(await undelivered(), { sandbox: 0, production: 3 })
  world.clock.advance(DAY_MS - 1)
  assert.deepEqual(await undelivered(), { sandbox: 0, production: 3 })
  world.clock.advance(1)
  assert.deepEqual(await undelivered(), { sandbox: 0, production: 0 })
})
