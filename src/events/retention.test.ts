import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startEventWorld, startReceiver, statuses, userNamed } from '../../test/support/webhook-world.ts'
import { DAY_MS } from '../platform/calendar.ts'
import { readListCount } from '../platform/db/list-counts.ts'
import { dropOld, type Retained, showRetention } from '../platform/db/retention.ts'
import { encodeId } from '../platform/ids.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import type { DeliveryId } from './delivery/delivery.ts'
import { resendMissed } from './delivery/recovery.ts'
import { sequenceEvents } from './delivery/sequencer.ts'
import { sweepDeliveries } from './delivery/sweep.ts'
import { changeEndpoint, recoverEndpoint } from './endpoints/endpoints.ts'
import { replayDelivery, replayRange } from './endpoints/replays.ts'
import { formatCursor, parseCursor, readFeed } from './feed/feed.ts'
import { type EndpointId, recordEvents } from './record.ts'
import { retainedDeliveries, retainedEvents } from './retention.ts'

const world = await startEventWorld('event_retention')
const { db } = world
const EVENTS = retainedEvents(400)
const DELIVERIES = retainedDeliveries(90)

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS)
const dropAll = async (retained: Retained, now: Date): Promise<void> => {
  while ((await dropOld(db, retained, now)) > 0);
}
const record = async (publisher: Publisher, users: readonly string[]): Promise<void> => {
  await world.record(publisher, users)
  while (await sequenceEvents(db));
}
const read = (publisher: Publisher, from: Parameters<typeof readFeed>[2]) => readFeed(db.reader, publisher, from, 100)
const after = (sequence: number) => ({ epoch: null, sequence })
const sequences = async (publisher: Publisher): Promise<number[]> =>
  (await read(publisher, null)).events.map(({ sequence }) => Number(sequence))
const DROPPED = { code: 'events_dropped' }
/** Backdates the events of a feed up to a sequence. */
const age = (publisher: Publisher, until: number, days: number) => db.reader`
  with aged as (
    update event_feed f set event_id = overlay(f.event_id::text placing ${idPrefix(inDays(-days))} from 1 for 13)::uuid
    from event_feed before
    where f.publisher_id = ${publisher.id} and f.sequence <= ${until}
      and before.publisher_id = f.publisher_id and before.sequence = f.sequence
    returning before.event_id as before, f.event_id as after, f.user_id
  ), events as (
    update events e set event_id = aged.after from aged where e.user_id = aged.user_id and e.event_id = aged.before
  )
  update webhook_deliveries d set event_id = aged.after from aged
  where d.user_id = aged.user_id and d.event_id = aged.before`
const idPrefix = (instant: Date): string => {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

async function feedOfFive() {
  const publisher = await world.newPublisher()
  await record(publisher, ['ada', 'bob', 'ada', 'eve', 'ada'])
  await age(publisher, 3, 401)
  return publisher
}

test('events are dropped from the start of the feed after their retention period, in bounded batches', async () => {
  const publisher = await feedOfFive()
  await dropAll(EVENTS, inDays(-2))
  assert.deepEqual(await sequences(publisher), [1, 2, 3, 4, 5])
  assert.equal(await dropOld(db, EVENTS, inDays(0), 2), 2)
  assert.deepEqual(await sequences(publisher), [3, 4, 5])
  await dropAll(EVENTS, inDays(0))
  assert.deepEqual(await sequences(publisher), [4, 5])
  const [row] = await db.reader`select count(*)::int as events from events where publisher_id = ${publisher.id}`
  assert.equal(row?.['events'], 2)
})

test('a reader behind the oldest event gets the position to resume from and never skips events silently', async () => {
  const publisher = await feedOfFive()
  const { next } = await readFeed(db.reader, publisher, after(0), 1)
  await dropAll(EVENTS, inDays(0))
  const members = { oldest: 4, resume_after: 3, newest: 5 }
  await assert.rejects(read(publisher, after(0)), { ...DROPPED, members })
  await assert.rejects(read(publisher, after(2)), { ...DROPPED, field: 'after', members })
  await assert.rejects(read(publisher, parseCursor(formatCursor(next))), { ...DROPPED, field: 'cursor' })
  assert.equal((await read(publisher, after(3))).events.length, 2)
  // Even with all events gone, no position silently skips any.
  await dropAll(EVENTS, inDays(401))
  await assert.rejects(read(publisher, after(4)), { ...DROPPED, members: { oldest: 6, resume_after: 5, newest: 5 } })
  assert.deepEqual(await sequences(publisher), [])
  await record(publisher, ['ada'])
  assert.deepEqual(await sequences(publisher), [6])
})

test('a recovery reports events that have already been dropped, and logs those dropped while it runs', async () => {
  const publisher = await world.newPublisher()
  await record(publisher, ['ada', 'bob', 'ada', 'eve', 'ada'])
  await age(publisher, 3, 80)
  const { endpoint } = await world.newEndpoint(publisher, (await startReceiver()).url)
  const recover = (days: number) =>
    db.transaction((tx) => recoverEndpoint(tx, publisher, endpoint.endpointId, inDays(-days), inDays(0), 90))
  assert.deepEqual(await recover(85), { after: 0, until: 5, dropped_until: null })
  await dropAll(retainedEvents(70), inDays(0))
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
  while (await resendMissed(db, log));
  assert.equal(logged.length, 1)
  const { after, dropped_until, endpoint_id } = JSON.parse(logged[0] ?? '')
  assert.deepEqual([after, dropped_until, endpoint_id], [0, 3, encodeId('whe', endpoint.endpointId)])
  assert.deepEqual(await recover(85), { after: 3, until: 5, dropped_until: 3 })
  assert.deepEqual(await recover(-1), { after: 5, until: 5, dropped_until: null })
})

test('an event and all later ones are retained until its delivery succeeds or is exhausted', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(200, 500, 200))
  await world.newEndpoint(publisher, receiver.url)
  const deliverer = world.newDeliverer()
  for (const user of ['ada', 'bob', 'eve']) {
    await world.record(publisher, [user])
    await world.settle(deliverer)
  }
  await dropAll(EVENTS, inDays(401))
  assert.deepEqual(await sequences(publisher), [2, 3])
  world.clock.advance(DAY_MS)
  await world.settle(deliverer)
  assert.equal(receiver.received.at(-1)?.event.sequence, 2)
  await dropAll(EVENTS, inDays(401))
  assert.deepEqual(await sequences(publisher), [])
})

test('an event is never dropped during its replay, and a dropped event cannot be replayed', async () => {
  const publisher = await world.newPublisher()
  const { endpoint } = await world.newEndpoint(publisher, (await startReceiver()).url)
  await world.record(publisher, ['ada', 'bob'])
  await world.settle(world.newDeliverer())
  const [first] = await readDeliveries(endpoint.endpointId)
  const deliveryId = first?.deliveryId ?? assert.fail('ada has a delivery')
  const dropping: Promise<void>[] = []
  await db.transaction(async (tx) => {
    await replayDelivery(tx, publisher, deliveryId, world.clock.now())
    dropping.push(dropAll(EVENTS, inDays(401)))
    await Promise.race([world.untilSomethingWaits(), ...dropping])
  })
  // The drop has waited for the replay, and now sees that the event is owed.
  await Promise.all(dropping)
  assert.deepEqual(await sequences(publisher), [1, 2])
  await world.settle(world.newDeliverer())
  await dropAll(EVENTS, inDays(401))
  await assert.rejects(
    db.transaction((tx) => replayDelivery(tx, publisher, deliveryId, world.clock.now())),
    { ...DROPPED, field: 'delivery_id' },
  )
  await assert.rejects(
    db.transaction((tx) =>
      replayRange(tx, publisher, endpoint.endpointId, { after: 0, until: null }, world.clock.now()),
    ),
    { ...DROPPED, members: { oldest: 3, resume_after: 2, newest: 2 } },
  )
  assert.equal((await readDeliveries(endpoint.endpointId)).length, 3)
})

test('a replay whose events are dropped while it waits for them is refused', async () => {
  const publisher = await world.newPublisher()
  const { endpoint } = await world.newEndpoint(publisher, (await startReceiver()).url)
  await record(publisher, ['ada', 'bob'])
  await world.settle(world.newDeliverer())
  const replaying: Promise<unknown>[] = []
  await db.transaction(async (tx) => {
    await EVENTS.drop(tx, inDays(1), 1)
    const range = { after: 0, until: null }
    const replay = db.transaction((other) =>
      replayRange(other, publisher, endpoint.endpointId, range, world.clock.now()),
    )
    replaying.push(
      assert.rejects(replay, { ...DROPPED, field: 'after', members: { oldest: 2, resume_after: 1, newest: 2 } }),
    )
    await Promise.race([world.untilSomethingWaits(), ...replaying])
  })
  await Promise.all(replaying)
})

const readDeliveries = (endpointId: EndpointId) =>
  db.reader<{ deliveryId: DeliveryId; status: string }[]>`
    select delivery_id, status from webhook_deliveries where endpoint_id = ${endpointId} order by position`

test('finished deliveries are dropped after their retention period, but pending ones stay', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(200, 500))
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada', 'bob'])
  await world.settle(world.newDeliverer())
  await dropAll(DELIVERIES, inDays(89))
  assert.equal((await readDeliveries(endpoint.endpointId)).length, 2)
  await dropAll(DELIVERIES, inDays(91))
  assert.deepEqual(
    (await readDeliveries(endpoint.endpointId)).map(({ status }) => status),
    ['pending'],
  )
  assert.equal(await readListCount(db.reader, publisher.id, 'webhook_deliveries'), 1)
})

test('deliveries waiting for a long-stopped endpoint are dropped, so that they no longer retain events', async () => {
  const publisher = await world.newPublisher()
  const receiver = await startReceiver(statuses(500))
  const { endpoint } = await world.newEndpoint(publisher, receiver.url)
  await world.record(publisher, ['ada'])
  await world.settle(world.newDeliverer())
  await db.transaction((tx) =>
    changeEndpoint(
      tx,
      world,
      publisher,
      { endpointId: endpoint.endpointId, changes: { disabled: true }, mayDecide: false },
      world.clock.now(),
    ),
  )
  await sweepDeliveries(db, new Date(world.clock.now().getTime() - 1))
  await dropAll(EVENTS, inDays(401))
  assert.deepEqual(await sequences(publisher), [1])
  await sweepDeliveries(db, new Date(world.clock.now().getTime() + 1))
  await dropAll(EVENTS, inDays(401))
  assert.deepEqual([await sequences(publisher), [...(await readDeliveries(endpoint.endpointId))]], [[], []])
})

test('a stopped endpoint without a stop time is treated as stopped at the first sweep', async () => {
  const publisher = await world.newPublisher()
  const { endpoint } = await world.newEndpoint(publisher, (await startReceiver(statuses(500))).url)
  const stoppedAt = async (status: string, at: Date | null): Promise<Date | null> => {
    await db.reader`
      update webhook_endpoints set status = ${status}, stopped_at = ${at} where endpoint_id = ${endpoint.endpointId}`
    await sweepDeliveries(db, inDays(-90))
    const [row] = await db.reader<{ stoppedAt: Date | null }[]>`
      select stopped_at from webhook_endpoints where endpoint_id = ${endpoint.endpointId}`
    return row?.stoppedAt ?? null
  }
  // Earlier versions stop and enable endpoints without setting the time.
  const first = (await stoppedAt('paused', null)) ?? assert.fail('it is stopped')
  assert(first > inDays(-1))
  assert.deepEqual(await stoppedAt('paused', first), first)
  assert.equal(await stoppedAt('enabled', first), null)
})

test('events of a sandbox with a moved clock are retained for the usual period', async () => {
  const publisher = await world.newPublisher()
  const event = { type: 'user.updated', userId: userNamed('ada'), data: {} } as const
  await db.transaction((tx) => recordEvents(tx, publisher, [event], inDays(500)))
  while (await sequenceEvents(db));
  await dropAll(EVENTS, inDays(399))
  assert.deepEqual(await sequences(publisher), [1])
  await dropAll(EVENTS, inDays(401))
  assert.deepEqual(await sequences(publisher), [])
})

test('metrics report the age of the oldest event and how long its removal is overdue', async () => {
  const publisher = await feedOfFive()
  const shown = async (name: string) => {
    await showRetention(db.reader, [EVENTS], inDays(0))
    const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === `laurel_retention_${name}_seconds`)
    return Math.round((metric?.values.find(({ labels }) => labels['table'] === 'events')?.value ?? -1) / 86_400)
  }
  assert.deepEqual([await shown('oldest'), await shown('overdue')], [401, 1])
  await dropAll(EVENTS, inDays(0))
  assert.deepEqual([await shown('oldest'), await shown('overdue')], [0, 0])
  assert.deepEqual(await sequences(publisher), [4, 5])
})
