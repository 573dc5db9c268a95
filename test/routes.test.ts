import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Role } from '../src/accounts/index.ts'
import type { App } from '../src/platform/http/index.ts'
import { isBusy } from './support/app.ts'
import { openApp } from './support/injected-app.ts'

/**
 * The table of all operations with the scope that a key needs, as the running application enforces it. A new or
 * changed operation fails here; `npm test -- --test-update-snapshots test/routes.test.ts` writes the table again.
 */
// Two keys, because a key cannot show the lack of its own scope.
const { app, keys, operators } = await openApp('routes', [['brands:write'], ['reports:write']])

test('the table of operations is the one that was reviewed', async (t) => {
  const lines: string[] = []
  for (const { method, address } of operationsOf(app).filter(({ method }) => method !== 'HEAD'))
    lines.push(`${method.padEnd(6)} ${address} ${await needOf(method, address)}`)
  assert(lines.length > 20, 'the operations were found')
  t.assert.fileSnapshot(`${lines.join('\n')}\n`, fileURLToPath(new URL('routes.snapshot.txt', import.meta.url)), {
    serializers: [(text) => text],
  })
})

test('every operation without a key is rate-limited and shows the limit in its answer', async () => {
  const unlimited: string[] = []
  for (const { method, address } of operationsOf(app)) {
    const answer = await app.inject({ method: method as 'GET', url: address.replaceAll(/:\w+/g, 'unknown') })
    if (!(Number(answer.headers['ratelimit-limit']) > 0)) unlimited.push(`${method} ${address}`)
  }
  assert.deepEqual(unlimited, [])
})

test('every GET route answers HEAD, except the one that records a sale', () => {
  const operations = operationsOf(app)
  const listAddresses = (wanted: string) =>
    operations.filter(({ method }) => method === wanted).map(({ address }) => address)
  const heads = new Set(listAddresses('HEAD'))
  assert.deepEqual(
    listAddresses('GET').filter((address) => !heads.has(address)),
    ['/postbacks/:network'],
  )
})

test('HEAD answers with the status and headers of GET, without its body', async () => {
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
    // The problem contains the request id, whose length is constant.
    assert.equal(head.headers['content-length'], get.headers['content-length'], url)
  }
})

/** Reads the tree that the router prints: one line a segment, deeper ones further to the right. */
function operationsOf(printed: App): { method: string; address: string }[] {
  const trail: string[] = []
  const found: { method: string; address: string }[] = []
  for (const line of printed.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (match === null) continue
    const [, indent = '', segment = '', methods = ''] = match
    trail.splice(indent.length / 4, trail.length, segment)
    for (const method of methods.split(', ').filter(Boolean)) found.push({ method, address: trail.join('') })
  }
  return found.sort((a, b) => (`${a.address} ${a.method}` < `${b.address} ${b.method}` ? -1 : 1))
}

/** What the door says to no key and to keys that lack what it asks for. */
async function needOf(method: string, address: string): Promise<string> {
  const url = address.replaceAll(/:\w+/g, 'unknown')
  const ask = async (headers: Record<string, string>): Promise<{ code?: string; detail?: string }> => {
    for (;;) {
      const answer = await app.inject({ method: method as 'GET', url, headers })
      const body = answer.payload.startsWith('{') ? answer.json() : {}
      // On a busy machine the service refuses for a moment; that says nothing of the operation.
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

/** The roles whose keys are let in; no key is where people act for themselves. */
async function needOfOperators(ask: Ask): Promise<string> {
  const roles: Role[] = []
  for (const [role, key] of operators) {
    const { code } = await ask({ authorization: `Bearer ${key}` })
    if (code === 'key_invalid') return 'session'
    if (code !== 'role_missing') roles.push(role)
  }
  return `operators: ${roles.join(', ')}`
}
