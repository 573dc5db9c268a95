import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  type Answer,
  addUser,
  atSimulator,
  type Client,
  createClient,
  link,
  openWorld,
  publicToken,
  readEvents,
  simulatedItems,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { createPublisher } from '../../../tenants/publishers/index.ts'
import { linkPublicToken } from './link.ts'

/**
 * Links that failed after their public token was exchanged. Repeating the call continues with the item we already have.
 */

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_link_again')
  client = await createClient(world)
})
after(() => world.close())

const BANK = 'ins_109508'

async function bodyFor(name: string) {
  return { public_token: await publicToken(world, name), institution_id: BANK, institution_name: 'Bank' }
}

/** Links a login while a call after the exchange fails. Returns the request to repeat. */
async function failing(name: string, fault: object, key?: string) {
  const user = await addUser(world, name)
  const body = await bodyFor(name)
  const { fault_id } = await atSimulator(world, '/_sim/faults', fault)
  const failed = await client('POST', `/linker/public-token/${name}`, body, key)
  await fetch(`${world.simulator.url}/_sim/faults/${fault_id}`, { method: 'DELETE' })
  assert.equal(failed.status, 503, JSON.stringify(failed.body))
  return { user, body, repeat: (as = client) => as('POST', `/linker/public-token/${name}`, body, key) }
}

/** Retries while the circuit breaker is open, which it is for a moment after many failures. */
async function whenAvailable(call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call()
  await until(async () => {
    if (answer.status === 503) answer = await call()
    return answer.status !== 503
  })
  return answer
}

async function countRemovals(userId: string): Promise<number> {
  return (await world.db.reader`select 1 from item_removals where user_id = ${userId}`).length
}

async function countLinked(userId: string): Promise<number> {
  return (await readEvents(world, userId)).filter(({ type }) => type === 'card.linked').length
}

for (const path of ['/item/get', '/accounts/get']) {
  for (const key of [undefined, 'one key']) {
    const called = `${path.replaceAll('/', '-').slice(1)}-${key === undefined ? 'plain' : 'keyed'}`
    test(`a repeated call links after ${path} failed${key === undefined ? '' : ', with its Idempotency-Key'}`, async () => {
      const idempotencyKey = key === undefined ? undefined : `${key} ${path}`
      const { user, repeat } = await failing(called, { kind: 'server_error', path, times: 0 }, idempotencyKey)
      const items = (await simulatedItems(world)).length
      const linked = await whenAvailable(() => repeat())
      assert.equal(linked.status, 200, JSON.stringify(linked.body))
      assert.deepEqual(await repeat(), linked)
      assert.equal(await countRemovals(user.userId), 0)
      world.clock.offsetMs += 16 * 60_000
      await work(world)
      assert.equal((await simulatedItems(world)).length, items, 'no other item was made, and this one stays')
    })
  }
}

test('a momentary rate limit does not make a link fail', async () => {
  for (const path of ['/item/get', '/accounts/get']) {
    await addUser(world, `limited${path}`)
    await atSimulator(world, '/_sim/faults', { kind: 'rate_limited', path, times: 2 })
    const body = await bodyFor(`limited${path}`)
    const answer = await client('POST', `/linker/public-token/${encodeURIComponent(`limited${path}`)}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
})

test('repeating a repair that failed after the exchange also resumes where it left off', async () => {
  await addUser(world, 'repairing')
  const before = await link(world, client, 'repairing')
  const item = (await simulatedItems(world)).at(-1)
  await atSimulator(world, `/_sim/items/${item?.item_id}/break`)
  const { body } = await client('GET', `/linker/auth-token/${BANK}/repairing`)
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], {
    username: 'repairing',
    bank: BANK,
    choose: () => true,
  })
  const repaired = { public_token, institution_id: BANK, institution_name: 'Bank' }
  world.door.shutFor = '/item/get'
  assert.equal((await client('POST', '/linker/public-token/repairing', repaired)).status, 503)
  world.door.shutFor = null
  const again = await whenAvailable(() => client('POST', '/linker/public-token/repairing', repaired))
  assert.deepEqual([again.status, again.body['linked_cards']], [200, before.body['linked_cards']])
})

test('no other user or publisher can use the exchanged token from a failed call', async () => {
  const { user, body, repeat } = await failing('owner', { kind: 'rate_limited', path: '/item/get', retry_after: 60 })
  const other = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Two', environment: 'sandbox' }, world.clock.now()),
  )
  await addUser(world, 'thief')
  await addUser(world, 'owner', other)
  const stranger = await createClient(world, other)
  const tries = [await client('POST', '/linker/public-token/thief', body), await repeat(stranger)]
  for (const { status, body: refusal } of tries)
    assert.deepEqual([status, refusal['code']], [422, 'linker_token_rejected'])
  const linked = await repeat()
  assert.equal(linked.status, 200)
  assert.equal(await countLinked(user.userId), (linked.body['linked_cards'] as unknown[]).length)
})

test('an item removed before the call is repeated stays removed, and the response says so', async () => {
  const { user, repeat } = await failing('too-late', { kind: 'rate_limited', path: '/item/get', retry_after: 60 })
  const items = (await simulatedItems(world)).length
  world.clock.offsetMs += 16 * 60_000
  await work(world)
  assert.equal((await simulatedItems(world)).length, items - 1)
  const { status, body } = await repeat()
  assert.deepEqual([status, body['code']], [422, 'linker_token_rejected'])
  assert.match(String(body['detail']), /has since been removed\. Let the user link again/)
  assert.equal(await countLinked(user.userId), 0)
})

test("each attempt postpones the item's removal again", async () => {
  const { repeat } = await failing('patient', { kind: 'rate_limited', path: '/item/get', retry_after: 60 })
  world.clock.offsetMs += 10 * 60_000
  world.door.shutFor = '/accounts/get'
  assert.equal((await repeat()).status, 503)
  world.door.shutFor = null
  world.clock.offsetMs += 10 * 60_000
  await work(world)
  assert.equal((await whenAvailable(() => repeat())).status, 200)
})

test('of concurrent retries in several processes, one links and all get the same response', async (t) => {
  const { user, body, repeat } = await failing('racing', { kind: 'rate_limited', path: '/item/get', retry_after: 60 })
  const elsewhere = { ...world.deps, db: openDatabase(world.db.url) }
  t.after(() => elsewhere.db.close())
  const request = {
    publisherUserId: 'racing',
    publicToken: body.public_token,
    institution: { id: BANK, name: 'Bank' },
  }
  const answers = await Promise.all([
    repeat().then(({ status }) => status),
    linkPublicToken(elsewhere, world.publisher, request, async () => 200),
    repeat().then(({ status }) => status),
    linkPublicToken(elsewhere, world.publisher, request, async () => 200),
  ])
  assert.deepEqual(answers, [200, 200, 200, 200])
  const { body: shown } = await repeat()
  assert.equal(await countLinked(user.userId), (shown['linked_cards'] as unknown[]).length)
  const items = await world.db.reader`select 1 from linker_items where user_id = ${user.userId}`
  assert.deepEqual([items.length, await countRemovals(user.userId)], [1, 0])
})

test('the next request takes over the item of a process that died after the exchange', async () => {
  const { user, repeat } = await failing('killed', { kind: 'rate_limited', path: '/item/get', retry_after: 60 })
  await world.db.reader`update public_tokens set is_free = false where user_id = ${user.userId}`
  world.clock.offsetMs += 3 * 60_000
  assert.equal((await repeat()).status, 200)
})
