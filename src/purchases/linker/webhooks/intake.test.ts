import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  createClient,
  depsWith,
  link,
  openWorld,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { runs, SEED } from '../../../../test/support/runs.ts'
import { createApp } from '../../../platform/http/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { syncPublisher } from '../loops.ts'
import { type Provider, ProviderFault, type WebhookKey } from '../provider.ts'
import { linkerPublicRoutes } from '../public-routes.ts'
import { createWebhookDoor, isGenuine } from './intake.ts'
import { createWebhookKeys } from './keys.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string; y: string }
const BODY = Buffer.from('{\n  "webhook_type": "ITEM"\n}')

type Forgery = { alg?: string; kid?: string; ageS?: number; body?: Buffer; key?: KeyObject; claims?: object }

function forgeSignature({
  alg = 'ES256',
  kid = 'key-1',
  ageS = 0,
  body = BODY,
  key = privateKey,
  claims,
}: Forgery = {}) {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const hash = createHash('sha256').update(body).digest('hex')
  const signedClaims = claims ?? { iat: NOW.getTime() / 1000 - ageS, request_body_sha256: hash }
  const signed = `${encode({ alg, kid, typ: 'JWT' })}.${encode(signedClaims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

test('a webhook is genuine only with a recent provider signature over its exact bytes', async () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const cases: readonly [what: string, genuine: boolean, signature: string, body?: Buffer][] = [
    ['as the provider sends it', true, forgeSignature()],
    ['four minutes old', true, forgeSignature({ ageS: 240 })],
    ['older than five minutes', false, forgeSignature({ ageS: 301 })],
    ['from the future', false, forgeSignature({ ageS: -60 })],
    ['over another body', false, forgeSignature({ body: Buffer.from('{}') })],
    ['over the same content written otherwise', false, forgeSignature(), Buffer.from('{"webhook_type":"ITEM"}')],
    ['by another key', false, forgeSignature({ key: other })],
    ['by a key that is not known', false, forgeSignature({ kid: 'key-2' })],
    ['by an expired key', false, forgeSignature({ kid: 'expired' })],
    ['with a key name that is none', false, forgeSignature({ kid: '../key-1' })],
    ['without an algorithm', false, forgeSignature({ alg: 'none' })],
    ['with a symmetric algorithm', false, forgeSignature({ alg: 'HS256' })],
    ['without claims', false, forgeSignature({ claims: {} })],
    ['not a signature', false, 'nonsense'],
    ['empty', false, ''],
  ]
  const keys = async (keyId: string) =>
    keyId === 'key-1' ? { jwk, expired: false } : keyId === 'expired' ? { jwk, expired: true } : null
  for (const [what, genuine, signature, body] of cases)
    assert.equal(await isGenuine(keys, signature, body ?? BODY, NOW), genuine, what)
})

let world: World
before(async () => {
  world = await openWorld('linker_webhooks')
})
after(() => world.close())

async function post(headers: Record<string, string>, body: string) {
  const answer = await fetch(`${world.deps.baseUrl}/linker/webhooks`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('an unsigned webhook is rejected, and unknown keys cannot make us call the provider at will', async () => {
  assert.equal((await post({}, '{}')).status, 401)
  assert.equal((await post({ 'plaid-verification': 'a.b.c' }, '{}')).body['code'], 'webhook_unverified')
  world.door.calls.length = 0
  // Time stands still, because each second allows one more lookup.
  const { now } = world.clock
  const still = now()
  world.clock.now = () => still
  const statuses = new Set<number>()
  for (let count = 0; count < 30; count++)
    statuses.add((await post({ 'plaid-verification': forgeSignature({ kid: `unknown-${count}` }) }, '{}')).status)
  assert.deepEqual(statuses.difference(new Set([401, 503])), new Set())
  assert(world.door.calls.length <= 10)
  world.clock.now = now
  world.clock.offsetMs += 60_000
})

test('made-up key IDs, from one address or many, do not delay the lookup of a real new key', async () => {
  const real = new Set(['first', 'second', 'third'])
  const asked: string[] = []
  const getWebhookKey = async (keyId: string) => {
    asked.push(keyId)
    return real.has(keyId) ? { jwk, expired: false } : null
  }
  const still = world.clock.now()
  const keys = createWebhookKeys({ ...depsWith(world, { getWebhookKey }), clock: { now: () => still } }, 'sandbox')
  const invent = (kid: string, sender: string) => keys.find(kid, sender).catch(() => null)
  for (let count = 0; count < 500; count++) await invent(`one-${count}`, '203.0.113.9')
  // Works even for a provider address that has sent nothing so far.
  assert.notEqual(await keys.find('first', '198.51.100.1'), null)
  keys.trust('198.51.100.1')
  for (let count = 0; count < 500; count++) await invent(`many-${count}`, `203.0.113.${count}`)
  assert.notEqual(await keys.find('second', '198.51.100.1'), null)
  assert.equal(asked.filter((keyId) => !real.has(keyId)).length, 19)
  await assert.rejects(keys.find('third', '198.51.100.2'), isLate)
})

test('an oversized body is rejected', async () => {
  assert.equal((await post({}, 'x'.repeat(70_000))).status, 413)
})

test('a genuine webhook triggers a check, which marks a broken login as broken', async () => {
  const client = await createClient(world)
  const user = await addUser(world, 'hook')
  await link(world, client, 'hook')
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  await fetch(`${world.simulator.url}/_sim/items/${item?.item_id}/break`, { method: 'POST' })
  await until(async () => {
    await work(world)
    const [shown] = await world.db.reader<{ error: string | null }[]>`
      select error from links where user_id = ${user.userId}`
    return shown?.error === 'NEED_AUTHENTICATION'
  })
})

/** Creates a separate webhook intake with a key that the test supplies. */
function doorWith(getWebhookKey: Provider['getWebhookKey']) {
  const door = createWebhookDoor(depsWith(world, { getWebhookKey }))
  return (signature: string, body: Buffer) => door.accept(signature, body, '198.51.100.1')
}

async function signedFor(itemId: string, content: object = {}) {
  const body = Buffer.from(JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: itemId, ...content }))
  const hash = createHash('sha256').update(body).digest('hex')
  const iat = Math.floor(world.clock.now().getTime() / 1000)
  return { body, signature: forgeSignature({ claims: { iat, request_body_sha256: hash } }) }
}

async function linkedItem(name: string) {
  const user = await addUser(world, name)
  assert.equal((await link(world, await createClient(world), name, name)).status, 200)
  await work(world)
  const item = (await simulatedItems(world)).at(-1)
  assert(item !== undefined)
  /** Returns when the item will be disconnected, according to the accepted webhooks. */
  const announcedEnd = async () => {
    const [row] = await world.db.reader<{ at: Date | null }[]>`
      select disconnects_at as at from linker_items where user_id = ${user.userId}`
    return row?.at?.toISOString() ?? null
  }
  return { userId: user.userId, itemId: item.item_id, announcedEnd }
}

const DISCONNECT = { webhook_code: 'PENDING_DISCONNECT', disconnect_time: '2099-01-01T00:00:00.000Z' }
/** Tolerates a request to repeat the webhook, because the machine may be busy. */
async function taken(taking: Promise<void>): Promise<void> {
  await taking.catch((error: unknown) => assert(isLate(error), String(error)))
}

const isLate = (error: unknown) => error instanceof Refusal && error.code === 'linker_unavailable'

test('a webhook whose key is slow to fetch is rejected at first, and accepted later if it is genuine', async () => {
  const [genuine, forged] = [await linkedItem('slow-key'), await linkedItem('forged')]
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const take = doorWith(async () => {
    await answered
    return { jwk, expired: false }
  })
  const good = await signedFor(genuine.itemId, DISCONNECT)
  const bad = await signedFor(forged.itemId, DISCONNECT)
  await assert.rejects(take(good.signature, bad.body), isLate)
  await assert.rejects(take(good.signature, good.body), isLate)
  assert.equal(await genuine.announcedEnd(), null)
  answer()
  await until(async () => (await genuine.announcedEnd()) === DISCONNECT.disconnect_time)
  assert.equal(await forged.announcedEnd(), null)
  await taken(take(bad.signature, bad.body))
  await until(async () => (await forged.announcedEnd()) === DISCONNECT.disconnect_time)
})

test('a webhook about a locked item is answered, and its hint is stored afterward', async () => {
  const { userId, itemId, announcedEnd } = await linkedItem('busy')
  const take = doorWith(async () => ({ jwk, expired: false }))
  const { signature, body } = await signedFor(itemId, DISCONNECT)
  await world.db.transaction(async (tx) => {
    await tx`select 1 from linker_items where user_id = ${userId} for update`
    await take(signature, body)
  })
  await until(async () => (await announcedEnd()) === DISCONNECT.disconnect_time)
})

test('a webhook is answered even while the database is unresponsive', async () => {
  const { itemId, announcedEnd } = await linkedItem('silence')
  const take = doorWith(async () => ({ jwk, expired: false }))
  const { signature, body } = await signedFor(itemId, DISCONNECT)
  await world.db.transaction(async (tx) => {
    await tx`lock table linker_items in access exclusive mode`
    await take(signature, body)
  })
  await until(async () => (await announcedEnd()) === DISCONNECT.disconnect_time)
})

test('a service stores pending webhook hints before it shuts down', async () => {
  const { userId, itemId, announcedEnd } = await linkedItem('farewell')
  const app = createApp({ log: world.deps.log, refusals: {}, trustedProxies: [] })
  const getWebhookKey = async () => ({ jwk, expired: false })
  linkerPublicRoutes(app, depsWith(world, { getWebhookKey }))
  await app.ready()
  const { signature, body } = await signedFor(itemId, DISCONNECT)
  const headers = { 'content-type': 'application/json', 'plaid-verification': signature }
  let closed: Promise<void> | undefined
  await world.db.transaction(async (tx) => {
    await tx`select 1 from linker_items where user_id = ${userId} for update`
    const answer = await app.inject({ method: 'POST', url: '/linker/webhooks', headers, payload: body })
    assert.equal(answer.statusCode, 200, answer.body)
    let hasEnded = false
    closed = app.close().then(() => {
      hasEnded = true
    })
    // A close that did not wait would have finished by then.
    let looks = 0
    await until(async () => hasEnded || ++looks > 10)
    assert(!hasEnded)
  })
  await closed
  assert.equal(await announcedEnd(), DISCONNECT.disconnect_time)
})

test('every webhook in a flood is answered even while items are locked, and every feed is read', async () => {
  const items = [await linkedItem('flood-held'), await linkedItem('flood-1'), await linkedItem('flood-2')]
  // Only the flood announces the purchases.
  await atSimulator(world, '/_sim/webhooks', { lose: 1, seed: 1 })
  for (const { itemId } of items)
    await atSimulator(world, '/_sim/purchases', { item_id: itemId, merchant: 'Blue Kettle', amount: 5 })
  const take = doorWith(async () => ({ jwk, expired: false }))
  const posts = await Promise.all(
    items.map(({ itemId }) =>
      signedFor(itemId, { webhook_type: 'TRANSACTIONS', webhook_code: 'SYNC_UPDATES_AVAILABLE' }),
    ),
  )
  await world.db.transaction(async (tx) => {
    await tx`select 1 from linker_items where user_id = ${items[0]?.userId ?? null} for update`
    for (let round = 0; round < 15; round++) {
      const wave = Array.from({ length: 40 }, () => posts).flat()
      await Promise.all(wave.map(({ signature, body }) => take(signature, body)))
    }
  })
  for (const { userId } of items)
    await until(async () => {
      await work(world)
      return (await sourceEvents(world, userId)).length === 1
    })
  await fetch(`${world.simulator.url}/_sim/webhooks`, { method: 'DELETE' })
})

test('a webhook about an unknown item is accepted and has no effect', async () => {
  const take = doorWith(async () => ({ jwk, expired: false }))
  for (const content of [
    {},
    { webhook_type: 'ASSETS' },
    { item_id: 7 },
    { disconnect_time: '+275760-09-13T00:00:00.000Z' },
  ]) {
    const { signature, body } = await signedFor('unknown item', { webhook_code: 'PENDING_DISCONNECT', ...content })
    await taken(take(signature, body))
  }
})

test('a webhook affects only items of the environment whose key signed it', async () => {
  const { itemId, announcedEnd } = await linkedItem('environments')
  const keyless = { ...world.deps.providers.sandbox, getWebhookKey: async () => null }
  const keyed = { ...keyless, getWebhookKey: async () => ({ jwk, expired: false }) }
  const fromProduction = await signedFor(itemId, { ...DISCONNECT, environment: 'production' })
  const take = (sandbox: Provider, production: Provider | null) => {
    const door = createWebhookDoor({ ...world.deps, providers: { sandbox, production } })
    return door.accept(fromProduction.signature, fromProduction.body, '198.51.100.1').then(door.drain)
  }
  const isRefused = (error: unknown) => error instanceof Refusal && error.code === 'webhook_unverified'
  await assert.rejects(take(keyed, keyless), isRefused, 'signed by a key of the sandbox')
  await assert.rejects(take(keyed, null), isRefused, 'there is no production here')
  await take(keyless, keyed)
  assert.equal(await announcedEnd(), null, 'the item is one of the sandbox')
  await world.db.reader`update publishers set environment = 'production' where publisher_id = ${world.publisher.id}`
  await take(keyless, keyed)
  await until(async () => (await announcedEnd()) === DISCONNECT.disconnect_time)
  await world.db.reader`update publishers set environment = 'sandbox' where publisher_id = ${world.publisher.id}`
})

test('a key is refetched hourly, used for up to a day if that fails, and dropped once revoked', async () => {
  const hourMs = 3_600_000
  let asked = 0
  let keyOrFault: WebhookKey | null | Error = { jwk, expired: false }
  const getWebhookKey = async () => {
    asked++
    if (keyOrFault instanceof Error) throw keyOrFault
    return keyOrFault
  }
  const webhookKeys = createWebhookKeys(depsWith(world, { getWebhookKey }), 'sandbox')
  webhookKeys.trust('provider')
  const keys = (keyId: string) => webhookKeys.find(keyId, 'provider')
  await Promise.all([keys('key-1'), keys('key-1'), keys('key-1')])
  await keys('key-1')
  assert.equal(asked, 1)
  keyOrFault = new ProviderFault('unavailable', 'CIRCUIT_OPEN', 'webhook_verification_key/get', null)
  world.clock.offsetMs += 2 * hourMs
  assert.equal((await keys('key-1'))?.expired, false)
  await until(async () => asked === 2)
  // Made-up key IDs do not evict the known key.
  keyOrFault = null
  let unknown = 0
  for (let count = 0; count < 150; count++) {
    world.clock.offsetMs += 1_000
    if ((await keys(`invented-${count}`)) === null) unknown++
  }
  assert.equal(unknown, 150)
  const askedSoFar = asked
  assert.equal(await keys('invented-149'), null)
  assert.equal(asked, askedSoFar)
  keyOrFault = { jwk, expired: true }
  assert.equal((await keys('key-1'))?.expired, false)
  await until(async () => (await keys('key-1'))?.expired === true)
  keyOrFault = new ProviderFault('unavailable', 'CIRCUIT_OPEN', 'webhook_verification_key/get', null)
  world.clock.offsetMs += 25 * hourMs
  await assert.rejects(keys('key-1'), isLate)
  world.clock.offsetMs = 0
})

for (let seed = SEED; seed < SEED + runs(1); seed++)
  test(`the state converges despite lost, duplicate, late, reordered and badly signed webhooks (${seed})`, async () => {
    const { userId, itemId } = await linkedItem(`chaos-${seed}`)
    const faults = { lose: 0.3, double: 0.5, delay_ms: 20, reorder: true, badly_sign: 0.3, seed }
    await atSimulator(world, '/_sim/webhooks', faults)
    const readError = async () => {
      const [row] = await world.db.reader<{ error: string | null }[]>`select error from links where user_id = ${userId}`
      return row?.error ?? null
    }
    for (let round = 0; round < 2; round++) {
      await atSimulator(world, '/_sim/purchases', { item_id: itemId, merchant: 'Blue Kettle', amount: 5 + round })
      await atSimulator(world, `/_sim/items/${itemId}/break`)
      await work(world)
      await atSimulator(world, `/_sim/items/${itemId}/repair`)
      await work(world)
    }
    await atSimulator(world, `/_sim/items/${itemId}/break`)
    // The poll, due within a day, finds what no webhook announced.
    const poll = async () => {
      await waitForWebhooks(world)
      return syncPublisher(world.deps, world.publisher)
    }
    await poll()
    assert.equal(await readError(), 'NEED_AUTHENTICATION')
    await atSimulator(world, `/_sim/items/${itemId}/repair`)
    await poll()
    assert.equal(await readError(), null)
    const amounts = (await sourceEvents(world, userId)).map((event) => event.amount)
    assert.deepEqual(amounts.toSorted(), [500n, 600n])
    await fetch(`${world.simulator.url}/_sim/webhooks`, { method: 'DELETE' })
  })
