import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
  type Client,
  clientOf,
  depsWith,
  eventsOf,
  link,
  openWorld,
  simulatedItems,
  until,
  type World,
  webhooksSettled,
  work,
} from '../../../test/support/linker-world.ts'
import { workOff } from '../../platform/leased-work.ts'
import { publishTerms } from '../../terms/index.ts'
import { acceptTerms, deactivateUser } from '../../users/index.ts'
import { ProviderFault } from '../provider.ts'
import { createHostedLinks } from './hosted-results.ts'

// A user links on the provider's own page, and nobody brings a public token.

const BANK = 'ins_109508'
const MINUTE_MS = 60_000
let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_hosted_links')
  client = await clientOf(world)
})
after(() => world.close())

type Made = { readonly link_token: string; readonly link_url: string; readonly expiration: string }

async function hostedLink(user: string, query = '', path = 'link-token'): Promise<Made> {
  const { status, body } = await client('GET', `/linker/${path}/${user}?hosted=true${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Made
}

/** The user at the page, which tells nobody but the provider. */
async function finish({ link_token }: Made, username: string): Promise<string> {
  return completeLinkPage(world.simulator.url, link_token, { username, bank: BANK, choose: () => true })
}

async function cardsOf(user: string): Promise<readonly { readonly error: string | null }[]> {
  const { body } = await client('GET', `/linker/linked-cards/${user}`)
  const [institution] = body['linked_institutions'] as { linked_cards: { error: string | null }[] }[]
  return institution?.linked_cards ?? []
}

async function waiting(): Promise<number> {
  const [row] = await world.db.reader<[{ count: number }]>`select count(*)::integer as count from hosted_links`
  return row.count
}

test('a hosted link is linked and announced without a call of the publisher, once', async () => {
  const { userId } = await addUser(world, 'ada')
  const made = await hostedLink('ada')
  assert.match(made.link_url, /\/link\?token=link-sandbox-/)
  await work(world)
  assert.deepEqual([await cardsOf('ada'), await waiting()], [[], 1])
  const public_token = await finish(made, 'ada')
  await until(async () => {
    await work(world)
    return (await cardsOf('ada')).length > 0
  })
  const cards = await cardsOf('ada')
  const linked = (await eventsOf(world, userId)).filter(({ type }) => type === 'card.linked')
  assert.deepEqual([linked.length, await waiting()], [cards.length, 0])
  // An app that brings the token all the same gets the answer of any link.
  const body = { public_token, institution_id: BANK, institution_name: 'Bank' }
  assert.equal((await client('POST', '/linker/public-token/ada', body)).status, 200)
  assert.equal((await cardsOf('ada')).length, cards.length)
})

test('without hosted there is no page, and nothing to wait for', async () => {
  await addUser(world, 'plain')
  const { body } = await client('GET', '/linker/link-token/plain')
  assert.deepEqual([Object.keys(body).sort(), await waiting()], [['expiration', 'link_token'], 0])
  assert.equal((await client('GET', '/linker/link-token/plain?hosted=maybe')).status, 400)
  assert.equal((await client('GET', '/linker/link-token/plain?hosted=true&hosted_lifetime_seconds=5')).status, 400)
})

test('the page is valid as long as requested, and an expired hosted link is deleted', async () => {
  await addUser(world, 'mail')
  const week = 7 * 86_400
  const made = await hostedLink(
    'mail',
    `&hosted_lifetime_seconds=${week}&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fend`,
  )
  const lifeMs = Date.parse(made.expiration) - Date.now()
  assert.ok(Math.abs(lifeMs - week * 1_000) < 5 * MINUTE_MS)
  await work(world)
  assert.equal(await waiting(), 1)
  world.clock.offsetMs += (week + 3_601) * 1_000
  await work(world)
  assert.equal(await waiting(), 0, 'an expired link is forgotten')
  world.clock.offsetMs = 0
})

test('a repair on the hosted page clears the error of the login', async () => {
  await addUser(world, 'fix')
  await link(world, client, 'fix')
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id ?? ''
  await atSimulator(world, `/_sim/items/${item_id}/break`)
  await until(async () => {
    await work(world)
    return (await cardsOf('fix'))[0]?.error === 'NEED_AUTHENTICATION'
  })
  await finish(await hostedLink('fix', '', `auth-token/${BANK}`), 'fix')
  await until(async () => {
    await work(world)
    return (await cardsOf('fix'))[0]?.error === null
  })
})

test('when the webhook is lost the provider is asked, and when that fails it is asked again', async () => {
  await addUser(world, 'lost')
  const made = await hostedLink('lost')
  await atSimulator(world, '/_sim/webhooks', { lose: 1 })
  await finish(made, 'lost')
  await webhooksSettled(world)
  await atSimulator(world, '/_sim/webhooks', {})
  await work(world)
  assert.equal((await cardsOf('lost')).length, 0)

  await world.db.reader`update hosted_links set due_at = now()`
  const down = depsWith(world, {})
  const fault = new ProviderFault('unavailable', 'HTTP_503', 'link/token/get', null)
  const failing = { ...down.providers.sandbox.patient, listHostedResults: () => Promise.reject(fault) }
  const sandbox = { ...down.providers.sandbox, patient: failing }
  await workOff(createHostedLinks({ ...down, providers: { ...down.providers, sandbox } }, null))
  assert.equal(await waiting(), 1)

  world.clock.offsetMs += MINUTE_MS
  await work(world)
  assert.deepEqual([(await cardsOf('lost')).length > 0, await waiting()], [true, 0])
  world.clock.offsetMs = 0
})

test('an account of another user, or a deactivated user, ends a hosted link without linking', async () => {
  await addUser(world, 'first')
  await link(world, client, 'first', 'shared-login')
  const { userId } = await addUser(world, 'second')
  await finish(await hostedLink('second'), 'shared-login')
  await addUser(world, 'gone')
  const made = await hostedLink('gone')
  await world.db.transaction(async (tx) => {
    const now = world.clock.now()
    const terms = await publishTerms(tx, { url: 'https://terms.example', revision: '1', requiredFrom: now }, now)
    await acceptTerms(tx, world.publisher, 'gone', terms.documentId, now)
    await deactivateUser(tx, world.publisher, 'gone', now)
  })
  await finish(made, 'gone-login')
  await until(async () => {
    await work(world)
    return (await waiting()) === 0
  })
  assert.equal((await cardsOf('second')).length, 0)
  const types = (await eventsOf(world, userId)).map(({ type }) => type)
  assert.ok(types.includes('card.duplicate_detected') && !types.includes('card.linked'))
})

test('a webhook that comes again after its link is accepted and does nothing', async () => {
  await addUser(world, 'other')
  const made = await hostedLink('other')
  await finish(made, 'other')
  await until(async () => {
    await work(world)
    return (await waiting()) === 0
  })
  const { sent } = await atSimulator(world, '/_sim/webhooks/replay', { count: 5 })
  assert.ok(Number(sent) > 0)
  await work(world)
  assert.equal(await waiting(), 0)
})
