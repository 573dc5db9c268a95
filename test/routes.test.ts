import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTrackingLinks } from '../src/affiliate/index.ts'
import { buildApp } from '../src/app.ts'
import { createCatalogStore } from '../src/catalog/index.ts'
import { openPlaid } from '../src/linker/plaid/provider.ts'
import { createOperator, localActor, ROLES, type Role } from '../src/operators/index.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openDatabase } from '../src/platform/database.ts'
import type { App } from '../src/platform/http/index.ts'
import { createLog } from '../src/platform/log.ts'
import { createApiKey, createPublisher, type Scope } from '../src/publishers/index.ts'
import { createVault } from '../src/secrets/vault.ts'
import { brandOfTransaction, createListing } from '../src/transactions/index.ts'
import { isBusy } from './support/app.ts'
import { SHARED } from './support/egress.ts'
import { testDatabase } from './support/postgres.ts'

/**
 * The table of all operations with the scope that a key needs, as the running application enforces it. A new or
 * changed operation fails here; `npm test -- --test-update-snapshots test/routes.test.ts` writes the table again.
 */
const { app, keys, operators } = await openApp()

async function openApp() {
  const database = await testDatabase('routes')
  const db = openDatabase(database.url)
  const log = createLog('silent')
  const vault = createVault(randomBytes(32).toString('base64'))
  const app = await buildApp({
    db,
    clock: systemClock,
    vault,
    log,
    catalog: createCatalogStore(db, { clock: systemClock, log }),
    provider: openPlaid({
      address: 'http://127.0.0.1:1',
      clientId: 'a',
      secret: 'b',
      clientName: 'c',
      hasLinkPage: true,
    }),
    links: createTrackingLinks({ vault, baseUrl: () => 'http://127.0.0.1' }),
    egress: SHARED,
    baseUrl: 'http://127.0.0.1',
    trustedProxies: [],
    operatorCallsPerSecond: 100_000,
    strangerCallsPerSecond: 100_000,
    clicksPerSecond: 100_000,
    clickRetentionDays: 400,
    doDueWork: async () => ({ unreadFeeds: 0 }),
    isDraining: () => false,
    notReady: new Set(),
    brandOfTransaction,
    offersOfUser: createListing(),
  })
  await app.ready()
  after(async () => {
    await app.close()
    await db.close()
  })
  // Two keys, because a key cannot show the lack of its own scope.
  const keys = await db.transaction(async (tx) => {
    const now = systemClock.now()
    const publisher = await createPublisher(tx, { name: 'Test', environment: 'sandbox' }, now)
    const scopes: Scope[] = ['brands:write', 'reports:write']
    const made = []
    for (const scope of scopes) made.push((await createApiKey(tx, publisher, [scope], now)).apiKey)
    return made
  })
  const operators = await db.transaction(async (tx) => {
    const made = new Map<Role, string>()
    for (const role of ROLES) {
      const { key } = await createOperator(tx, { name: role, role, by: localActor('tests') }, systemClock.now())
      made.set(role, key)
    }
    return made
  })
  return { app, keys, operators }
}

test('the table of operations is the one that was reviewed', async (t) => {
  const lines: string[] = []
  for (const { method, address } of operationsOf(app))
    lines.push(`${method.padEnd(6)} ${address} ${await needOf(method, address)}`)
  assert(lines.length > 20, 'the operations were found')
  t.assert.fileSnapshot(`${lines.join('\n')}\n`, fileURLToPath(new URL('routes.snapshot.txt', import.meta.url)), {
    serializers: [(text) => text],
  })
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

/** The roles whose keys are let in. */
async function needOfOperators(ask: Ask): Promise<string> {
  const roles: Role[] = []
  for (const [role, key] of operators) {
    const { code } = await ask({ authorization: `Bearer ${key}` })
    assert.notEqual(code, 'key_invalid')
    if (code !== 'role_missing') roles.push(role)
  }
  return `operators: ${roles.join(', ')}`
}
