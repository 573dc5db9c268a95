import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { App } from '../src/platform/http/index.ts'
import type { Role } from '../src/tenants/accounts/index.ts'
import { isBusy } from './support/app.ts'
import { openApp } from './support/injected-app.ts'
import { sample } from './support/runs.ts'

/**
 * All operations, with the scope that their key needs according to the running application. A new or changed operation
 * fails here. `npm test -- --test-update-snapshots test/routes.test.ts` rewrites the reviewed table.
 */
const operations: { readonly method: string; readonly address: string }[] = []
subscribe('fastify.initialization', (message) =>
  (message as { readonly fastify: App }).fastify.addHook('onRoute', ({ method, url: address }) => {
    for (const one of [method].flat()) operations.push({ method: one, address })
  }),
)
// Two keys, because a key cannot reveal that an operation requires a scope the key has.
const { app, keys, operators } = await openApp('routes', [['brands:write'], ['reports:write']])
operations.sort((a, b) => (`${a.address} ${a.method}` < `${b.address} ${b.method}` ? -1 : 1))

test('the table of operations matches the reviewed table', async (t) => {
  const lines: string[] = []
  for (const { method, address } of operations.filter(({ method }) => method !== 'HEAD'))
    lines.push(`${method.padEnd(6)} ${address} ${await findNeed(method, address)}`)
  assert(lines.length > 20, 'the operations were found')
  t.assert.fileSnapshot(`${lines.join('\n')}\n`, fileURLToPath(new URL('routes.snapshot.txt', import.meta.url)), {
    serializers: [(text) => text],
  })
})

test('a request without a key counts against the limit in its response, even if malformed', async () => {
  const uncounted: string[] = []
  for (const { method, address } of sample(operations, 0.3)) {
    const url = toUrl(address)
    const malformed = ['GET', 'HEAD'].includes(method)
      ? { url: `${url}?no=1` }
      : { url, headers: { 'content-type': 'application/json' }, body: '{' }
    for (const request of [{ url }, malformed]) {
      const { headers } = await app.inject({ method: method as 'GET', ...request })
      const [limit, remaining] = ['limit', 'remaining'].map((name) => Number(headers[`ratelimit-${name}`]))
      if (!(Number(remaining) < Number(limit))) uncounted.push(`${method} ${JSON.stringify(request)}`)
    }
  }
  assert.deepEqual(uncounted, [])
})

test('every GET route supports HEAD, except the one that records a sale', () => {
  const listAddresses = (wanted: string) =>
    operations.filter(({ method }) => method === wanted).map(({ address }) => address)
  const heads = new Set(listAddresses('HEAD'))
  assert.deepEqual(
    listAddresses('GET').filter((address) => !heads.has(address)),
    ['/postbacks/:network'],
  )
})

test('HEAD returns the status and headers of GET without the body', async () => {
  const headers = { authorization: `Bearer ${keys[0]}` }
  for (const [url, status] of [
    ['/publishers/me', 200],
    ['/publishers/me?no=1', 400],
    ['/users', 403],
    ['/openapi.json', 200],
    ['/reports/transactions', 403],
  ] as const) {
    const [get, head] = [await app.inject({ url, headers }), await app.inject({ method: 'HEAD', url, headers })]
    assert.deepEqual([get.statusCode, head.statusCode, head.body], [status, status, ''], url)
    assert.equal(head.headers['content-type'], get.headers['content-type'], url)
    // The problem contains the request ID, which always has the same length.
    assert.equal(head.headers['content-length'], get.headers['content-length'], url)
  }
})

/** Returns a concrete address that matches the route. */
const toUrl = (address: string): string => address.replaceAll(/:\w+|\*/g, 'unknown')

/**
 * Infers what the operation requires from its responses to requests without a key and with keys that lack the scope.
 */
async function findNeed(method: string, address: string): Promise<string> {
  const url = toUrl(address)
  const ask = async (headers: Record<string, string>): Promise<{ code?: string; detail?: string }> => {
    for (;;) {
      const answer = await app.inject({ method: method as 'GET', url, headers })
      const body = answer.payload.startsWith('{') ? answer.json() : {}
      // On a busy machine the service briefly rejects requests, which reveals nothing about the operation.
      if (!isBusy(answer.statusCode, body)) return body
      await setTimeout(100)
    }
  }
  if ((await ask({})).code !== 'key_missing') return 'open'
  for (const key of keys) {
    const { code, detail } = await ask({ authorization: `Bearer ${key}` })
    if (code === 'key_invalid') return needOfOperators(ask)
    if (code === 'scope_missing') return /scope (\S+)\.$/.exec(detail ?? '')?.[1] ?? ''
  }
  return 'any key'
}

type Ask = (headers: Record<string, string>) => Promise<{ code?: string }>

/** Returns the roles whose keys are accepted, or `session` for operations that people perform for themselves. */
async function needOfOperators(ask: Ask): Promise<string> {
  const roles: Role[] = []
  for (const [role, key] of operators) {
    const { code } = await ask({ authorization: `Bearer ${key}` })
    if (code === 'key_invalid') return 'session'
    if (code !== 'role_missing') roles.push(role)
  }
  return `operators: ${roles.join(', ')}`
}
