import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../test/support/eventually.ts'
import {
  linkItem,
  openReceiver,
  openSimulator,
  type Received,
  type TestSimulator,
  temporaryFolder,
} from './test-support.ts'

type Delivery = { item_id: string; webhook_code: string; outcome: string; attempts: number; at: string }
type Reply = { settings: { lose: number; reorder: boolean; seed: number }; deliveries: Delivery[] }

/** Links an item whose webhooks go to this test's own receiver, with a function to fire them. */
async function openItem(t: TestContext, simulator: TestSimulator, statuses: number[] = []) {
  const receiver = await openReceiver(t, statuses)
  const { access_token, item_id } = await linkItem(simulator, { webhook: receiver.url })
  const fire = (webhook_code: string) =>
    simulator.call('/sandbox/item/fire_webhook', { access_token, webhook_code, webhook_type: 'ITEM' })
  const nextCodes = async (count: number) => {
    const codes: unknown[] = []
    for (let index = 0; index < count; index++) codes.push((await receiver.next()).content['webhook_code'])
    return codes
  }
  return { item_id, receiver, fire, nextCodes }
}

/** Waits until the deliveries are in the expected state. They settle once the receiver has responded. */
function deliveriesOnce(simulator: TestSimulator, settled: (all: Delivery[]) => boolean): Promise<Delivery[]> {
  return eventually(async () => {
    const { deliveries } = await simulator.ask<Reply>('webhooks')
    return settled(deliveries) && deliveries
  })
}

const noneWaits = (all: Delivery[]) => all.every(({ outcome }) => outcome !== 'waiting')

test('lost webhooks never arrive, and the same seed loses the same webhooks', async (t) => {
  const simulator = await openSimulator(t)
  const { fire } = await openItem(t, simulator)
  const outcomes: string[][] = []
  for (let run = 0; run < 2; run++) {
    await simulator.control('webhooks', { lose: 0.5, seed: 20 })
    for (let index = 0; index < 12; index++) await fire('LOGIN_REPAIRED')
    const deliveries = await deliveriesOnce(simulator, noneWaits)
    outcomes.push(deliveries.slice(-12).map(({ outcome }) => outcome))
  }
  assert.deepEqual(outcomes[0], outcomes[1])
  assert.deepEqual(new Set(outcomes[0]), new Set(['delivered', 'lost']))

  await simulator.control('webhooks', { lose: 1 })
  await fire('LOGIN_REPAIRED')
  const [last] = (await deliveriesOnce(simulator, noneWaits)).slice(-1)
  assert.deepEqual([last?.outcome, last?.attempts], ['lost', 0])
})

test('a duplicated webhook arrives twice', async (t) => {
  const simulator = await openSimulator(t)
  const { fire, nextCodes } = await openItem(t, simulator)
  await simulator.control('webhooks', { double: 1 })
  await fire('LOGIN_REPAIRED')
  await fire('NEW_ACCOUNTS_AVAILABLE')
  assert.deepEqual(await nextCodes(4), [
    ...['LOGIN_REPAIRED', 'LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE', 'NEW_ACCOUNTS_AVAILABLE'],
  ])
})

test('reordering makes the second webhook of a pair arrive first, and an unpaired one still arrives', async (t) => {
  const simulator = await openSimulator(t)
  const { fire, nextCodes } = await openItem(t, simulator)
  await simulator.control('webhooks', { reorder: true })
  await fire('NEW_ACCOUNTS_AVAILABLE')
  await fire('LOGIN_REPAIRED')
  await fire('PENDING_DISCONNECT')
  assert.deepEqual(await nextCodes(3), ['LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE', 'PENDING_DISCONNECT'])
})

test('turning the faults off releases held-back webhooks', async (t) => {
  const simulator = await openSimulator(t)
  const { fire, nextCodes } = await openItem(t, simulator)
  await simulator.control('webhooks', { reorder: true, lose: 0 })
  await fire('LOGIN_REPAIRED')
  const reset = await fetch(`${simulator.url}/_sim/webhooks`, { method: 'DELETE' })
  assert.equal(((await reset.json()) as Reply).settings.reorder, false)
  assert.deepEqual(await nextCodes(1), ['LOGIN_REPAIRED'])
})

test('a delayed webhook is overtaken by later ones', async (t) => {
  const simulator = await openSimulator(t)
  const { fire, nextCodes } = await openItem(t, simulator)
  await simulator.control('webhooks', { delay_ms: 3_600_000 })
  await fire('NEW_ACCOUNTS_AVAILABLE')
  await simulator.control('webhooks', { delay_ms: 1 })
  await fire('LOGIN_REPAIRED')
  assert.deepEqual(await nextCodes(1), ['LOGIN_REPAIRED'])
  const { deliveries } = await simulator.ask<Reply>('webhooks')
  assert.deepEqual([deliveries[0]?.outcome, deliveries[0]?.attempts], ['waiting', 0])
})

/** Applies a receiver's rules for accepting or refusing a webhook. */
async function isGenuine({ call }: TestSimulator, { jwt, raw }: Received): Promise<boolean> {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { alg, kid } = decode(header)
  const { iat, request_body_sha256 } = decode(claims)
  type Jwk = { kty: string; crv: string; x: string; y: string }
  const { status, body } = await call<{ key: Jwk }>('/webhook_verification_key/get', { key_id: kid })
  if (alg !== 'ES256' || status !== 200 || Date.now() / 1000 - Number(iat) > 300) return false
  const key = createPublicKey({ key: body.key, format: 'jwk' })
  const good = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return good && request_body_sha256 === createHash('sha256').update(raw).digest('hex')
}

test('webhooks arrive with various invalid signatures, and then again with a valid one', async (t) => {
  const simulator = await openSimulator(t, { webhookRetryDelaysMs: [] })
  const { fire, receiver } = await openItem(t, simulator)
  await simulator.control('webhooks', { badly_sign: 1, seed: 7 })
  const algorithms = new Set<string>()
  for (let index = 0; index < 20; index++) {
    await fire('LOGIN_REPAIRED')
    const [bad, good] = [await receiver.next(), await receiver.next()]
    assert.equal(bad.raw, good.raw)
    assert.equal(await isGenuine(simulator, bad), false)
    assert.equal(await isGenuine(simulator, good), true)
    algorithms.add(Buffer.from(bad.jwt.split('.')[0] ?? '', 'base64url').toString())
  }
  assert.ok(algorithms.size > 3, 'unknown keys, none, and wrong signatures under the right key')

  await simulator.control('webhooks', { badly_sign: 1, lose: 1 })
  await fire('LOGIN_REPAIRED')
  assert.equal(await isGenuine(simulator, await receiver.next()), false)
  const [last] = (await deliveriesOnce(simulator, noneWaits)).slice(-1)
  assert.deepEqual([last?.outcome, last?.attempts], ['lost', 1])
})

test('a replay resends delivered webhooks with new signatures', async (t) => {
  const simulator = await openSimulator(t, { webhookRetryDelaysMs: [] })
  const one = await openItem(t, simulator)
  const two = await openItem(t, simulator, [500])
  await one.fire('LOGIN_REPAIRED')
  await one.fire('NEW_ACCOUNTS_AVAILABLE')
  await two.fire('LOGIN_REPAIRED')
  const first = [await one.receiver.next(), await one.receiver.next()]
  const settled = await deliveriesOnce(simulator, noneWaits)
  assert.deepEqual(new Set(settled.map(({ outcome }) => outcome)), new Set(['delivered', 'failed']))

  const replay = (wish: object) => simulator.control<{ sent: number }>('webhooks/replay', wish)
  assert.equal((await replay({ item_id: two.item_id })).body.sent, 0)
  assert.equal((await replay({ item_id: one.item_id, count: 1 })).body.sent, 1)
  const again = await one.receiver.next()
  assert.equal(again.raw, first[1]?.raw)
  assert.notEqual(again.jwt, first[1]?.jwt)
  assert.equal((await replay({})).body.sent, 2)
  assert.deepEqual(await one.nextCodes(2), ['LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE'])
})

test('undelivered webhooks survive a restart, but delivered and lost ones are not sent again', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'simulator.json')
  const before = await openSimulator(t, { dataFile, webhookRetryDelaysMs: [3_600_000] })
  const { fire, nextCodes } = await openItem(t, before, [200, 500])
  await fire('PENDING_DISCONNECT')
  await fire('LOGIN_REPAIRED')
  assert.deepEqual(await nextCodes(2), ['PENDING_DISCONNECT', 'LOGIN_REPAIRED'])
  await before.control('webhooks', { lose: 1 })
  await fire('USER_ACCOUNT_REVOKED')
  await before.control('webhooks', { delay_ms: 3_600_000 })
  await fire('NEW_ACCOUNTS_AVAILABLE')
  await deliveriesOnce(before, (all) => all.filter(({ outcome }) => outcome === 'waiting').length === 2)
  await before.close()

  const after = await openSimulator(t, { dataFile })
  assert.deepEqual(await nextCodes(2), ['LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE'])
  const deliveries = await deliveriesOnce(after, noneWaits)
  assert.deepEqual(
    deliveries.map(({ webhook_code, outcome, attempts }) => [webhook_code, outcome, attempts]),
    [
      ['LOGIN_REPAIRED', 'delivered', 1],
      ['NEW_ACCOUNTS_AVAILABLE', 'delivered', 1],
    ],
  )
})
