import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, openSimulator, type TestSimulator, type Tokens } from './test-support.ts'

const HEADERS = { 'content-type': 'application/json', 'plaid-client-id': 'client-a', 'plaid-secret': 'any' }

/** Makes a call whose response might not be JSON or might never arrive. */
function raw({ url }: TestSimulator, path: string, body: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body), signal })
}

async function forget({ url }: TestSimulator, path: string): Promise<number> {
  return (await fetch(`${url}/_sim/${path}`, { method: 'DELETE' })).status
}

type Reply = { faults: { fault_id: string; kind: string; struck: number }[] }

test('a call fails once, as requested, and the next one succeeds', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  const ANSWERS = [
    [{ kind: 'rate_limited' }, 429, 'RATE_LIMIT_EXCEEDED', 'ITEM_GET_LIMIT'],
    [{ kind: 'server_error' }, 500, 'API_ERROR', 'INTERNAL_SERVER_ERROR'],
    [{ kind: 'error', error_code: 'ITEM_LOCKED' }, 400, 'ITEM_ERROR', 'ITEM_LOCKED'],
    [{ kind: 'error', error_code: 'INSTITUTION_DOWN' }, 400, 'INSTITUTION_ERROR', 'INSTITUTION_DOWN'],
    [{ kind: 'error', error_code: 'INVALID_ACCESS_TOKEN' }, 400, 'INVALID_INPUT', 'INVALID_ACCESS_TOKEN'],
    [{ kind: 'error', error_code: 'PLANNED_MAINTENANCE' }, 400, 'API_ERROR', 'PLANNED_MAINTENANCE'],
    [{ kind: 'error', error_code: 'UNKNOWN_FIELDS' }, 400, 'INVALID_REQUEST', 'UNKNOWN_FIELDS'],
  ] as const
  for (const [fault, status, type, code] of ANSWERS) {
    await simulator.control('faults', { path: '/item/get', ...fault })
    const struck = await simulator.call('/item/get', { access_token })
    assert.deepEqual([struck.status, struck.body.error_type, struck.body.error_code], [status, type, code])
    assert.ok('request_id' in struck.body, 'an error has a request id like any other answer')
    assert.equal((await simulator.call('/item/get', { access_token })).status, 200)
  }
})

test('Retry-After is sent only if it was requested', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  await simulator.control('faults', { kind: 'rate_limited', retry_after: 7 })
  await simulator.control('faults', { kind: 'rate_limited' })
  assert.equal((await raw(simulator, '/item/get', { access_token })).headers.get('retry-after'), '7')
  assert.equal((await raw(simulator, '/item/get', { access_token })).headers.get('retry-after'), null)
})

test('the bad_gateway and html faults respond with an HTML page, as a proxy might', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  for (const [kind, status] of [
    ['bad_gateway', 502],
    ['html', 200],
  ] as const) {
    await simulator.control('faults', { kind })
    const answer = await raw(simulator, '/item/get', { access_token })
    assert.equal(answer.status, status)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(await answer.text(), /<html>/)
  }
})

test('a truncated response has status 200 and half of the JSON', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  await simulator.control('faults', { kind: 'truncated' })
  const answer = await raw(simulator, '/item/get', { access_token })
  assert.equal(answer.status, 200)
  const text = await answer.text()
  assert.match(text, /^\{"item":\{/)
  assert.throws(() => JSON.parse(text), SyntaxError)
})

test('a stalled response begins but never ends', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  await simulator.control('faults', { kind: 'stalled' })
  const leaving = new AbortController()
  const answer = await raw(simulator, '/item/get', { access_token }, leaving.signal)
  assert.equal(answer.status, 200)
  const promised = Number(answer.headers.get('content-length'))
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  assert.ok(value !== undefined && value.byteLength > 0 && value.byteLength < promised)
  const rest = reader?.read()
  // Other calls still work, and this one receives nothing more until the client hangs up.
  assert.equal((await simulator.call('/item/get', { access_token })).status, 200)
  leaving.abort()
  await assert.rejects(rest ?? Promise.resolve(), { name: 'AbortError' })
})

test('a hanging call is closed when its fault is removed', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  const { body: fault } = await simulator.control<{ fault_id: string }>('faults', { kind: 'stalled', times: 0 })
  for (const path of [`faults/${fault.fault_id}`, 'faults']) {
    const answer = await raw(simulator, '/item/get', { access_token })
    await fetch(`${simulator.url}/_sim/${path}`, { method: 'DELETE' })
    await assert.rejects(answer.text())
    await simulator.control('faults', { kind: 'stalled' })
  }
})

test('a dropped call is not executed, but a call whose response is lost is', async (t) => {
  const simulator = await openSimulator(t)
  const dropped = await linkItem(simulator)
  await simulator.control('faults', { kind: 'dropped', path: '/item/remove' })
  await assert.rejects(raw(simulator, '/item/remove', { access_token: dropped.access_token }))
  assert.equal((await simulator.call('/item/get', { access_token: dropped.access_token })).status, 200)

  await simulator.control('faults', { kind: 'lost_answer', path: '/item/remove' })
  await assert.rejects(raw(simulator, '/item/remove', { access_token: dropped.access_token }))
  const gone = await simulator.call('/item/get', { access_token: dropped.access_token })
  assert.equal(gone.body.error_code, 'ITEM_NOT_FOUND')
})

test('latency delays the response and combines with other faults', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  await simulator.control('faults', { kind: 'latency', ms: 3_600_000, path: '/item/get' })
  let answered = false
  const leaving = new AbortController()
  const late = raw(simulator, '/item/get', { access_token }, leaving.signal).then(() => {
    answered = true
  })
  assert.equal((await simulator.call('/accounts/get', { access_token })).status, 200)
  assert.equal(answered, false)
  leaving.abort()
  await assert.rejects(late, { name: 'AbortError' })

  const faults = [{ kind: 'latency', ms: 1 }, { kind: 'server_error' }]
  for (const inOrder of [faults, faults.toReversed()]) {
    for (const fault of inOrder) await simulator.control('faults', fault)
    assert.equal((await simulator.call('/item/get', { access_token })).status, 500)
    assert.deepEqual((await simulator.ask<Reply>('faults')).faults, [])
  }
})

test('a fault applies only to its path, item and client, and skips and affects as many calls as requested', async (t) => {
  const simulator = await openSimulator(t)
  const one = await linkItem(simulator)
  const two = await linkItem(simulator)
  const status = async (path: string, { access_token }: Tokens) => (await simulator.call(path, { access_token })).status
  await simulator.control('faults', {
    kind: 'server_error',
    path: '/accounts/get',
    item_id: one.item_id,
    client_id: 'client-a',
    skip: 1,
    times: 2,
  })
  await simulator.control('faults', { kind: 'server_error', client_id: 'client-b', times: 0 })
  const seen: number[] = []
  for (let index = 0; index < 4; index++) {
    assert.equal(await status('/accounts/get', two), 200)
    assert.equal(await status('/item/get', one), 200)
    seen.push(await status('/accounts/get', one))
  }
  assert.deepEqual(seen, [200, 500, 500, 200])
  for (let index = 0; index < 3; index++) {
    assert.equal((await simulator.call('/item/get', { access_token: 'x' }, 'client-b')).status, 500)
  }
  const { faults } = await simulator.ask<Reply>('faults')
  assert.deepEqual(
    faults.map(({ kind, struck }) => [kind, struck]),
    [['server_error', 3]],
  )
  assert.equal(await forget(simulator, `faults/${faults[0]?.fault_id}`), 200)
  assert.equal(await forget(simulator, `faults/${faults[0]?.fault_id}`), 404)
  assert.equal((await simulator.call('/item/get', { access_token: 'x' }, 'client-b')).status, 400)
})

test('a mutation fault does not fire until a follow-up page of an update is read', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  for (const amount of [1, 2, 3]) await simulator.control('purchases', { item_id, merchant: 'Fern Foods', amount })
  await simulator.control('faults', { kind: 'mutation' })
  type Page = { next_cursor: string; has_more: boolean; error_code?: string }
  const sync = async (cursor?: string, count = 2) =>
    (await simulator.call<Page>('/transactions/sync', { access_token, count, ...(cursor ? { cursor } : {}) })).body
  const first = await sync()
  assert.equal(first.has_more, true)
  const mutated = await sync(first.next_cursor)
  assert.equal(mutated.error_code, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
  const last = await sync((await sync()).next_cursor)
  assert.equal(last.has_more, false)

  await simulator.control('faults', { kind: 'mutation', skip: 0 })
  assert.equal((await sync(last.next_cursor)).error_code, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
})

test('all faults can be removed together, and they never affect the control interface', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  await simulator.control('faults', { kind: 'dropped', times: 0 })
  await simulator.control('faults', { kind: 'bad_gateway', times: 0 })
  assert.equal((await simulator.ask<Reply>('faults')).faults.length, 2)
  assert.equal(await forget(simulator, 'faults'), 200)
  assert.equal((await simulator.call('/item/get', { access_token })).status, 200)
  assert.equal((await simulator.control('faults', { kind: 'earthquake' })).status, 400)
  assert.equal((await simulator.control('faults', { kind: 'error' })).body.error_code, 'MISSING_FIELDS')
})

test('the error for an invalid fault lists the allowed values', async (t) => {
  const simulator = await openSimulator(t)
  const refused = async (body: object) => {
    const answer = await raw(simulator, '/_sim/faults', body)
    assert.equal(answer.status, 400)
    return ((await answer.json()) as { error_message: string }).error_message
  }
  const kinds = await refused({ kind: 'nope' })
  assert.match(kinds, /^body\/kind must be one of latency, rate_limited, [a-z_, ]*mutation$/)
  assert.match(await refused({ kind: 'latency' }), /needs the field ms/)
  assert.match(await refused({ kind: 'error' }), /needs the field error_code/)
  assert.match(await refused({ kind: 'html', sometimes: 3 }), /: sometimes$/)
  assert.match(await refused({ kind: 'html', times: 'often' }), /body\/times must be integer/)
  assert.match(await refused({}), /required property 'kind'/)
})
