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
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { syncPublisher } from '../loops.ts'

/** Accounts of a login that are closed or no longer shared. */

const BANK = 'ins_109508'
let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_closed')
  client = await createClient(world)
})
after(() => world.close())

type Institution = {
  readonly institution_id: string
  readonly new_accounts_available: boolean
  readonly linked_cards: readonly { readonly card_id: string; readonly account_id: string }[]
}

async function linked(name: string) {
  const { userId } = await addUser(world, name)
  assert.equal((await link(world, client, name)).status, 200)
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id
  const shown = async () =>
    (await client('GET', `/linker/linked-cards/${name}`)).body['linked_institutions'] as Institution[]
  const [first] = await shown()
  const closeAll = async () => {
    for (const { account_id } of first?.linked_cards ?? [])
      await atSimulator(world, `/_sim/items/${item_id}/close-account`, { account_id })
  }
  const comes = (isSo: (institutions: readonly Institution[]) => boolean) =>
    until(async () => {
      await work(world)
      return isSo(await shown())
    })
  return { name, userId, item_id, cards: first?.linked_cards ?? [], closeAll, comes, shown }
}

test('a login whose accounts have all closed is unlinked, removed at the provider, and can be linked again', async () => {
  const login = await linked('closing')
  await login.closeAll()
  await login.comes((institutions) => institutions.length === 0)
  await until(async () => {
    await work(world)
    return !(await simulatedItems(world)).some((item) => item.item_id === login.item_id)
  })
  const types = (await readEvents(world, login.userId)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'card.unlinked').length, login.cards.length)
  for (const table of ['linker_items', 'item_removals'])
    assert.equal(
      (await world.db.reader`select 1 from ${world.db.reader(table)} where user_id = ${login.userId}`).length,
      0,
    )
  const repair = await client('GET', `/linker/auth-token/${BANK}/closing`)
  assert.deepEqual([repair.status, repair.body['code']], [404, 'link_not_found'])
  assert.equal((await link(world, client, 'closing')).status, 200)
})

test('a login without accounts stays linked while the user can share another account', async () => {
  const login = await linked('reissued')
  await atSimulator(world, `/_sim/items/${login.item_id}/open-account`)
  await login.comes(([first]) => first?.new_accounts_available === true)
  await login.closeAll()
  await login.comes(([first]) => first?.linked_cards.length === 0)
  assert.deepEqual(
    (await login.shown()).map((one) => [one.institution_id, one.new_accounts_available]),
    [[BANK, true]],
  )
  const { body } = await client('GET', `/linker/auth-token/${BANK}/reissued`)
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], {
    username: 'reissued',
    bank: BANK,
    choose: () => true,
  })
  const answer = await client('POST', '/linker/public-token/reissued', {
    public_token,
    institution_id: BANK,
    institution_name: 'Bank',
  })
  assert.deepEqual([answer.status, (answer.body['linked_cards'] as unknown[]).length], [200, 1])
  await work(world)
  assert.equal((await login.shown())[0]?.linked_cards.length, 1)
})

test('an account with revoked consent stays unlinked until shared again, even if the provider lists it', async () => {
  const login = await linked('revoking')
  const [revoked] = login.cards
  await atSimulator(world, `/_sim/items/${login.item_id}/close-account`, {
    account_id: revoked?.account_id,
    still_listed: true,
  })
  await login.comes(([first]) => first?.linked_cards.length === login.cards.length - 1)
  await atSimulator(world, '/_sim/purchases', { item_id: login.item_id, merchant: 'Blue Kettle', amount: 5 })
  await syncPublisher(world.deps, world.publisher)
  await work(world)
  const cardIds = async () => (await login.shown()).flatMap((one) => one.linked_cards.map(({ card_id }) => card_id))
  assert.deepEqual(
    await cardIds(),
    login.cards.slice(1).map(({ card_id }) => card_id),
  )
  const unlinked = (await readEvents(world, login.userId)).filter(({ type }) => type === 'card.unlinked')
  assert.deepEqual(
    unlinked.map(({ data }) => data['card_id']),
    [revoked?.card_id],
  )
  const { body } = await client('GET', `/linker/auth-token/${BANK}/revoking`)
  const again = await completeLinkPage(world.simulator.url, body['link_token'], {
    username: 'revoking',
    bank: BANK,
    choose: () => true,
  })
  const institution = { institution_id: BANK, institution_name: 'Bank' }
  await client('POST', '/linker/public-token/revoking', { public_token: again, ...institution })
  await work(world)
  assert.equal((await cardIds()).length, login.cards.length)
})
