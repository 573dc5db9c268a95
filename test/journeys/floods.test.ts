import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/db/database.ts'
import type { PublisherId } from '../../src/platform/ids.ts'
import { openStorage } from '../../src/storage.ts'
import { createOperator } from '../../src/tenants/access/index.ts'
import { consoleCookie, invitePerson, openSession, toLocalActor } from '../../src/tenants/accounts/index.ts'
import { CATALOG, startTestApp } from '../support/app.ts'
import { type Browser, enterActive } from '../support/portal.ts'

// Every kind of caller floods in turn, and all other kinds must still be answered. Connections and queue slots are few
// here, so a small flood exhausts the caller's share. Networks are distinguished as if behind a proxy.

const CONNECTIONS = 4
const WAITING_MAX = 8
const FLOODERS = 12

const app = await startTestApp({
  settings: { LAUREL_BACKGROUND_CONNECTIONS: String(CONNECTIONS), LAUREL_TRUSTED_PROXIES: '127.0.0.1/32,::1/128' },
  storage: async (config) => {
    const storage = await openStorage(config, { migrates: true })
    const limits = { connections: CONNECTIONS, waitingMax: WAITING_MAX, waitMaxMs: 60_000 }
    const calls = openDatabase(storage.db.url, { work: 'calls', ...limits })
    const close = () => calls.close().then(storage.close)
    return { ...storage, pools: { ...storage.pools, calls }, close }
  },
})
after(app.close)
const neighbor = await app.tenant()

/** Sends one request and returns its status, without retrying if it is rejected. */
type Ask = () => Promise<number>
const flooders = new Map<string, Ask>()
const others = new Map<string, Ask>()

async function ask(path: string, headers: Record<string, string>, body?: object): Promise<number> {
  return patiently(async () => {
    const answer = await fetch(new URL(path, app.service.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  })
}

/** Retries while a slow machine makes the service reject everyone, which is unrelated to shares. */
async function patiently(asked: () => Promise<{ status: number; text: string }>): Promise<number> {
  for (;;) {
    const { status, text } = await asked()
    if (status !== 503 || !text.includes('The processor cannot keep up')) return status
    await setTimeout(100)
  }
}

const byKey = (key: string, path = '/users'): Ask => {
  return () => ask(path, { Authorization: `Bearer ${key}` })
}

async function operatorKey(): Promise<string> {
  const operator = { name: 'Ada', role: 'admin', by: toLocalActor('tests') } as const
  return (await app.service.db.transaction((tx) => createOperator(tx, operator, new Date()))).key
}

const inPortal = ({ browser, base }: { browser: Browser; base: string }): Ask => {
  return () => patiently(() => browser('GET', `${base}/purchases`))
}

/** Sends requests from the console as an admin of a publisher or of the operating company. */
async function inConsole(publisherId: PublisherId | null, path: string): Promise<Ask> {
  const kind = publisherId === null ? 'operator' : 'publisher'
  const token = await app.service.db.transaction(async (tx) => {
    const invited = { publisherId, role: 'admin', email: `${kind}@example.com` } as const
    const { accountId } = await invitePerson(tx, invited, toLocalActor('tests'), new Date())
    return (await openSession(tx, { kind, accountId }, { address: '::1', userAgent: '' }, new Date())).token
  })
  return () => ask(path, { cookie: `${consoleCookie(app.service.url)}=${token}`, 'sec-fetch-site': 'same-origin' })
}

const strangers = {
  'a stranger at an open route': (network: string) => ask('/institutions/ins_1/logo', { 'X-Forwarded-For': network }),
  'a stranger at a portal': (network: string) => ask('/portal/nobody/sign-in', { 'X-Forwarded-For': network }),
  'a stranger who guesses keys': (network: string) =>
    ask('/users', { 'X-Forwarded-For': network, Authorization: `Bearer guessed-${Math.random()}` }),
  'somebody who signs in': (network: string) =>
    ask(
      '/accounts/sign-in',
      { 'X-Forwarded-For': network },
      { email: `${Math.random()}@b.example`, password: 'wrong' },
    ),
  'somebody with a passkey': (network: string) =>
    ask('/accounts/passkeys/sign-in/options', { 'X-Forwarded-For': network }, {}),
  'a probe of readiness': (network: string) => ask('/readyz', { 'X-Forwarded-For': network }),
  'a reader of the API reference': (network: string) => ask('/openapi.json', { 'X-Forwarded-For': network }),
  'a stranger who reports sales': (network: string) =>
    ask('/postbacks/default', { 'X-Forwarded-For': network }, { secret: 'guessed', sub_id: 'none' }),
  'a stranger who guesses tracking links': (network: string) =>
    ask(`/r/guessed-${Math.random()}`, { 'X-Forwarded-For': network }),
}

before(async () => {
  const known: Record<string, Ask> = {
    'a key': byKey(app.apiKey),
    'a key of another publisher': byKey(neighbor.apiKey),
    "a session of the publisher's staff": await inConsole(app.publisher.id, '/users'),
    'an operator': byKey(await operatorKey(), '/operator/audit'),
    'a session of an operator': await inConsole(null, '/accounts/me'),
    'a portal session': inPortal(await enterActive(app, app, 'ada')),
    'a portal session of another user': inPortal(await enterActive(app, app, 'ben')),
    'a portal session of another publisher': inPortal(await enterActive(app, neighbor, 'ada')),
  }
  for (const [name, asked] of Object.entries(known)) for (const all of [flooders, others]) all.set(name, asked)
  for (const [nth, [name, asked]] of Object.entries(strangers).entries()) {
    flooders.set(name, () => asked('203.0.113.1'))
    others.set(`${name} from elsewhere`, () => asked(`198.51.100.${nth}`))
  }
})

const isTurnedAway = (status: number): boolean => status === 429 || status === 503

test('a flood from one kind of caller never causes another kind to be rejected', async () => {
  for (const [flooder, flood] of flooders) {
    let isOver = false
    const flooding = Array.from({ length: FLOODERS }, async () => {
      while (!isOver) await flood()
    })
    // Waits until the flood has begun.
    await flood()
    const asking = [...others].filter(([name]) => name !== flooder)
    const found = await Promise.all(asking.map(async ([name, asked]) => [name, await asked()] as const))
    isOver = true
    await Promise.all(flooding)
    assert.deepEqual(
      found.filter(([, status]) => isTurnedAway(status)),
      [],
      `while ${flooder} floods`,
    )
  }
})

test('200 concurrent purchases by one user all succeed without delaying other users or publishers', async () => {
  await app.catalog(CATALOG)
  for (const publisher_user_id of ['busy', 'idle']) {
    await app.call('POST', '/users', { publisher_user_id })
    await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  }
  const buy = (user: string, external_id: string) => {
    const purchase = { publisher_user_id: user, external_id, source: 'GIFT_CARD', amount: 50 }
    const body = { ...purchase, offer_uid: 'offer-gadgets-gift' }
    return ask('/transactions', { Authorization: `Bearer ${app.apiKey}` }, body)
  }
  let answered = 0
  const all = Array.from({ length: 200 }, async (_, nth) => {
    const status = await buy('busy', `busy-${nth}`)
    answered++
    return status
  })
  assert.deepEqual(
    await Promise.all([buy('idle', 'idle-1'), byKey(app.apiKey)(), byKey(neighbor.apiKey)()]),
    [200, 200, 200],
  )
  assert(answered < 200, 'others did not wait for all of them')
  assert.deepEqual(new Set(await Promise.all(all)), new Set([200]))
  const { body } = await app.call('GET', '/rewards/summary/busy')
  assert.equal(body.pending_cashback + body.available_cashback, 200 * 2)
})
