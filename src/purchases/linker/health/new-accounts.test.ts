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
  replay,
  simulatedItems,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { syncPublisher } from '../loops.ts'

// A bank has accounts under a login that the user has not been asked to share. Only a webhook announces them.

const BANK = 'ins_109508'
let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_new_accounts')
  client = await createClient(world)
})
after(() => world.close())

type Institution = {
  readonly new_accounts_available: boolean
  readonly linked_cards: readonly { readonly card_id: string }[]
}

async function linked(name: string) {
  const { userId } = await addUser(world, name)
  assert.equal((await link(world, client, name)).status, 200)
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id ?? ''
  const shown = async () => (await client('GET', `/linker/linked-cards/${name}/${BANK}`)).body as Institution
  const announcements = async () => {
    const events = await readEvents(world, userId)
    return events.filter(({ type }) => type === 'link.new_accounts_available').map(({ data }) => data)
  }
  const comes = (isSo: (institution: Institution) => boolean) =>
    until(async () => {
      await work(world)
      return isSo(await shown())
    })
  return { name, userId, item_id, shown, announcements, comes }
}

/** Completes the link page in update mode, with all accounts chosen. */
async function chosen(name: string): Promise<string> {
  const { body } = await client('GET', `/linker/auth-token/${BANK}/${name}`)
  return completeLinkPage(world.simulator.url, body['link_token'], { username: name, bank: BANK, choose: () => true })
}

test('new accounts are shown until the user has chosen, and are announced only once', async () => {
  const login = await linked('chooser')
  const before = await login.shown()
  assert.equal(before.new_accounts_available, false)
  await atSimulator(world, `/_sim/items/${login.item_id}/open-account`)
  await login.comes((institution) => institution.new_accounts_available)
  await replay(world, login.item_id, 5)
  await syncPublisher(world.deps, world.publisher)
  await work(world)
  const [data, ...more] = await login.announcements()
  assert.deepEqual([data?.['publisher_user_id'], data?.['institution_id'], more.length], ['chooser', BANK, 0])
  assert.deepEqual((await login.shown()).linked_cards, before.linked_cards)
  const body = { public_token: await chosen('chooser'), institution_id: BANK, institution_name: 'Bank' }
  const answer = (await client('POST', '/linker/public-token/chooser', body)).body as Institution
  assert.equal(answer.new_accounts_available, false)
  assert.equal(answer.linked_cards.length, before.linked_cards.length + 1)
  const types = (await readEvents(world, login.userId)).map(({ type }) => type)
  assert(!types.includes('card.updated'), types.join())
  await atSimulator(world, `/_sim/items/${login.item_id}/open-account`, { subtype: 'savings' })
  await login.comes((institution) => institution.new_accounts_available)
  assert.equal((await login.announcements()).length, 2)
})

test('accounts shared in an unannounced repair are no longer offered once they are seen', async () => {
  const login = await linked('quiet')
  const { linked_cards } = await login.shown()
  await atSimulator(world, `/_sim/items/${login.item_id}/open-account`)
  await login.comes((institution) => institution.new_accounts_available)
  await chosen('quiet')
  await syncPublisher(world.deps, world.publisher)
  await login.comes((institution) => institution.linked_cards.length > linked_cards.length)
  assert.equal((await login.shown()).new_accounts_available, false)
  assert.equal((await login.announcements()).length, 1)
})
