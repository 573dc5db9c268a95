import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startEventWorld, startReceiver, statuses } from '../../test/support/webhook-world.ts'
import { MINUTE_MS } from '../platform/calendar.ts'
import { foldListCounts } from '../platform/db/list-counts.ts'
import { createApp } from '../platform/http/index.ts'
import { REFUSALS } from '../refusals.ts'
import { authenticatePublishers, createApiKey } from '../tenants/access/index.ts'
import type { Publisher, Scope } from '../tenants/publishers/index.ts'
import { resendMissed } from './delivery/recovery.ts'
import { sequenceEvents } from './delivery/sequencer.ts'
import { EVENT_TYPES } from './record.ts'
import { eventRoutes } from './routes.ts'

const world = await startEventWorld('event_routes')
const app = createApp({ log: world.log, refusals: REFUSALS, trustedProxies: [] })
await app.register(async (guarded) => {
  await authenticatePublishers(guarded, { ...world, baseUrl: 'http://localhost' })
  eventRoutes(guarded, world)
})
after(() => app.close())

const newKey = async (publisher: Publisher, scopes: Scope[] | null = null): Promise<string> =>
  (await world.db.transaction((tx) => createApiKey(tx, publisher, scopes, world.clock.now()))).apiKey
const [publisher, other] = [await world.newPublisher(), await world.newPublisher()]
const [apiKey, otherKey] = [await newKey(publisher), await newKey(other)]

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Options = { readonly key?: string | null; readonly headers?: Record<string, string> }
async function call(method: Method, path: string, body?: unknown, { key = apiKey, headers = {} }: Options = {}) {
  const answer = await app.inject({
    method,
    url: path,
    headers: { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}
const newEndpoint = async (url: string, key = apiKey) =>
  (await call('POST', '/webhooks/endpoints', { url }, { key })).body as { endpoint_id: string; secret: string }

test('creating an endpoint returns its secret, which no other response reveals', async () => {
  const created = await call('POST', '/webhooks/endpoints', {
    url: 'https://example.com/hook',
    event_types: ['user.created'],
  })
  assert.equal(created.status, 200)
  const { endpoint_id, secret, created_at, ...rest } = created.body
  assert.match(endpoint_id, /^whe_/)
  assert.match(secret, /^whsec_/)
  assert.match(created_at, /Z$/)
  assert.deepEqual(rest, {
    url: 'https://example.com/hook',
    event_types: ['user.created'],
    description: null,
    decides_outcomes: false,
    status: 'enabled',
    failing_since: null,
    stopped_after_sequence: null,
  })
  const isNew = (one: { endpoint_id: string }): boolean => one.endpoint_id === endpoint_id
  const list = await call('GET', '/webhooks/endpoints')
  assert.equal(list.status, 200)
  assert.deepEqual(list.body.content.find(isNew), { endpoint_id, created_at, ...rest })
  const deleted = await call('DELETE', `/webhooks/endpoints/${endpoint_id}`)
  assert.deepEqual([deleted.status, deleted.body.secret], [200, undefined])
  assert.equal((await call('DELETE', `/webhooks/endpoints/${endpoint_id}`)).status, 404)
  assert.equal((await call('GET', '/webhooks/endpoints')).body.content.some(isNew), false)
})

test('requests with the same Idempotency-Key create one endpoint and return the same secret', async () => {
  const headers = { 'idempotency-key': 'once' }
  const body = { url: 'https://example.com/once' }
  const [first, second] = [
    await call('POST', '/webhooks/endpoints', body, { headers }),
    await call('POST', '/webhooks/endpoints', body, { headers }),
  ]
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  const changed = { url: 'https://example.com/other' }
  assert.equal((await call('POST', '/webhooks/endpoints', changed, { headers })).status, 422)
  await call('DELETE', `/webhooks/endpoints/${first.body.endpoint_id}`)
})

test('a publisher can have at most twenty endpoints', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  for (let count = 0; count < 20; count++) await newEndpoint('https://example.com/hook', key)
  const refused = await call('POST', '/webhooks/endpoints', { url: 'https://example.com/hook' }, { key })
  assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_endpoints'])
})

test('a test event goes only to its endpoint and appears in the feed', async () => {
  const [receiver, bystander] = [await startReceiver(), await startReceiver()]
  const { endpoint_id, secret } = await newEndpoint(receiver.url)
  const { endpoint_id: otherEndpoint } = await newEndpoint(bystander.url)
  const tested = await call('POST', `/webhooks/endpoints/${endpoint_id}/test`)
  assert.equal(tested.status, 200)
  assert.equal(tested.body.event_type, 'webhook.test')
  await world.settle(world.newDeliverer())
  assert.equal(bystander.received.length, 0)
  const [got] = receiver.received
  assert.ok(got !== undefined)
  assert.ok(new Webhook(secret).verify(got.body, got.headers))
  assert.equal(got.event.id, tested.body.event_id)
  const feed = await call('GET', '/events')
  assert.deepEqual(feed.body.content.at(-1), JSON.parse(got.body))
  for (const id of [endpoint_id, otherEndpoint]) await call('DELETE', `/webhooks/endpoints/${id}`)
})

test('rotating the secret returns a new one, and deliveries are signed with both', async () => {
  const receiver = await startReceiver()
  const { endpoint_id, secret } = await newEndpoint(receiver.url)
  const rotated = await call('POST', `/webhooks/endpoints/${endpoint_id}/rotate-secret`)
  assert.equal(rotated.status, 200)
  assert.notEqual(rotated.body.secret, secret)
  await call('POST', `/webhooks/endpoints/${endpoint_id}/test`)
  await world.settle(world.newDeliverer())
  const [got] = receiver.received
  for (const one of [secret, rotated.body.secret])
    assert.ok(new Webhook(one).verify(got?.body ?? '', got?.headers ?? {}))
  await call('DELETE', `/webhooks/endpoints/${endpoint_id}`)
})

test("the feed is paged without gaps and contains only the publisher's own events", async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  await world.record(third, ['ada', 'bob', 'ada', 'bob', 'eve'])
  while (await sequenceEvents(world.db));
  const sequences: number[] = []
  let after = 0
  for (const query of ['limit=2', 'size=2', 'limit=2']) {
    const page = await call('GET', `/events?after=${after}&${query}`, undefined, { key })
    assert.equal(page.status, 200)
    sequences.push(...page.body.content.map((event: { sequence: number }) => event.sequence))
    after = page.body.next_after
  }
  assert.deepEqual(sequences, [1, 2, 3, 4, 5])
  assert.deepEqual((await call('GET', '/events?after=5', undefined, { key })).body, {
    content: [],
    next_after: 5,
    next_cursor: '0-5',
  })
  assert.deepEqual((await call('GET', '/events', undefined, { key: otherKey })).body, {
    content: [],
    next_after: 0,
    next_cursor: '0-0',
  })
})

test('deliveries can be filtered and are listed newest first', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const [good, bad] = [await startReceiver(), await startReceiver(statuses(500))]
  const { endpoint_id } = await newEndpoint(good.url, key)
  const { endpoint_id: failing } = await newEndpoint(bad.url, key)
  await world.record(third, ['ada'], 'user.created')
  await world.record(third, ['ada'], 'user.updated')
  await world.settle(world.newDeliverer())
  await world.db.transaction(foldListCounts)
  const list = async (query: string) => (await call('GET', `/webhooks/deliveries?${query}`, undefined, { key })).body
  const all = await list('')
  assert.equal(all.total_elements, 4)
  assert.deepEqual(
    all.content.map((one: { sequence: number }) => one.sequence),
    [2, 2, 1, 1],
  )
  const { delivery_id, event_id, last_attempt_at, ...rest } = (await list(`endpoint_id=${endpoint_id}&size=1`))
    .content[0]
  assert.match(delivery_id, /^dlv_/)
  assert.match(event_id, /^evt_/)
  assert.match(last_attempt_at, /Z$/)
  assert.deepEqual(rest, {
    endpoint_id,
    event_type: 'user.updated',
    sequence: 2,
    status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    waits_for: null,
    response_status: 200,
    error: null,
  })
  const pending = await list('status=pending&sort=created_at,asc')
  assert.deepEqual(
    pending.content.map((one: Record<string, unknown>) => [one['attempts'], one['error'], one['waits_for']]),
    [
      [1, 'status_not_2xx', 'next_attempt'],
      [0, null, 'earlier_delivery'],
    ],
  )
  assert.equal((await list('event_type=user.created')).total_elements, 2)
  assert.equal((await list('status=exhausted')).total_elements, 0)
  assert.equal((await list(`endpoint_id=${failing}&status=delivered`)).total_elements, 0)
})

test('replaying a delivered event sends it again, and replaying a waiting delivery retries it immediately', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const receiver = await startReceiver(statuses(500, 200))
  const { endpoint_id } = await newEndpoint(receiver.url, key)
  const deliverer = world.newDeliverer()
  await world.record(third, ['ada'])
  await world.settle(deliverer)
  const { delivery_id } = (await call('GET', '/webhooks/deliveries', undefined, { key })).body.content[0]
  const replay = () => call('POST', `/webhooks/deliveries/${delivery_id}/replay`, undefined, { key })
  const hurried = await replay()
  assert.deepEqual([hurried.status, hurried.body.delivery_id], [200, delivery_id])
  await world.settle(deliverer)
  const repeated = await replay()
  assert.deepEqual([repeated.status, repeated.body.status, repeated.body.attempts], [200, 'pending', 0])
  assert.notEqual(repeated.body.delivery_id, delivery_id)
  await world.settle(deliverer)
  assert.equal(receiver.received.length, 3)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)

  await world.record(third, ['bob', 'eve'])
  await world.settle(deliverer)
  const range = (body: object) => call('POST', `/webhooks/endpoints/${endpoint_id}/replay`, body, { key })
  assert.deepEqual((await range({ after: 1, until: 2 })).body, { replayed: 1, until: 2, next_after: null })
  assert.deepEqual((await range({ after: 0 })).body, { replayed: 3, until: 3, next_after: null })
  assert.deepEqual((await range({ after: 3 })).body, { replayed: 0, until: 3, next_after: null })
  await world.settle(deliverer)
  assert.deepEqual(
    receiver.received
      .slice(5)
      .map(({ event }) => event.sequence)
      .toSorted(),
    [1, 2, 2, 3],
  )
})

test('an endpoint can be read, and an update leaves omitted fields unchanged', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const { endpoint_id } = await newEndpoint('https://example.com/hook', key)
  const there = `/webhooks/endpoints/${endpoint_id}`
  const change = async (body: object) => (await call('PATCH', there, body, { key })).body
  const described = await change({ description: 'For the app', event_types: ['user.created'] })
  assert.deepEqual([described.description, described.event_types], ['For the app', ['user.created']])
  assert.equal(described.url, 'https://example.com/hook')
  const cleared = await change({ description: null, event_types: null })
  assert.deepEqual([cleared.description, cleared.event_types], [null, null])
  const moved = await change({ url: 'https://example.com/other' })
  assert.equal(moved.url, 'https://example.com/other')
  assert.deepEqual((await call('GET', there, undefined, { key })).body, moved)
  assert.equal(moved.secret, undefined)
  assert.deepEqual(await change({}), moved)
  const expected = { url: moved.url, event_types: ['user.created'] }
  const late = await call('PATCH', there, { description: 'Late', expected }, { key })
  assert.deepEqual([late.status, late.body.code, late.body.field], [409, 'changed_meanwhile', 'event_types'])
  assert.deepEqual((await call('GET', there, undefined, { key })).body, moved)
  assert.equal((await change({ description: 'Now', expected: { event_types: null } })).description, 'Now')
})

test('a disabled endpoint receives nothing; once enabled, its new URL receives the pending deliveries', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const [down, fixed] = [await startReceiver(statuses(500)), await startReceiver()]
  const { endpoint_id } = await newEndpoint(down.url, key)
  const change = async (body: object) =>
    (await call('PATCH', `/webhooks/endpoints/${endpoint_id}`, body, { key })).body.status
  const deliverer = world.newDeliverer()
  await world.record(third, ['ada', 'ada'])
  await world.settle(deliverer)
  assert.equal(await change({ disabled: true }), 'disabled')
  await world.record(third, ['bob'])
  world.clock.advance(1_000)
  await world.settle(deliverer)
  assert.equal(down.received.length, 1)
  assert.equal(await change({ url: fixed.url }), 'disabled')
  assert.equal(await change({ disabled: false }), 'enabled')
  await world.settle(deliverer)
  assert.deepEqual(
    fixed.received.map(({ event }) => event.sequence),
    [1, 2],
  )
})

test('the last twenty attempts are listed with time, status, latency and the start of the response', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const receiver = await startReceiver((_request, response, count) => {
    response.statusCode = count < 26 ? 500 + count : 200
    response.end(`answer ${count}`)
  })
  await newEndpoint(receiver.url, key)
  await world.record(third, ['ada'])
  const deliverer = world.newDeliverer()
  await world.settle(deliverer)
  const { delivery_id } = (await call('GET', '/webhooks/deliveries', undefined, { key })).body.content[0]
  const told = async () => (await call('GET', `/webhooks/deliveries/${delivery_id}/attempts`, undefined, { key })).body
  const { delivery, event, content: shown } = await told()
  const [first, ...others] = shown
  assert.deepEqual([delivery.delivery_id, delivery.attempts, delivery.response_status], [delivery_id, 1, 501])
  const { body: feed } = await call('GET', `/events?after=${delivery.sequence - 1}&limit=1`, undefined, { key })
  assert.deepEqual(event, feed.content[0])
  assert.deepEqual(others, [])
  assert.match(first.attempted_at, /Z$/)
  assert.deepEqual(
    { ...first, attempted_at: '' },
    { attempted_at: '', response_status: 501, error: 'status_not_2xx', latency_ms: 0, answer: 'answer 1' },
  )
  for (let tries = 2; tries <= 26; tries++) {
    world.clock.advance(MINUTE_MS)
    await call('POST', `/webhooks/deliveries/${delivery_id}/replay`, undefined, { key })
    await world.settle(deliverer)
  }
  const all: { attempted_at: string; response_status: number; answer: string }[] = (await told()).content
  assert.deepEqual(
    all.map(({ response_status }) => response_status),
    [200, ...Array.from({ length: 19 }, (_, index) => 525 - index)],
  )
  assert.equal(all[19]?.answer, 'answer 7')
  assert.deepEqual(
    all.map(({ attempted_at }) => attempted_at),
    all
      .map(({ attempted_at }) => attempted_at)
      .toSorted()
      .toReversed(),
  )
})

test('one call sends an endpoint everything it has missed since a given time, without duplicates', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const receiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 2 ? 410 : 200
    response.end()
  })
  const { endpoint_id } = await newEndpoint(receiver.url, key)
  const deliverer = world.newDeliverer()
  for (const user of ['ada', 'bob', 'eve', 'joe']) {
    await world.record(third, [user])
    await world.settle(deliverer)
  }
  assert.equal(receiver.received.length, 2, 'ada arrived; bob was refused and disabled it')
  const since = new Date(Date.now() - 60_000).toISOString()
  const recover = () => call('POST', `/webhooks/endpoints/${endpoint_id}/recover`, { since }, { key })
  world.clock.advance(1_000)
  assert.deepEqual((await recover()).body, { after: 0, until: 4, dropped_until: null })
  while (await resendMissed(world.db, world.log));
  await recover()
  while (await resendMissed(world.db, world.log));
  await world.settle(deliverer)
  assert.deepEqual(
    receiver.received
      .slice(2)
      .map(({ event }) => event.sequence)
      .toSorted(),
    [2, 3, 4],
  )
  const future = new Date(Date.now() + 3_600_000).toISOString()
  const nothing = await call('POST', `/webhooks/endpoints/${endpoint_id}/recover`, { since: future }, { key })
  assert.deepEqual(nothing.body, { after: 4, until: 4, dropped_until: null })
  assert.equal(await resendMissed(world.db, world.log), false)
})

test('tests and replays are refused for a stopped endpoint until it is enabled', async () => {
  const third = await world.newPublisher()
  const key = await newKey(third)
  const receiver = await startReceiver(statuses(410, 200))
  const { endpoint_id } = await newEndpoint(receiver.url, key)
  await world.record(third, ['ada'])
  await world.settle(world.newDeliverer())
  const [shown] = (await call('GET', '/webhooks/endpoints', undefined, { key })).body.content
  assert.deepEqual([shown.status, shown.stopped_after_sequence], ['disabled', 1])
  const { delivery_id } = (await call('GET', '/webhooks/deliveries', undefined, { key })).body.content[0]
  const acts: [string, object | undefined][] = [
    [`/webhooks/endpoints/${endpoint_id}/test`, undefined],
    [`/webhooks/endpoints/${endpoint_id}/replay`, { after: 0 }],
    [`/webhooks/deliveries/${delivery_id}/replay`, undefined],
  ]
  for (const [path, body] of acts) {
    const refused = await call('POST', path, body, { key })
    assert.deepEqual([refused.status, refused.body.code], [409, 'endpoint_not_enabled'])
  }
  const enabled = await call('POST', `/webhooks/endpoints/${endpoint_id}/enable`, undefined, { key })
  assert.deepEqual([enabled.status, enabled.body.status], [200, 'enabled'])
  for (const [path, body] of acts) assert.equal((await call('POST', path, body, { key })).status, 200)
})

const BAD: readonly (readonly [Method, string, unknown, string])[] = [
  ['POST', '/webhooks/endpoints', undefined, 'url'],
  ['POST', '/webhooks/endpoints', { url: 7 }, 'url'],
  ['POST', '/webhooks/endpoints', { url: `https://example.com/${'x'.repeat(2100)}` }, 'url'],
  ['POST', '/webhooks/endpoints', { url: 'https://10.0.0.1/' }, 'url'],
  ['POST', '/webhooks/endpoints', { url: 'http://example.com/' }, 'url'],
  ['POST', '/webhooks/endpoints', { url: 'https://example.com/', other: 1 }, 'other'],
  ['POST', '/webhooks/endpoints', { url: 'https://example.com/', event_types: [] }, 'event_types'],
  ['POST', '/webhooks/endpoints', { url: 'https://example.com/', event_types: ['x'] }, 'event_types.0'],
  ['POST', '/webhooks/endpoints', { url: 'https://example.com/', description: '' }, 'description'],
  ['PATCH', '/webhooks/endpoints/ENDPOINT', { url: 'https://10.0.0.1/' }, 'url'],
  ['PATCH', '/webhooks/endpoints/ENDPOINT', { event_types: ['x'] }, 'event_types.0'],
  ['PATCH', '/webhooks/endpoints/ENDPOINT', { disabled: 'yes' }, 'disabled'],
  ['PATCH', '/webhooks/endpoints/ENDPOINT', { secret: 'whsec_1' }, 'secret'],
  ['POST', '/webhooks/endpoints/ENDPOINT/recover', {}, 'since'],
  ['POST', '/webhooks/endpoints/ENDPOINT/recover', { since: 'yesterday' }, 'since'],
  ['POST', '/webhooks/endpoints/ENDPOINT/recover', { since: '2026-01-01T00:00:00Z' }, 'since'],
  ['GET', '/webhooks/endpoints?page=-1', undefined, 'page'],
  ['GET', '/webhooks/endpoints?size=101', undefined, 'size'],
  ['GET', '/webhooks/endpoints?sort=url', undefined, 'sort'],
  ['GET', '/webhooks/deliveries?status=lost', undefined, 'status'],
  ['GET', '/webhooks/deliveries?event_type=x', undefined, 'event_type'],
  ['GET', '/webhooks/deliveries?colour=red', undefined, 'colour'],
  ['GET', '/webhooks/deliveries?sort=sequence', undefined, 'sort'],
  ['GET', '/events?after=-1', undefined, 'after'],
  ['GET', '/events?after=x', undefined, 'after'],
  ['GET', '/events?after=1e30', undefined, 'after'],
  ['GET', '/events?after=999', undefined, 'after'],
  ['GET', '/events?cursor=0-999', undefined, 'cursor'],
  ['GET', '/events?cursor=42', undefined, 'cursor'],
  ['GET', '/events?cursor=-1-2', undefined, 'cursor'],
  ['GET', '/events?limit=0', undefined, 'limit'],
  ['GET', '/events?limit=101', undefined, 'limit'],
  ['GET', '/events?until=3', undefined, 'until'],
  ['POST', '/webhooks/endpoints/ENDPOINT/replay', {}, 'after'],
  ['POST', '/webhooks/endpoints/ENDPOINT/replay', { after: -1 }, 'after'],
  ['POST', '/webhooks/endpoints/ENDPOINT/replay', { after: 5, until: 5 }, 'until'],
]
const mine = await newEndpoint('https://example.com/mine')
for (const [method, path, body, field] of BAD) {
  test(`${method} ${path} rejects ${field} ${JSON.stringify(body)?.slice(0, 60) ?? ''}`, async () => {
    const refused = await call(method, path.replace('ENDPOINT', mine.endpoint_id), body)
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].field, field)
  })
}

await world.record(publisher, ['ada'])
while (await sequenceEvents(world.db));
const mineDelivery = (await call('GET', `/webhooks/deliveries?endpoint_id=${mine.endpoint_id}`)).body.content[0]
const ROUTES: readonly (readonly [Method, string, unknown, Scope])[] = [
  ['GET', '/events', undefined, 'events:read'],
  ['GET', '/webhooks/endpoints', undefined, 'webhooks:read'],
  ['POST', '/webhooks/endpoints', { url: 'https://example.com/' }, 'webhooks:write'],
  ['GET', '/webhooks/deliveries?endpoint_id=ENDPOINT', undefined, 'webhooks:read'],
  ['GET', '/webhooks/endpoints/ENDPOINT', undefined, 'webhooks:read'],
  ['PATCH', '/webhooks/endpoints/ENDPOINT', { disabled: true }, 'webhooks:write'],
  ['GET', '/webhooks/deliveries/DELIVERY/attempts', undefined, 'webhooks:read'],
  ['POST', '/webhooks/endpoints/ENDPOINT/recover', { since: new Date().toISOString() }, 'webhooks:write'],
  ['POST', '/webhooks/endpoints/ENDPOINT/enable', undefined, 'webhooks:write'],
  ['POST', '/webhooks/endpoints/ENDPOINT/rotate-secret', undefined, 'webhooks:write'],
  ['POST', '/webhooks/endpoints/ENDPOINT/test', undefined, 'webhooks:write'],
  ['POST', '/webhooks/endpoints/ENDPOINT/replay', { after: 0 }, 'webhooks:write'],
  ['POST', '/webhooks/deliveries/DELIVERY/replay', undefined, 'webhooks:write'],
  ['DELETE', '/webhooks/endpoints/ENDPOINT', undefined, 'webhooks:write'],
]
const filled = (path: string, endpoint: string, delivery: string): string =>
  path.replace('ENDPOINT', endpoint).replace('DELIVERY', delivery)

for (const [method, path, body, scope] of ROUTES) {
  test(`${method} ${path} requires a key with ${scope}`, async () => {
    const there = filled(path, mine.endpoint_id, mineDelivery.delivery_id)
    assert.equal((await call(method, there, body, { key: null })).status, 401)
    const key = await newKey(publisher, ['users:read'])
    const refused = await call(method, there, body, { key })
    assert.deepEqual([refused.status, refused.body.code], [403, 'scope_missing'])
  })

  if (!/ENDPOINT|DELIVERY/.test(path)) continue
  test(`${method} ${path} reveals nothing to another publisher`, async () => {
    const absent = filled(path, 'whe_00000000000000000000000000', 'dlv_00000000000000000000000000')
    const malformed = filled(path, 'nonsense', 'nonsense')
    const foreign = filled(path, mine.endpoint_id, mineDelivery.delivery_id)
    const bodies = new Set<string>()
    for (const there of [absent, malformed, foreign]) {
      const refused = await call(method, there, body, { key: otherKey })
      assert.equal(refused.status, 404)
      bodies.add(JSON.stringify({ ...refused.body, request_id: '', instance: '' }))
    }
    assert.equal(bodies.size, 1)
  })
}

test('refused requests change nothing', async () => {
  const shown = (await call('GET', '/webhooks/endpoints')).body.content
  assert.ok(shown.some((one: { endpoint_id: string }) => one.endpoint_id === mine.endpoint_id))
  assert.equal((await call('GET', `/webhooks/deliveries?endpoint_id=${mine.endpoint_id}`)).body.total_elements, 1)
})

test('an endpoint can subscribe to every event type', async () => {
  const created = await call('POST', '/webhooks/endpoints', {
    url: 'https://example.com/all',
    event_types: EVENT_TYPES,
  })
  assert.equal(created.status, 200)
})
