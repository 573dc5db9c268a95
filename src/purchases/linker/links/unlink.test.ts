import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
  type Client,
  createClient,
  link,
  openWorld,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { newUuid } from '../../../platform/ids.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { removeAccount, setAccount } from '../accounts/provider-accounts.ts'
import { FOREIGN_TOKEN } from '../environments.ts'
import { syncPublisher } from '../loops.ts'
import { isFault } from '../provider.ts'
import { claimRemovals } from '../schedule/run-queries.ts'
import { fingerprintItem, sealToken } from '../sealed-tokens.ts'
import { insertRemovals } from './removal-queries.ts'
import { createRemovals } from './unlink.ts'

let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_unlink')
  client = await createClient(world)
})
after(() => world.close())

const BANK = 'ins_109508'
const OWN = { clientId: 'own-account', secret: 'own-secret' }

async function countRemovals(userId: string): Promise<number> {
  return (await world.db.reader`select 1 from item_removals where user_id = ${userId}`).length
}

/** Calls the provider as the publisher's own application does, under its own account. */
async function asPublisher(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', 'plaid-client-id': OWN.clientId, 'plaid-secret': OWN.secret }
  const answer = await fetch(`${world.simulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const replied = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 200, JSON.stringify(replied))
  return replied
}

async function ownToken(username: string) {
  const wish = { institution_id: BANK, initial_products: ['transactions'], options: { override_username: username } }
  const { public_token } = await asPublisher('/sandbox/public_token/create', wish)
  return asPublisher('/item/public_token/exchange', { public_token })
}

test('another process completes a removal if the first process dies', async () => {
  const user = await addUser(world, 'cut')
  await link(world, client, 'cut')
  const item = (await simulatedItems(world)).at(-1)
  await client('DELETE', `/linker/access-token/cut/${BANK}`)
  const now = world.clock.now()
  const leasedUntil = new Date(now.getTime() + 60_000)
  const claimed = await claimRemovals(world.db.reader, null, { free: 8, held: new Map(), now, leasedUntil })
  assert.equal(claimed.length, 1)
  await work(world)
  assert.equal(await countRemovals(user.userId), 1, 'it is in the hands of the one that died')
  world.clock.offsetMs += 61_000
  await work(world)
  assert.equal(await countRemovals(user.userId), 0)
  assert(!(await simulatedItems(world)).some((one) => one.item_id === item?.item_id))
})

test('an item of the other environment is removed there, and its token is not sent anywhere else', async () => {
  const { userId } = await addUser(world, 'crossed')
  const linkId = newUuid<'link'>()
  const token = 'access-production-00000000-0000-0000-0000-000000000000'
  const sealedToken = sealToken(world.deps.vault, { publisherId: world.publisher.id, userId, linkId }, token)
  const fingerprint = fingerprintItem(world.deps.vault, 'crossed')
  const removal = { userId, linkId, owner: 'service', sealedToken, fingerprint } as const
  await insertRemovals(world.db.reader, world.publisher.id, [removal], world.clock.now())
  const { sandbox } = world.deps.providers
  const removed: string[] = []
  const removeItem = async (accessToken: string) => void removed.push(accessToken)
  const production = { ...sandbox, patient: { ...sandbox.patient, removeItem } }
  const before = world.door.calls.length
  await workOff(createRemovals({ ...world.deps, providers: { sandbox, production } }, world.publisher.id))
  assert.deepEqual([removed, await countRemovals(userId)], [[token], 0])
  await assert.rejects(sandbox.getItem(token), (error) => isFault(error, FOREIGN_TOKEN))
  assert.equal(world.door.calls.length, before)
})

test('an unknown token is retained for a month, in case our keys are wrong, and then dropped', async () => {
  const user = await addUser(world, 'unknown')
  const linkId = newUuid<'link'>()
  const owner = { publisherId: world.publisher.id, userId: user.userId, linkId }
  const sealedToken = sealToken(world.deps.vault, owner, 'access-sandbox-00000000-0000-0000-0000-000000000000')
  const fingerprint = fingerprintItem(world.deps.vault, 'nothing')
  const removal = { userId: user.userId, linkId, owner: 'service', sealedToken, fingerprint } as const
  await insertRemovals(world.db.reader, world.publisher.id, [removal], world.clock.now())
  await work(world)
  assert.equal(await countRemovals(user.userId), 1)
  await world.db.reader`update item_removals set failures = ${30 * 24} where user_id = ${user.userId}`
  world.clock.offsetMs += 61_000
  await work(world)
  assert.equal(await countRemovals(user.userId), 0)
})

test('unlinking keeps earlier purchases, destroys the token and stops reading later purchases', async () => {
  const user = await addUser(world, 'history')
  await link(world, client, 'history')
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id
  const bought = await atSimulator(world, '/_sim/purchases', {
    item_id,
    merchant: 'Blue Kettle',
    amount: 5,
    pending: true,
  })
  await until(async () => {
    await work(world)
    return (await sourceEvents(world, user.userId)).length === 1
  })
  await atSimulator(world, `/_sim/purchases/${bought['transaction_id']}/post`)
  await waitForWebhooks(world)
  await client('DELETE', `/linker/access-token/history/${BANK}`)
  await syncPublisher(world.deps, world.publisher)
  assert.equal((await sourceEvents(world, user.userId)).length, 1)
  const rows = await world.db.reader`select 1 from feed_rows where user_id = ${user.userId}`
  assert.equal(rows.length, 1)
  const tokens = await world.db.reader`select 1 from linker_items where user_id = ${user.userId}`
  assert.equal(tokens.length + (await countRemovals(user.userId)), 0)
})

test("a handed-over token requires the publisher's account; it is checked and polled, and its item is kept", async () => {
  const user = await addUser(world, 'own')
  const { access_token, item_id } = await ownToken('own')
  const body = { publisher_user_id: 'own', institution_id: BANK, institution_name: 'Bank' }
  const give = (token: unknown) => client('POST', '/linker/access-token', { ...body, provider_access_token: token })
  const set = (secret: string) =>
    world.db.transaction((tx) =>
      setAccount(tx, world.deps.vault, world.publisher.id, { ...OWN, secret, by: 'test', force: true }, new Date()),
    )
  const refusals: readonly [secret: string | null, token: unknown, reason: RegExp][] = [
    [null, access_token, /stored none for this publisher/],
    ['wrong', access_token, /client id and secret.*are wrong/],
    [OWN.secret, 'access-sandbox-no', /provider_access_token: it is unknown/],
  ]
  for (const [secret, token, reason] of refusals) {
    await world.db.transaction((tx) => removeAccount(tx, world.publisher.id, { force: true }))
    if (secret !== null) await set(secret)
    const refused = await give(token)
    assert.deepEqual([refused.status, refused.body['code']], [422, 'linker_token_rejected'])
    assert.match(String(refused.body['detail']), reason)
  }
  assert.equal((await give(access_token)).status, 200)
  await work(world)
  await atSimulator(world, '/_sim/purchases', { item_id, merchant: 'Blue Kettle', amount: 5 })
  await waitForWebhooks(world)
  await syncPublisher(world.deps, world.publisher)
  assert.equal((await sourceEvents(world, user.userId)).length, 1)
  assert.equal((await client('DELETE', `/linker/access-token/own/${BANK}`)).status, 200)
  await work(world)
  assert((await simulatedItems(world)).some((one) => one.item_id === item_id))
  assert.equal(await countRemovals(user.userId), 0)
})

test("a login under the publisher's own account is repaired there, with a new choice of accounts", async () => {
  const user = await addUser(world, 'repaired')
  await world.db.transaction((tx) =>
    setAccount(tx, world.deps.vault, world.publisher.id, { ...OWN, by: 'test', force: true }, new Date()),
  )
  const { access_token, item_id } = await ownToken('repaired')
  const body = { institution_id: BANK, institution_name: 'Bank' }
  const own = { ...body, publisher_user_id: 'repaired', provider_access_token: access_token }
  const before = (await client('POST', '/linker/access-token', own)).body['linked_cards'] as object[]
  await atSimulator(world, `/_sim/items/${item_id}/break`)
  const auth = await client('GET', `/linker/auth-token/${BANK}/repaired`)
  assert.equal(auth.status, 200)
  const public_token = await completeLinkPage(world.simulator.url, auth.body['link_token'], {
    username: 'repaired',
    bank: BANK,
    choose: (index) => index > 0,
  })
  const { status, body: linked } = await client('POST', '/linker/public-token/repaired', { ...body, public_token })
  assert.equal(status, 200)
  assert.deepEqual(linked['linked_cards'], before.slice(1), 'the same accounts but one, healthy')
  const links = await world.db.reader<
    { owner: string }[]
  >`select owner from linker_items where user_id = ${user.userId}`
  assert.deepEqual(
    links.map(({ owner }) => owner),
    ['publisher'],
  )
})

test("a login under the publisher's own account that cannot be repaired is relinked there", async () => {
  const user = await addUser(world, 'renewed')
  await world.db.transaction((tx) =>
    setAccount(tx, world.deps.vault, world.publisher.id, { ...OWN, by: 'test', force: true }, new Date()),
  )
  const { access_token, item_id } = await ownToken('renewed')
  const body = { institution_id: BANK, institution_name: 'Bank' }
  const own = { ...body, publisher_user_id: 'renewed', provider_access_token: access_token }
  const before = (await client('POST', '/linker/access-token', own)).body['linked_cards'] as { card_id: string }[]
  await atSimulator(world, `/_sim/items/${item_id}/revoke`)
  const auth = await client('GET', `/linker/auth-token/${BANK}/renewed`)
  assert.equal(auth.status, 200)
  const public_token = await completeLinkPage(world.simulator.url, auth.body['link_token'], {
    username: 'renewed',
    bank: BANK,
    choose: () => true,
  })
  const { status, body: linked } = await client('POST', '/linker/public-token/renewed', { ...body, public_token })
  assert.equal(status, 200)
  const cards = linked['linked_cards'] as { card_id: string; error: unknown }[]
  assert.deepEqual(
    cards.filter(({ error }) => error === null).map(({ card_id }) => card_id),
    before.map(({ card_id }) => card_id),
  )
  const items = await world.db.reader<{ owner: string; generation: number }[]>`
    select owner, generation from linker_items where user_id = ${user.userId}`
  assert.deepEqual([...items], [{ owner: 'publisher', generation: 2 }])
  const [old, renewed] = (await simulatedItems(world)).slice(-2)
  assert.equal(old?.item_id, item_id)
  // Only we have the token of the new item, so it is removed with its link. The old item is the publisher's.
  assert.equal((await client('DELETE', `/linker/access-token/renewed/${BANK}`)).status, 200)
  await work(world)
  const left = (await simulatedItems(world)).map((item) => item.item_id)
  assert.deepEqual([left.includes(String(item_id)), left.includes(renewed?.item_id ?? '')], [true, false])
  assert.equal(await countRemovals(user.userId), 0)
})

test('an item handed over by the publisher is never removed, even if repaired after being unlinked', async () => {
  const user = await addUser(world, 'returning')
  await world.db.transaction((tx) =>
    setAccount(tx, world.deps.vault, world.publisher.id, { ...OWN, by: 'test', force: true }, new Date()),
  )
  const { access_token, item_id } = await ownToken('returning')
  const body = { institution_id: BANK, institution_name: 'Bank' }
  const own = { ...body, publisher_user_id: 'returning', provider_access_token: access_token }
  assert.equal((await client('POST', '/linker/access-token', own)).status, 200)
  const auth = await client('GET', `/linker/auth-token/${BANK}/returning`)
  assert.equal((await client('DELETE', `/linker/access-token/returning/${BANK}`)).status, 200)
  const public_token = await completeLinkPage(world.simulator.url, auth.body['link_token'], {
    username: 'returning',
    bank: BANK,
    choose: () => true,
  })
  assert.equal((await client('POST', '/linker/public-token/returning', { ...body, public_token })).status, 200)
  assert.equal((await client('DELETE', `/linker/access-token/returning/${BANK}`)).status, 200)
  world.clock.offsetMs += 16 * 60_000
  await work(world)
  assert((await simulatedItems(world)).some((item) => item.item_id === item_id))
  assert.equal(await countRemovals(user.userId), 0)
})
