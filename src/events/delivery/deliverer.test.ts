import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../test/support/eventually.ts'
import { type Received, startEventWorld, startReceiver, statuses } from '../../../test/support/webhook-world.ts'
import { HOUR_MS } from '../../platform/calendar.ts'
import { deleteEndpoint, enableEndpoint, rotateSecret } from '../endpoints/endpoints.ts'
import { sequenceEvents } from './sequencer.ts'

const world = await startEventWorld('deliverer')

const readDeliveries = (endpointId: string) =>
  world.db.reader<{ status: string; attempts: number; error: string | null; nextAttemptAt: Date | null }[]>`
    select status, attempts, error, next_attempt_at from webhook_deliveries
    where endpoint_id = ${endpointId} order by position`
const endpointRow = async (endpointId: string) => {
  const [row] = await world.db.reader<{ status: string; failures: number; stopped: bigint | null }[]>`
    select status, failures, stopped_after_sequence as stopped from webhook_endpoints where endpoint_id = ${endpointId}`
  return row
}
const users = (received: readonly Received[]) => received.map(({ event }) => event.data.publisher_user_id)

test('the Standard Webhooks library verifies deliveries, even while the secret is being replaced', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint, secret: first } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  await world.record(publisher, ['ada'])
  await world.settle(deliverer)
  const rotate = () =>
    world.db.transaction((tx) => rotateSecret(tx, world.vault, publisher, endpoint.endpointId, world.clock.now()))
  const { secret: second } = await rotate()
  await world.record(publisher, ['ada'])
  await world.settle(deliverer)

  const [before, during] = receiver.received
  assert.ok(before !== undefined && during !== undefined)
  assert.ok(new Webhook(first).verify(before.body, before.headers))
  assert.throws(() => new Webhook(second).verify(before.body, before.headers))
  assert.ok(new Webhook(first).verify(during.body, during.headers))
  assert.ok(new Webhook(second).verify(during.body, during.headers))
  assert.equal(before.headers['webhook-id'], before.event.id)
  assert.equal(before.headers['content-type'], 'application/json')
  assert.match(before.event.id, /^evt_/)

  world.clock.advance(24 * HOUR_MS)
  await world.record(publisher, ['ada'])
  await world.settle(deliverer)
  assert.equal(receiver.received[2]?.headers['webhook-signature']?.split(' ').length, 1)
})

test('the body contains every member, and its timestamps end in Z', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada'])
  await world.settle(world.newDeliverer())
  const event = JSON.parse(receiver.received[0]?.body ?? '')
  assert.deepEqual(Object.keys(event), [
    'id',
    'type',
    'created_at',
    'publisher_id',
    'environment',
    'sequence',
    'data',
    'previous',
  ])
  assert.match(event.created_at, /Z$/)
  assert.deepEqual([event.type, event.environment, event.sequence], ['user.updated', 'sandbox', 1])
  assert.deepEqual(event.data, { publisher_user_id: 'ada', index: 0, version: 1 })
})

test('a failed delivery is retried on schedule with the same ID and bytes until it is exhausted', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(500))
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  await world.record(publisher, ['ada'])
  await world.settle(deliverer)
  for (let tries = 1; tries < 10; tries++) {
    assert.equal(receiver.received.length, tries)
    const [delivery] = await readDeliveries(endpoint.endpointId)
    assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', tries])
    const dueInMs = (delivery?.nextAttemptAt?.getTime() ?? 0) - world.clock.now().getTime()
    world.clock.advance(dueInMs - 2_000)
    await world.settle(deliverer)
    assert.equal(receiver.received.length, tries, 'nothing is tried before its time')
    world.clock.advance(2_000)
    await world.settle(deliverer)
  }
  assert.equal(receiver.received.length, 10)
  assert.deepEqual(
    [...(await readDeliveries(endpoint.endpointId))],
    [{ status: 'exhausted', attempts: 10, error: 'status_not_2xx', nextAttemptAt: null }],
  )
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 10)

  await world.record(publisher, ['ada'])
  await world.settle(deliverer)
  assert.equal(receiver.received.length, 11, 'an exhausted delivery does not hold up the next one of its user')
})

test("one user's events arrive in order, and a failure does not delay other users", async () => {
  const publisher = await world.newPublisher()
  const refused = new Set<string>()
  const receiver = await startReceiver(({ event }, response) => {
    const { publisher_user_id: user, index } = event.data
    response.statusCode = user === 'ada' && index === 2 && !refused.has(user) ? 503 : 200
    if (response.statusCode === 503) refused.add(user)
    response.end()
  })
  await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  const order = ['ada', 'bob', 'ada', 'bob', 'ada', 'bob']
  await world.record(publisher, order)
  await world.settle(deliverer)
  const indexes = (user: string) =>
    receiver.received.filter(({ event }) => event.data.publisher_user_id === user).map(({ event }) => event.data.index)
  assert.deepEqual(indexes('bob'), [1, 3, 5])
  assert.deepEqual(indexes('ada'), [0, 2])
  world.clock.advance(6_000)
  await world.settle(deliverer)
  assert.deepEqual(indexes('ada'), [0, 2, 2, 4])
})

test("two concurrent workers deliver many users' events exactly once and in order", async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  await world.newEndpoint(publisher, receiver.url)
  const order = Array.from({ length: 600 }, (_, index) => `user-${index % 17}`)
  await world.record(publisher, order)
  while (await sequenceEvents(world.db));
  const workers = [world.newDeliverer(), world.newDeliverer()]
  await Promise.all(workers.map((worker) => world.settle(worker)))
  assert.equal(receiver.received.length, 600)
  for (const user of new Set(order)) {
    const sequences = receiver.received
      .filter(({ event }) => event.data.publisher_user_id === user)
      .map(({ event }) => event.sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    )
  }
})

test('an endpoint that never responds does not delay other endpoints', async () => {
  const publisher = await world.newPublisher()
  const held: ServerResponse[] = []
  let isGivenUp = false
  const dead = await startReceiver((_request, response) => {
    held.push(response)
    if (isGivenUp) response.destroy()
  })
  const alive = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, dead.url)
  await world.newEndpoint(publisher, alive.url)
  const order = Array.from({ length: 300 }, (_, index) => `user-${index}`)
  await world.record(publisher, order)
  while (await sequenceEvents(world.db));
  const deliverer = world.newDeliverer()
  // The dead endpoint's calls are still open when the other endpoint has received everything.
  while (alive.received.length < 300) await deliverer.pass()
  assert.deepEqual(users(alive.received).toSorted(), order.toSorted())
  assert.ok(held.length > 0 && held.every((response) => !response.writableEnded))
  assert.ok(held.length <= 64, 'an endpoint has a bound on its calls')
  isGivenUp = true
  for (const response of held) response.destroy()
  await deliverer.drain()
  assert.ok(((await endpointRow(endpoint.endpointId))?.failures ?? 0) >= 1)
  const untried = (await readDeliveries(endpoint.endpointId)).filter(({ attempts }) => attempts === 0)
  assert.ok(untried.length >= 300 - 64, 'what waited for a dead endpoint has not spent its tries')
  await world.db.transaction((tx) => deleteEndpoint(tx, publisher, endpoint.endpointId, world.clock.now()))
})

test("one publisher's twenty slow endpoints do not starve another publisher", async () => {
  const [slow, other] = [await world.newPublisher(), await world.newPublisher()]
  const order = Array.from({ length: 100 }, (_, index) => `user-${index}`)
  const held: ServerResponse[] = []
  const tarpit = await startReceiver((_request, response) => held.push(response))
  const endpoints = await Promise.all(Array.from({ length: 20 }, () => world.newEndpoint(slow, tarpit.url)))
  await world.record(slow, order)
  while (await sequenceEvents(world.db));
  const deliverer = world.newDeliverer()
  for (let passes = 0; passes < 20; passes++) await deliverer.pass()
  assert.ok(held.length > 64, 'what nobody else uses is theirs')

  const waiting: ServerResponse[] = []
  // The receiver responds only once this many calls are in progress.
  const AT_ONCE = 40
  const receiver = await startReceiver((_request, response, count) => {
    waiting.push(response)
    if (count >= AT_ONCE) for (const one of waiting.splice(0)) one.end()
  })
  await world.newEndpoint(other, receiver.url)
  await world.record(other, order)
  while (await sequenceEvents(world.db));
  for (let passes = 0; passes < 200 && receiver.received.length < order.length; passes++) await deliverer.pass()
  assert.deepEqual(users(receiver.received).toSorted(), order.toSorted())
  for (const { endpoint } of endpoints)
    await world.db.transaction((tx) => deleteEndpoint(tx, slow, endpoint.endpointId, world.clock.now()))
  const ending = deliverer.drain()
  for (const response of held) response.destroy()
  await ending
})

test('deliveries leased by a killed worker are delivered after its lease expires', async () => {
  const publisher = await world.newPublisher()
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_request, response, count) => {
    if (count === 1) held.push(response)
    else response.end()
  })
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada'])
  while (await sequenceEvents(world.db));
  // The first worker leases the delivery, makes the call and stalls.
  const killed = world.newDeliverer()
  while (receiver.received.length === 0) await killed.pass()
  const heir = world.newDeliverer()
  await world.settle(heir)
  assert.equal(receiver.received.length, 1, 'a claim is respected while it lasts')
  world.clock.advance(100_000)
  await world.settle(heir)
  assert.equal(receiver.received.length, 2)
  held[0]?.end()
  assert.deepEqual(
    (await readDeliveries(endpoint.endpointId)).map(({ status }) => status),
    ['delivered'],
  )
  // The first worker was only slow. Its late result changes nothing.
  await killed.drain()
  assert.deepEqual(
    (await readDeliveries(endpoint.endpointId)).map(({ status, attempts }) => [status, attempts]),
    [['delivered', 1]],
  )
})

test('draining finishes the calls in progress and releases all other deliveries', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(
    publisher,
    Array.from({ length: 200 }, (_, index) => `user-${index}`),
  )
  while (await sequenceEvents(world.db));
  const deliverer = world.newDeliverer()
  await deliverer.pass()
  await deliverer.drain()
  const delivered = (await readDeliveries(endpoint.endpointId)).filter(({ status }) => status === 'delivered')
  assert.equal(delivered.length, receiver.received.length)
  const [queues] = await world.db.reader<{ claimed: number }[]>`
    select count(claim_id)::int as claimed from webhook_queues where endpoint_id = ${endpoint.endpointId}`
  assert.equal(queues?.claimed, 0)
  await world.settle(world.newDeliverer())
  assert.equal(receiver.received.length, 200)
})

test('a 410 response disables an endpoint, and enabling it again sends the waiting deliveries', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(200, 410, 200))
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  for (const user of ['ada', 'bob', 'eve']) {
    await world.record(publisher, [user])
    await world.settle(deliverer)
  }
  assert.deepEqual(await endpointRow(endpoint.endpointId), { status: 'disabled', failures: 1, stopped: 2n })
  assert.deepEqual(users(receiver.received), ['ada', 'bob'])
  await world.db.transaction((tx) => enableEndpoint(tx, publisher, endpoint.endpointId, world.clock.now()))
  world.clock.advance(10_000)
  await world.settle(deliverer)
  assert.deepEqual(users(receiver.received), ['ada', 'bob', 'bob'])
})

test('an endpoint that has failed for five days without a success is paused', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(500))
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  for (let day = 0; day < 6; day++) {
    await world.record(
      publisher,
      ['ada', 'bob'].map((name) => `${name}-${day}`),
    )
    await world.settle(deliverer)
    assert.equal((await endpointRow(endpoint.endpointId))?.status, day < 5 ? 'enabled' : 'paused')
    world.clock.advance(24 * HOUR_MS)
  }
})

test('a 429 response with Retry-After pauses the endpoint for every user', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver((_request, response, count) => {
    if (count === 1) response.writeHead(429, { 'retry-after': '120' })
    response.end()
  })
  await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  await world.record(publisher, ['ada'])
  await world.settle(deliverer)
  await world.record(publisher, ['bob'])
  world.clock.advance(60_000)
  await world.settle(deliverer)
  assert.equal(receiver.received.length, 1)
  world.clock.advance(61_000)
  await world.settle(deliverer)
  assert.deepEqual(users(receiver.received).slice(1).toSorted(), ['ada', 'bob'])
})

test('a deleted endpoint gets no further deliveries', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada'])
  while (await sequenceEvents(world.db));
  await world.db.transaction((tx) => deleteEndpoint(tx, publisher, endpoint.endpointId, world.clock.now()))
  await world.record(publisher, ['ada'])
  await world.settle(world.newDeliverer())
  assert.equal(receiver.received.length, 0)
})

test('an endpoint deleted while its deliveries are leased receives none of them, and no error is logged', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada'])
  while (await sequenceEvents(world.db));
  const deliverer = world.newDeliverer()
  const { claiming } = await world.db.transaction(async (tx) => {
    // Blocks the worker between the two statements that lease deliveries. The first one does not read this table.
    await tx`lock table publishers in access exclusive mode`
    const claiming = deliverer.pass()
    await eventually(async () => {
      const rows = await tx`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return rows.length === 1
    })
    await deleteEndpoint(tx, publisher, endpoint.endpointId, world.clock.now())
    return { claiming }
  })
  await claiming
  await deliverer.drain()
  assert.equal(receiver.received.length, 0)
  assert.deepEqual(world.errors, [])
})

test('a delivery to an address not allowed in production fails without being sent', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver()
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.db.transaction(
    (tx) => tx`update publishers set environment = 'production' where publisher_id = ${publisher.id}`,
  )
  await world.record(publisher, ['ada'])
  await world.settle(world.newDeliverer())
  assert.equal((await readDeliveries(endpoint.endpointId))[0]?.error, 'address_refused')
  assert.equal(receiver.received.length, 0)
})
