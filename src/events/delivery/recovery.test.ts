import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Received, startEventWorld, startReceiver } from '../../../test/support/webhook-world.ts'
import { HOUR_MS, MINUTE_MS } from '../../platform/calendar.ts'
import { enableEndpoint, testEndpoint } from '../endpoints/endpoints.ts'
import { replayDelivery, replayRange } from '../endpoints/replays.ts'
import type { EndpointId } from '../record.ts'
import { preferLookups } from './lease-queries.ts'
import { makeQueuesDue } from './recovery-queries.ts'

const world = await startEventWorld('webhook_recovery')

/** Starts a receiver that is down until it is fixed. */
async function startBreakable() {
  const state = { isDown: true }
  const receiver = await startReceiver((_request, response) => {
    response.statusCode = state.isDown ? 500 : 200
    response.end()
  })
  return {
    url: receiver.url,
    /** Fixes the receiver and clears the requests it got while it was down. */
    fix: () => {
      state.isDown = false
      receiver.received.splice(0)
    },
    breakDown: () => {
      state.isDown = true
    },
    received: receiver.received,
  }
}
const told = (received: readonly Received[]) =>
  received.map(({ event }) => `${event.data.publisher_user_id}-${event.data.index}`)
const readDeliveries = (endpointId: EndpointId) =>
  world.db.reader<{ deliveryId: never; attempts: number; plannedAt: Date | null; nextAttemptAt: Date | null }[]>`
    select delivery_id, attempts, planned_at, next_attempt_at from webhook_deliveries
    where endpoint_id = ${endpointId} order by position`

/** Creates an endpoint that was down while one user's first event failed eight times. */
async function afterEightFailures() {
  const publisher = await world.newPublisher()
  const receiver = await startBreakable()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  await world.record(publisher, ['ada', 'ada', 'ada', 'ada', 'ada', 'bob'])
  for (let tries = 0; tries < 8; tries++) {
    await world.settle(deliverer)
    const [first] = await readDeliveries(endpoint.endpointId)
    if (tries < 7) world.clock.advance((first?.nextAttemptAt?.getTime() ?? 0) - world.clock.now().getTime())
  }
  assert.equal((await readDeliveries(endpoint.endpointId))[0]?.attempts, 8)
  world.clock.advance(MINUTE_MS)
  return { publisher, receiver, endpointId: endpoint.endpointId, settle: () => world.settle(deliverer) }
}

const ALL = ['ada-0', 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'bob-5']
const sent = (received: readonly Received[]) => told(received.filter(({ event }) => event.type === 'user.updated'))

const ACTS = {
  'a success': ({ publisher }) => world.record(publisher, ['eve']),
  'a test that arrives': ({ publisher, endpointId }) =>
    world.db.transaction((tx) => testEndpoint(tx, publisher, endpointId, world.clock.now())),
  enabling: ({ publisher, endpointId }) =>
    world.db.transaction((tx) => enableEndpoint(tx, publisher, endpointId, world.clock.now())),
  'a replay': async ({ publisher, endpointId }) => {
    const [, , , , , last] = await readDeliveries(endpointId)
    const deliveryId = last?.deliveryId ?? assert.fail('bob has a delivery')
    await world.db.transaction((tx) => replayDelivery(tx, publisher, deliveryId, world.clock.now()))
  },
  'the replay of a range': ({ publisher, endpointId }) =>
    world.db.transaction((tx) => replayRange(tx, publisher, endpointId, { after: 5, until: null }, world.clock.now())),
} satisfies Record<string, (down: Awaited<ReturnType<typeof afterEightFailures>>) => Promise<unknown>>

for (const [name, act] of Object.entries(ACTS)) {
  test(`after ${name}, every delivery waiting for the endpoint is sent immediately`, async () => {
    const down = await afterEightFailures()
    down.receiver.fix()
    await act(down)
    await down.settle()
    const arrived = sent(down.receiver.received)
    assert.deepEqual(
      arrived.filter((one) => one.startsWith('ada')),
      ALL.filter((one) => one.startsWith('ada')),
    )
    assert.ok(arrived.includes('bob-5'))
  })
}

test('enabling an endpoint sends waiting deliveries oldest first', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startBreakable()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  const order = Array.from({ length: 30 }, (_, index) => `user-${index}`)
  for (const user of order) {
    await world.record(publisher, [user])
    await world.settle(deliverer)
  }
  world.clock.advance(1_000)
  // Making one call at a time makes the order observable.
  await world.db.transaction((tx) => enableEndpoint(tx, publisher, endpoint.endpointId, world.clock.now()))
  await world.db
    .reader`update webhook_endpoints set failures = 5, failing_since = now() where endpoint_id = ${endpoint.endpointId}`
  receiver.fix()
  await world.settle(deliverer)
  const [first] = receiver.received
  assert.equal(first?.event.data.publisher_user_id, 'user-0')
  assert.equal(receiver.received.length, 30)
})

test('replays requested by the owner leave the retry schedule unchanged', async () => {
  const { publisher, endpointId, settle } = await afterEightFailures()
  const [before] = await readDeliveries(endpointId)
  for (let times = 0; times < 5; times++) {
    const deliveryId = before?.deliveryId ?? assert.fail('ada has a delivery')
    await world.db.transaction((tx) => replayDelivery(tx, publisher, deliveryId, world.clock.now()))
    await settle()
    world.clock.advance(MINUTE_MS)
  }
  const [after] = await readDeliveries(endpointId)
  assert.equal(after?.attempts, 13)
  assert.deepEqual(after?.plannedAt, before?.plannedAt)
  assert.deepEqual(after?.nextAttemptAt, before?.plannedAt)
})

test('repeated replays of a delivery by its owner do not bypass the pauses between attempts', async () => {
  const { publisher, receiver, endpointId, settle } = await afterEightFailures()
  const [before] = await readDeliveries(endpointId)
  const deliveryId = before?.deliveryId ?? assert.fail('ada has a delivery')
  const callsBefore = receiver.received.length
  for (let seconds = 0; seconds < 30; seconds++) {
    await world.db.transaction((tx) => replayDelivery(tx, publisher, deliveryId, world.clock.now()))
    await settle()
    world.clock.advance(1_000)
  }
  const calls = receiver.received.slice(callsBefore).filter(({ event }) => event.data.publisher_user_id === 'ada')
  assert.equal(calls.length, 3, 'at once, and after rests of 5 and 10 seconds')
})

test('an event that is always rejected is not retried each time another one succeeds', async () => {
  const publisher = await world.newPublisher()
  let refused = 0
  const receiver = await startReceiver(({ event }, response) => {
    response.statusCode = event.data.publisher_user_id === 'poison' ? 500 : 200
    if (response.statusCode === 500) refused++
    response.end()
  })
  await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  await world.record(publisher, ['poison'])
  for (let seconds = 0; seconds < 600; seconds += 6) {
    await world.record(publisher, ['ada'])
    await world.settle(deliverer)
    world.clock.advance(6_000)
  }
  // Three planned attempts, the first few extra ones, and then at most one a minute.
  assert.ok(refused <= 3 + 5 + 10, `${refused} calls in ten minutes`)
})

test('a call that was in progress when the endpoint recovered is also retried', async () => {
  const { publisher, receiver, endpointId, settle } = await afterEightFailures()
  receiver.fix()
  await world.db.transaction((tx) => enableEndpoint(tx, publisher, endpointId, world.clock.now()))
  // Simulates a call for ada that began earlier and has failed since.
  const began = new Date(world.clock.now().getTime() - 1_000)
  world.clock.advance(2_000)
  await world.db.reader`
    update webhook_deliveries set last_attempt_at = ${began}
    where endpoint_id = ${endpointId} and last_attempt_at is not null`
  await settle()
  assert.deepEqual(sent(receiver.received).toSorted(), ALL)
  world.clock.advance(HOUR_MS)
  await settle()
  const [row] = await world.db.reader<{ recoveredAt: Date | null }[]>`
    select recovered_at from webhook_endpoints where endpoint_id = ${endpointId}`
  assert.equal(row?.recoveredAt, null, 'nothing is looked for any more')
})

test('endpoints that recover together share each pass equally, and a full share triggers another pass', async () => {
  const deliverer = world.newDeliverer()
  const newWaiting = async (users: readonly string[]) => {
    const publisher = await world.newPublisher()
    const { endpoint } = await world.newEndpoint(publisher, (await startBreakable()).url)
    await world.record(publisher, users)
    return { publisher, endpointId: endpoint.endpointId }
  }
  const crowded = await newWaiting(Array.from({ length: 8 }, (_, index) => `user-${index}`))
  const small = await newWaiting(['ada'])
  await world.settle(deliverer)
  for (const { publisher, endpointId } of [crowded, small]) {
    world.clock.advance(1_000)
    await world.db.transaction((tx) => enableEndpoint(tx, publisher, endpointId, world.clock.now()))
  }
  const pass = () =>
    world.db.transaction(async (tx) => {
      await preferLookups(tx)
      return makeQueuesDue(tx, 4, world.clock.now())
    })
  const due = async ({ endpointId }: typeof small): Promise<number> => {
    const rows = await world.db.reader`
      select 1 from webhook_queues where endpoint_id = ${endpointId} and due_at <= ${world.clock.now()}`
    return rows.length
  }
  assert.deepEqual([await pass(), await due(crowded), await due(small)], [true, 2, 1])
  for (const hurried of [4, 6, 8]) assert.deepEqual([await pass(), await due(crowded)], [true, hurried])
  assert.equal(await pass(), false)
})
