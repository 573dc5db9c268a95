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
  readEvents,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { setAccount } from '../accounts/provider-accounts.ts'
import { syncPublisher } from '../loops.ts'

let world: World
let client: Client
const OWN = { clientId: 'own-again', secret: 'own-secret' }

before(async () => {
  world = await openWorld('linker_own_again')
  client = await createClient(world)
  const { deps, publisher, clock } = world
  await world.db.transaction((tx) =>
    setAccount(tx, deps.vault, publisher.id, { ...OWN, by: 'ada', force: false }, clock.now()),
  )
})
after(() => world.close())

/** Calls the provider as the publisher's own application does, under its own account. */
async function asPublisher(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', 'plaid-client-id': OWN.clientId, 'plaid-secret': OWN.secret }
  const answer = await fetch(`${world.simulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const recorded = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 200, JSON.stringify(recorded))
  return recorded
}

async function ownItem(username: string, institution_id = 'ins_109508') {
  const options = { override_username: username, override_password: 'pass_good' }
  const wish = { institution_id, initial_products: ['transactions'], options }
  const { public_token } = await asPublisher('/sandbox/public_token/create', wish)
  const { access_token, item_id } = await asPublisher('/item/public_token/exchange', { public_token })
  return { accessToken: access_token, itemId: item_id }
}

async function handOver(name: string, accessToken: unknown): Promise<void> {
  const answer = await client('POST', '/linker/access-token', {
    publisher_user_id: name,
    institution_id: 'ins_109508',
    institution_name: 'Bank',
    provider_access_token: accessToken,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await work(world)
}

async function recorded(userId: string, count: number): Promise<(string | bigint | null)[][]> {
  await until(async () => {
    await syncPublisher(world.deps, world.publisher)
    await work(world)
    return (await sourceEvents(world, userId)).length >= count
  })
  const events = await sourceEvents(world, userId)
  return events.map(({ kind, originalExternalId, amount }) => [kind, originalExternalId, amount])
}

test('refunds on an item handed over again after unlinking are assigned to its earlier purchases', async () => {
  const { userId } = await addUser(world, 'again')
  const { accessToken, itemId } = await ownItem('again')
  await handOver('again', accessToken)
  const bought = await asPublisher('/_sim/purchases', { item_id: itemId, merchant: 'Kettle', amount: 50 })
  await recorded(userId, 1)
  await client('DELETE', '/linker/access-token/again/ins_109508')
  await handOver('again', accessToken)
  await asPublisher(`/_sim/purchases/${bought['transaction_id']}/refund`, { amount: 20 })
  assert.deepEqual(await recorded(userId, 2), [
    ['CLEARING', null, 5000n],
    ['REFUND', bought['transaction_id'], 2000n],
  ])
})

test('each purchase on an item that moves between users counts for only one of them', async () => {
  const first = await addUser(world, 'first')
  const { accessToken, itemId } = await ownItem('handed_on')
  await handOver('first', accessToken)
  await asPublisher('/_sim/purchases', { item_id: itemId, merchant: 'Kettle', amount: 50 })
  await recorded(first.userId, 1)
  await client('DELETE', '/linker/access-token/first/ins_109508')
  const second = await addUser(world, 'second')
  await handOver('second', accessToken)
  await asPublisher('/_sim/purchases', { item_id: itemId, merchant: 'Kettle', amount: 60 })
  assert.deepEqual(await recorded(second.userId, 1), [['CLEARING', null, 6000n]])
  assert.deepEqual(await recorded(first.userId, 1), [['CLEARING', null, 5000n]])
})

test('a login ended by a new link at the same bank is announced immediately, even if only polled', async () => {
  const bank = 'ins_810013'
  const user = await addUser(world, 'both')
  const { accessToken, itemId } = await ownItem('both', bank)
  const items = async () =>
    (await simulatedItems(world)).filter((item) => item.item_id === itemId).flatMap(({ accounts }) => accounts)
  for (const { account_id } of (await items()).slice(1))
    await atSimulator(world, `/_sim/items/${itemId}/close-account`, { account_id })
  await handOver('both', accessToken)
  const { body } = await client('GET', '/linker/link-token/both')
  const walk = { username: 'both', bank, choose: (index: number) => index > 0, oauth: true }
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], walk)
  const linked = { public_token, institution_id: bank, institution_name: 'Bank' }
  assert.equal((await client('POST', '/linker/public-token/both', linked)).status, 200)
  const asked = async () => {
    const events = await readEvents(world, user.userId)
    return events.filter(({ type }) => type === 'card.reauthentication_required').map(({ data }) => data['error'])
  }
  await until(async () => {
    await work(world)
    return (await asked()).length > 0
  })
  assert.deepEqual(await asked(), ['NEED_AUTHENTICATION'])
})

test('a handed-over login with no accounts yet is not ended by another login at the same bank', async () => {
  await addUser(world, 'unseen')
  const { accessToken, itemId } = await ownItem('unseen')
  await asPublisher(`/_sim/items/${itemId}/break`, {})
  await handOver('unseen', accessToken)
  assert.equal((await link(world, client, 'unseen', 'unseen-other')).status, 200)
  await asPublisher(`/_sim/items/${itemId}/repair`, {})
  const cards = async () => {
    const { body } = await client('GET', '/linker/linked-cards/unseen')
    return (body['linked_institutions'] as { linked_cards: unknown[] }[]).flatMap((one) => one.linked_cards).length
  }
  const before = await cards()
  await handOver('unseen', accessToken)
  await work(world)
  assert.ok((await cards()) > before)
})
