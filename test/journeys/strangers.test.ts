import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { problemFault } from './operations.ts'

// Responses to requests without a key, with an invalid key, or to an unknown path or method.

let app: TestApp

before(async () => {
  app = await startTestApp({ settings: { LAUREL_STRANGER_CALLS_PER_SECOND: '10' } })
})

after(() => app.close())

const readAllowance = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? Number.NaN))

test("a wrong method is answered with the path's allowed methods, and an unknown path is not found", async () => {
  const rows: [method: string, path: string, status: number, allow: string | null][] = [
    ['PUT', '/users', 405, 'GET, HEAD, POST'],
    ['DELETE', '/users/', 405, 'GET, HEAD, POST'],
    ['POST', '/users/user%2F1?page=1', 405, 'DELETE, GET, HEAD, PATCH'],
    ['OPTIONS', '/transactions/evaluate', 405, 'GET, HEAD, POST'],
    ['PUT', '/users/status', 405, 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/operator/catalog/export', 405, 'GET, HEAD'],
    ['POST', '/docs', 405, 'GET, HEAD'],
    ['PUT', '/users/one/two', 404, null],
    ['PUT', '/userS', 404, null],
    ['PUT', '/', 405, 'GET, HEAD'],
    ['GET', '/nowhere', 404, null],
  ]
  for (const [method, path, status, allow] of rows) {
    const answer = await app.call(method, path)
    const label = `${method} ${path}`
    assert.equal(problemFault(answer, status, path.split('?')[0] ?? ''), null, label)
    assert.equal(answer.body.code, status === 405 ? 'method_not_allowed' : 'route_not_found', label)
    assert.equal(answer.headers.get('allow'), allow, label)
  }
})

test('an unknown path or method is reported as such regardless of the body', async () => {
  const bodies = ['{"a":1}', '{', 'a=1', `{"a":"${'x'.repeat(2_000_000)}"}`]
  for (const [method, path, status] of [
    ['PUT', '/users', 405],
    ['POST', '/nowhere', 404],
    ['DELETE', '/transactions', 405],
  ] as const) {
    for (const body of bodies)
      for (const type of ['application/json', 'text/plain']) {
        const answer = await app.call(method, path, body, { 'Content-Type': type })
        assert.equal(problemFault(answer, status, path), null, `${method} ${path} ${body.slice(0, 9)}`)
      }
  }
})

test('responses to a missing key, an invalid key and an unknown path contain a rate limit', async () => {
  const [keyless, dead] = [
    makeCaller(app.service.url, null),
    makeCaller(app.service.url, `lrl_sandbox_${'x'.repeat(43)}`),
  ]
  for (const [call, path, status] of [
    [keyless, '/users', 401],
    [dead, '/users', 401],
    [keyless, '/operator/me', 401],
    [app.call, '/operator/me', 401],
    [keyless, '/nowhere', 404],
    [app.call, '/nowhere', 404],
  ] as const) {
    const answer = await call('GET', path)
    assert.equal(answer.status, status, path)
    for (const value of readAllowance(answer)) assert.ok(Number.isInteger(value) && value >= 0, `${status} ${path}`)
  }
})

test('guessing keys is rate-limited, but a valid key from the same address is not', async () => {
  const keyless = makeCaller(app.service.url, null)
  const [limit = 0] = readAllowance(await keyless('GET', '/users'))
  const refused: Answer[] = []
  // Uses up the burst and whatever the bucket refills in the meantime.
  for (let tried = 0; refused.length === 0 && tried < 20 * limit; tried += limit)
    for (const answer of await Promise.all(Array.from({ length: limit }, () => keyless('GET', '/users'))))
      if (answer.status !== 401) refused.push(answer)
  const [first] = refused
  assert.ok(first !== undefined)
  assert.equal(problemFault(first, 429, '/users'), null)
  assert.match(first.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await app.call('GET', '/users')).status, 200)
})

test('routes that need no key are rate-limited, and metrics are not public', async () => {
  const keyless = makeCaller(app.service.url, null)
  assert.equal((await keyless('GET', '/metrics')).status, 404)
  for (const path of ['/openapi.json', '/docs', '/healthz', '/readyz']) {
    const [limit = 0, left = limit] = readAllowance(await keyless('GET', path))
    assert.ok(left < limit, path)
  }
})
