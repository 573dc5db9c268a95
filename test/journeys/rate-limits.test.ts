import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { revokeApiKey } from '../../src/tenants/access/keys/keys.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { type Answer, makeCaller, startTestApp, type Tenant, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { problemFault } from './operations.ts'

let app: TestApp
// The clock is frozen, so buckets do not refill and cached keys do not expire, even on a slow machine.
const now = new Date()

before(async () => {
  app = await startTestApp({ clock: { now: () => now } })
})

after(() => app.close())

/** Creates a publisher with the lowest rate limit: one call per second in bursts of up to two. */
async function slowTenant(): Promise<Tenant> {
  const tenant = await app.tenant()
  const least = { readsPerSecond: 1, writesPerSecond: 1 }
  await app.service.db.transaction((tx) => changeSettings(tx, tenant.publisher.id, least))
  const { apiKey } = await app.service.db.transaction((tx) => createApiKey(tx, tenant.publisher, null, new Date()))
  return { ...tenant, apiKey, call: makeCaller(app.service.url, apiKey) }
}

const readAllowance = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? Number.NaN))

test('with a burst limit of two, the third call is rejected with Retry-After and has no effect', async () => {
  const { call } = await slowTenant()
  const answers: Answer[] = []
  for (const publisher_user_id of ['one', 'two', 'three'])
    answers.push(await call('POST', '/users', { publisher_user_id }))
  const [first, second, third] = answers as [Answer, Answer, Answer]
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(problemFault(third, 429, '/users'), null)
  assert.equal(third.body.code, 'rate_limited')
  assert.match(third.body.detail, /^Too many (reads|writes) with this key\. The limit is \d+ per second\.$/)
  assert.match(third.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual(
    answers.map((answer) => readAllowance(answer).slice(0, 2)),
    [
      [2, 1],
      [2, 0],
      [2, 0],
    ],
  )
  assert.ok(answers.every((answer) => (readAllowance(answer)[2] ?? 0) >= 1))
  assert.equal((await call('GET', '/users')).body.total_elements, 2, 'reads are counted apart from writes')
})

test("one key's rate limit does not affect another key, even of the same publisher", async () => {
  const { call, publisher } = await slowTenant()
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await call('GET', '/users')).status)
  assert.deepEqual(statuses, [200, 200, 429, 429])
  const { apiKey } = await app.service.db.transaction((tx) => createApiKey(tx, publisher, null, new Date()))
  assert.equal((await makeCaller(app.service.url, apiKey)('GET', '/users')).status, 200)
  assert.equal((await app.call('GET', '/users')).status, 200)
})

test('a batch counts as one event per item, even beyond the limit, and does not affect other limits', async () => {
  const { call, publisher } = await app.tenant()
  const slow = { eventsPerSecond: 10 }
  await app.service.db.transaction((tx) => changeSettings(tx, publisher.id, slow))
  const { apiKey } = await app.service.db.transaction((tx) => createApiKey(tx, publisher, null, new Date()))
  const limited = makeCaller(app.service.url, apiKey)
  await call('POST', '/users', { publisher_user_id: 'one' })
  let sent = 0
  const event = () => ({ publisher_user_id: 'one', source: 'OTHER', external_id: `e${sent++}`, amount: 1 })
  const report = (count: number) =>
    limited('POST', '/transactions', { transactions: Array.from({ length: count }, event) })
  const first = await report(15)
  assert.deepEqual([first.status, readAllowance(first)], [200, [20, 5, 2]])
  const second = await report(25)
  assert.deepEqual([second.status, readAllowance(second)], [200, [20, 0, 4]])
  // The bucket owes 20 tokens and gains 10 per second, so the next token is 2.1 seconds away.
  for (const refused of [await report(1), await limited('POST', '/transactions', event())]) {
    assert.equal(problemFault(refused, 429, '/transactions'), null)
    assert.deepEqual([readAllowance(refused), refused.headers.get('retry-after')], [[20, 0, 3], '3'])
  }
  assert.equal((await limited('POST', '/users', { publisher_user_id: 'two' })).status, 200)
  assert.equal((await limited('GET', '/transactions')).body.total_elements, 40)
})

test('every authenticated response contains its rate limit, even if the request was rejected', async () => {
  const { apiKey } = await app.service.db.transaction((tx) =>
    createApiKey(tx, app.publisher, ['users:read'], new Date()),
  )
  const call = makeCaller(app.service.url, apiKey)
  const answers: [Answer, number][] = [
    [await call('GET', '/users'), 200],
    [await call('GET', '/users?page=-1'), 400],
    [await call('POST', '/users', {}), 403],
    [await call('GET', '/users/nobody'), 404],
    [await call('GET', '/users', undefined, { 'Laurel-Version': '1999-01-01' }), 400],
  ]
  for (const [answer, status] of answers) {
    assert.equal(answer.status, status)
    for (const value of readAllowance(answer)) assert.ok(Number.isInteger(value) && value >= 0)
  }
})

test("link tokens are limited per user, independently of the key's rate limit", async () => {
  for (const publisher_user_id of ['eager', 'calm']) await app.call('POST', '/users', { publisher_user_id })
  const answers: Answer[] = []
  for (let count = 0; count < 6; count++) answers.push(await app.call('GET', '/linker/link-token/eager'))
  assert.deepEqual(
    answers.slice(0, 5).map(({ status }) => status),
    Array(5).fill(200),
  )
  const last = answers[5] as Answer
  assert.equal(last.status, 429)
  assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await app.call('GET', '/linker/link-token/calm')).status, 200)
})

test('a key is accepted in either header, and responses contain the version in use', async () => {
  const keyless = makeCaller(app.service.url, null)
  const byHeader = await keyless('GET', '/users', undefined, { 'X-API-Key': app.apiKey })
  assert.deepEqual([byHeader.status, byHeader.headers.get('laurel-version')], [200, '2024-12-12'])
  const bearer = await keyless('GET', '/users', undefined, { Authorization: `bearer ${app.apiKey}` })
  assert.equal(bearer.status, 200)
  const spoken = await app.call('GET', '/users', undefined, { 'Laurel-Version': '2024-12-12' })
  assert.equal(spoken.status, 200)
  const unknown = await app.call('GET', '/users', undefined, { 'Laurel-Version': '2030-01-01' })
  assert.equal(problemFault(unknown, 400, '/users'), null)
  assert.deepEqual([unknown.body.code, unknown.body.errors[0].field], ['version_unknown', 'Laurel-Version'])
  for (const Authorization of ['Bearer', 'Basic abc', `Bearer ${'x'.repeat(300)}`])
    assert.equal((await keyless('GET', '/users', undefined, { Authorization })).status, 401)
})

test('a revoked key stops working without waiting for its cache entry to expire', async () => {
  const { keyId, apiKey } = await app.service.db.transaction((tx) => createApiKey(tx, app.publisher, null, new Date()))
  const call = makeCaller(app.service.url, apiKey)
  assert.equal((await call('GET', '/users')).status, 200)
  await app.service.db.transaction((tx) => revokeApiKey(tx, keyId, new Date()))
  // The revocation is announced to every process. Because the clock is frozen, no cache entry expires on its own.
  await eventually(async () => (await call('GET', '/users')).status === 401)
})
