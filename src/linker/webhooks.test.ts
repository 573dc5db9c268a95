import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  addUser,
  clientOf,
  link,
  openWorld,
  simulatedItems,
  until,
  type World,
  work,
} from '../../test/support/linker-world.ts'
import { isGenuine } from './webhooks.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string; y: string }
const BODY = Buffer.from('{\n  "webhook_type": "ITEM"\n}')

type Forgery = { alg?: string; kid?: string; ageS?: number; body?: Buffer; key?: KeyObject; claims?: object }

function signatureOf({ alg = 'ES256', kid = 'key-1', ageS = 0, body = BODY, key = privateKey, claims }: Forgery = {}) {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const hash = createHash('sha256').update(body).digest('hex')
  const told = claims ?? { iat: NOW.getTime() / 1000 - ageS, request_body_sha256: hash }
  const signed = `${encode({ alg, kid, typ: 'JWT' })}.${encode(told)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

test('only what the provider signed over these very bytes, and lately, is genuine', async () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const cases: readonly [what: string, genuine: boolean, signature: string, body?: Buffer][] = [
    ['as the provider sends it', true, signatureOf()],
    ['four minutes old', true, signatureOf({ ageS: 240 })],
    ['older than five minutes', false, signatureOf({ ageS: 301 })],
    ['from the future', false, signatureOf({ ageS: -60 })],
    ['over another body', false, signatureOf({ body: Buffer.from('{}') })],
    ['over the same content written otherwise', false, signatureOf(), Buffer.from('{"webhook_type":"ITEM"}')],
    ['by another key', false, signatureOf({ key: other })],
    ['by a key that is not known', false, signatureOf({ kid: 'key-2' })],
    ['by an expired key', false, signatureOf({ kid: 'expired' })],
    ['with a key name that is none', false, signatureOf({ kid: '../key-1' })],
    ['without an algorithm', false, signatureOf({ alg: 'none' })],
    ['with a symmetric algorithm', false, signatureOf({ alg: 'HS256' })],
    ['without claims', false, signatureOf({ claims: {} })],
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

test('an unsigned webhook is refused, and unknown keys do not make us call the provider at will', async () => {
  assert.equal((await post({}, '{}')).status, 401)
  assert.equal((await post({ 'plaid-verification': 'a.b.c' }, '{}')).body['code'], 'webhook_unverified')
  world.door.calls.length = 0
  const statuses = new Set<number>()
  for (let count = 0; count < 30; count++)
    statuses.add((await post({ 'plaid-verification': signatureOf({ kid: `unknown-${count}` }) }, '{}')).status)
  assert.deepEqual(statuses, new Set([401, 503]))
  assert(world.door.calls.length <= 12)
  world.clock.offsetMs += 60_000
})

test('a body that is too large is refused', async () => {
  assert.equal((await post({}, 'x'.repeat(70_000))).status, 413)
})

test('the webhooks of the provider are believed: a login that broke is asked about and shown as broken', async () => {
  const client = await clientOf(world)
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
