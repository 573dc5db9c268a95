import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { REFUSALS } from '../../../refusals.ts'
import type { Database } from '../../db/database.ts'
import { createLog } from '../../telemetry/log.ts'
import { authenticateKeys, createApp } from '../index.ts'
import { hashKey } from './key-cache.ts'
import { type KeyLimits, NO_LIMITS } from './key-limits.ts'

const LIVE = 'lrl_live_key'

/** Starts an app with one valid key and a manual clock. `lookUps` counts the lookups that reach the database. */
async function start({ announced = [LIVE] }: { readonly announced?: string[] } = {}) {
  const world = {
    calls: 0,
    lookUps: 0,
    nowMs: 0,
    live: new Set([LIVE]),
    limits: NO_LIMITS as KeyLimits,
    used: [] as string[],
    /** The database responds once this promise is fulfilled. */
    answers: Promise.resolve(),
  }
  const stranger = { strangerCallsPerSecond: 1 }
  const app = createApp({ log: createLog('silent'), refusals: REFUSALS, trustedProxies: [], ...stranger })
  const db = { listen: async () => undefined } as unknown as Database
  const find = async (sha256: Buffer) => {
    world.lookUps++
    const found = [...world.live].find((key) => hashKey(key).equals(sha256)) ?? null
    await world.answers
    return found
  }
  const now = () => {
    world.calls++
    return new Date(world.nowMs)
  }
  const deps = { db, clock: { now }, ...stranger }
  const clear = await authenticateKeys<string>(app, deps, {
    topics: ['keys'],
    cookie: 'session',
    find,
    listLive: async () => announced.map(hashKey),
    realm: 'test',
    readKey: (owner) => ({ keyId: owner, limits: world.limits, names: {} }),
    markUsed: async (keyIds, day) => {
      world.used.push([...keyIds, day.toISOString().slice(0, 10)].join(' '))
    },
    pickRate: (owner) => ({ owner: 'acme', bucket: owner, requests: 'calls', perSecond: 1_000, itemsPerSecond: 1_000 }),
    admit: () => undefined,
  })
  app.get('/', async () => ({}))
  const call = async (key: string | null, remoteAddress = '198.51.100.7'): Promise<number> => {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` }
    return (await app.inject({ url: '/', remoteAddress, headers })).statusCode
  }
  /** Sends bad keys from an address until it is refused, and returns how many were checked before that. */
  const exhaust = async (pickAddress = (_index: number): string => '198.51.100.7'): Promise<number> => {
    for (let index = 0; index < 1_000; index++)
      if ((await call(`bad-${index}`, pickAddress(index))) === 429) return index
    return Number.POSITIVE_INFINITY
  }
  return { world, call, exhaust, clear, close: () => app.close() }
}

test("bad keys beyond an address's limit trigger no lookups", async () => {
  const { world, call, exhaust } = await start()
  const tried = await exhaust()
  assert.ok(tried < 100)
  assert.equal(world.lookUps, tried)
  for (let index = 0; index < 20; index++) assert.equal(await call(`later-${index}`), 429)
  assert.equal(await call(null), 429)
  assert.equal(world.lookUps, tried)
  assert.equal(await call('another', '198.51.100.8'), 401)
})

test('an IPv6 host is limited by its /64, regardless of the address it calls from', async () => {
  const { call, exhaust } = await start()
  assert.ok((await exhaust((index) => `2001:db8:1:2::${index.toString(16)}`)) < 100)
  assert.equal(await call('bad', '2001:db8:1:2:ffff::1'), 429)
  assert.equal(await call('bad', '2001:db8:1:3::1'), 401)
})

test('a rate-limited address can still use valid keys: cached, expired from the cache or after a restart', async () => {
  const { world, call, exhaust } = await start()
  await exhaust()
  assert.equal(await call(LIVE), 200, 'the first request of this process with the key')
  assert.equal(await call(LIVE), 200, 'cached')
  world.nowMs += 60_000
  await exhaust()
  assert.equal(await call(LIVE), 200, 'no longer cached')
})

test('a key that was found once still works from a rate-limited address until it is revoked', async () => {
  const { world, call, exhaust } = await start({ announced: [] })
  assert.equal(await call(LIVE), 200, 'a key whose announcement was lost')
  world.nowMs += 60_000
  await exhaust()
  assert.equal(await call(LIVE), 200, 'known since then')
  world.live.clear()
  world.nowMs += 60_000
  await exhaust()
  assert.equal(await call(LIVE), 429, 'revoked and the address has nothing left')
  const before = world.lookUps
  assert.equal(await call(LIVE), 429)
  assert.equal(world.lookUps, before, 'a revoked key is looked up once')
})

test('concurrent calls with an uncached key share a lookup, but never one that began before a key change', async () => {
  const { world, call, clear } = await start()
  const { promise, resolve } = Promise.withResolvers<void>()
  world.answers = promise
  const callers = async (count: number) => {
    const before = world.calls
    const statuses = Array.from({ length: count }, () => call(LIVE))
    while (world.calls < before + count) await setImmediate()
    return { statuses: Promise.all(statuses) }
  }
  const early = await callers(50)
  assert.equal(world.lookUps, 1)
  world.live.clear()
  clear()
  const late = await callers(10)
  assert.equal(world.lookUps, 2)
  resolve()
  assert.deepEqual(new Set(await early.statuses), new Set([200]))
  assert.deepEqual(new Set(await late.statuses), new Set([401]))
  assert.equal(await call(LIVE), 401, 'an early look-up is not kept')
})

test('a key works only until it expires and only from its allowed addresses', async () => {
  const { world, call } = await start()
  world.limits = { expiresAt: new Date(60_000), addressRanges: ['198.51.100.0/24', '2001:db8::/32'] }
  assert.equal(await call(LIVE), 200)
  assert.equal(await call(LIVE, '::ffff:198.51.100.9'), 200)
  assert.equal(await call(LIVE, '2001:db8:1::1'), 200)
  assert.equal(await call(LIVE, '203.0.113.1'), 403)
  world.nowMs = 60_000
  assert.equal(await call(LIVE), 401)
})

test("a key's last-used day is stored in the background, once a day", async () => {
  const { world, call, close } = await start()
  for (let count = 0; count < 5; count++) assert.equal(await call(LIVE), 200)
  world.nowMs += 86_400_000
  assert.equal(await call(LIVE), 200)
  assert.deepEqual(world.used, [])
  await close()
  assert.deepEqual(world.used, [`${LIVE} 1970-01-02`])
})
