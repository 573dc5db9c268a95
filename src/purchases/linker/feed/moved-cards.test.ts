import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFeedWorld } from '../../../../test/support/feed-world.ts'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import { atSimulator, simulatedItems, waitForWebhooks, work } from '../../../../test/support/linker-world.ts'
import { expireHolds } from './expiry.ts'

// A card moves to another login of the same user, and everything bought with it counts once.

const { world, client, registered, buy, read, shows, later, differences } = await openFeedWorld('feed_moved_cards')
after(() => world.close())

const BANK = 'ins_109508'

/** Completes the link page as the user, sharing the chosen accounts. */
async function share(name: string, path: string, choose: (index: number) => boolean): Promise<string> {
  const { body } = await client('GET', path)
  return completeLinkPage(world.simulator.url, body['link_token'], { username: name, bank: BANK, choose })
}

async function sendToken(name: string, public_token: string): Promise<string> {
  const sent = { public_token, institution_id: BANK, institution_name: 'Bank' }
  const { status, body } = await client('POST', `/linker/public-token/${name}`, sent)
  assert.equal(status, 200, JSON.stringify(body))
  await waitForWebhooks(world)
  await work(world)
  return (await simulatedItems(world)).at(-1)?.item_id ?? ''
}

/** Links two logins of one user at one bank, each with one of the accounts. */
async function twoLogins(name: string) {
  const userId = await registered(name)
  const path = `/linker/link-token/${name}`
  const older = await sendToken(name, await share(name, path, (index) => index === 0))
  const newer = await sendToken(name, await share(name, path, (index) => index === 1))
  return { userId, older, newer }
}

test('purchases made before a card moved to a new login count once', async () => {
  const { userId, older, newer } = await twoLogins('anew')
  await buy(older, { amount: 20 })
  await buy(newer, { amount: 30, pending: true })
  await read(userId, shows(userId, 'PENDING 2000', 'PENDING 3000'))
  const last = await sendToken('anew', await share('anew', '/linker/link-token/anew', () => true))
  assert.equal((await simulatedItems(world)).filter(({ item_id }) => [older, newer].includes(item_id)).length, 0)
  await buy(last, { amount: 40 })
  await read(userId, shows(userId, 'PENDING 2000', 'PENDING 3000', 'PENDING 4000'))
  assert.deepEqual(await differences(), [])
})

test('a purchase reported by two logins of one account counts once, before and after the card moves', async () => {
  const { userId, older, newer } = await twoLogins('twice')
  // After a repair, the newer login also shows the older one's account.
  await sendToken('twice', await share('twice', `/linker/auth-token/${BANK}/twice`, () => true))
  const logins = (await simulatedItems(world)).filter(({ item_id }) => [older, newer].includes(item_id))
  const shared = logins.flatMap(({ accounts }) => accounts.filter(({ type }) => type === 'credit'))
  assert.equal(shared.length, 2)
  for (const { account_id } of shared) await buy('', { item_id: undefined, account_id, amount: 60 })
  await read(userId, shows(userId, 'PENDING 6000', 'CANCELLED 6000'))
  await sendToken('twice', await share('twice', '/linker/link-token/twice', () => true))
  await read(userId, shows(userId, 'PENDING 6000', 'CANCELLED 6000'))
  assert.deepEqual(await differences(), [])
})

test('every older login that shares an account with the new one ends, even if it has other accounts', async () => {
  const userId = await registered('partly')
  const path = '/linker/link-token/partly'
  const older = [
    await sendToken('partly', await share('partly', path, (index) => index === 0)),
    await sendToken('partly', await share('partly', path, (index) => index === 1 || index === 2)),
  ]
  // The bank now has an account under the second login that the user was never asked to share.
  await atSimulator(world, `/_sim/items/${older[1]}/open-account`)
  await waitForWebhooks(world)
  await work(world)
  const last = await sendToken('partly', await share('partly', path, (index) => index < 2))
  const left = (await simulatedItems(world)).filter(({ item_id }) => older.includes(item_id))
  assert.deepEqual(left, [], 'rows that a login still reports after the new one would count twice')
  await buy(last, { amount: 60 })
  await read(userId, shows(userId, 'PENDING 6000'))
  const { body } = await client('GET', '/linker/linked-cards/partly')
  const shown = body['linked_institutions'] as { linked_cards: { error: string | null }[] }[]
  assert.deepEqual(
    shown.map(({ linked_cards }) => linked_cards.map(({ error }) => error)),
    [[null, null]],
  )
})

test('without masks, a new login replaces a matching broken login, not a working look-alike', async () => {
  const bank = 'ins_810006'
  const userId = await registered('alike')
  const signIn = async (username: string, choose: (index: number) => boolean) => {
    const { body } = await client('GET', '/linker/link-token/alike')
    return sendToken(
      'alike',
      await completeLinkPage(world.simulator.url, body['link_token'], { username, bank, choose }),
    )
  }
  const [theirs, own] = [await signIn('alike-spouse', () => true), await signIn('alike-own', () => true)]
  const readFirstAccount = async (item: string) =>
    (await simulatedItems(world)).find(({ item_id }) => item_id === item)?.accounts[0]?.account_id
  await buy('', { item_id: undefined, account_id: await readFirstAccount(theirs), amount: 20 })
  await buy('', { item_id: undefined, account_id: await readFirstAccount(own), amount: 50 })
  await read(userId, shows(userId, 'PENDING 2000', 'PENDING 5000'))
  await atSimulator(world, `/_sim/items/${own}/break`)
  await waitForWebhooks(world)
  await work(world)
  await signIn('alike-own', (index) => index === 0)
  assert.ok((await simulatedItems(world)).some(({ item_id }) => item_id === theirs))
  await expireHolds(later(5), null)
  await read(userId, shows(userId, 'PENDING 2000', 'PENDING 5000'))
  assert.deepEqual(await differences(), [])
})
