import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
  type Client,
  createClient,
  depsWith,
  link,
  openWorld,
  readEvents,
  simulatedItems,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { createRateLimiter } from '../../../platform/http/callers/rate-limit.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { publishTerms } from '../../../users/terms/index.ts'
import { acceptTerms, deactivateUser } from '../../../users/users/index.ts'
import { ProviderFault } from '../provider.ts'
import { claimHostedLinks } from '../schedule/run-queries.ts'
import { createHostedLinks } from './hosted-results.ts'
import { createLinkToken } from './link-tokens.ts'
import { unlinkUser } from './unlink.ts'

// A user links on the provider's own page, and no app sends a public token.

const BANK = 'ins_109508'
const MINUTE_MS = 60_000
let world: World
let client: Client

before(async () => {
  world = await openWorld('linker_hosted_links')
  client = await createClient(world)
})
after(() => world.close())

type Made = { readonly link_token: string; readonly link_url: string; readonly expiration: string }

async function hostedLink(user: string, query = '', path = 'link-token'): Promise<Made> {
  const { status, body } = await client('GET', `/linker/${path}/${user}?hosted=true${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Made
}

/** Completes the page as the user. Only the provider learns of it. */
async function finish({ link_token }: Made, username: string): Promise<string> {
  return completeLinkPage(world.simulator.url, link_token, { username, bank: BANK, choose: () => true })
}

async function readCards(user: string): Promise<readonly { readonly error: string | null }[]> {
  const { body } = await client('GET', `/linker/linked-cards/${user}`)
  const [institution] = body['linked_institutions'] as { linked_cards: { error: string | null }[] }[]
  return institution?.linked_cards ?? []
}

async function waiting(): Promise<number> {
  const [row] = await world.db.reader<[{ count: number }]>`select count(*)::integer as count from hosted_links`
  return row.count
}

test('finishing a hosted link links and announces its cards once, without a call from the publisher', async () => {
  const { userId } = await addUser(world, 'ada')
  const made = await hostedLink('ada')
  assert.match(made.link_url, /\/link\?token=link-sandbox-/)
  await work(world)
  assert.deepEqual([await readCards('ada'), await waiting()], [[], 1])
  const public_token = await finish(made, 'ada')
  await until(async () => {
    await work(world)
    return (await readCards('ada')).length > 0
  })
  const cards = await readCards('ada')
  const linked = (await readEvents(world, userId)).filter(({ type }) => type === 'card.linked')
  assert.deepEqual([linked.length, await waiting()], [cards.length, 0])
  // An app that sends the token anyway gets the same answer as for any link.
  const body = { public_token, institution_id: BANK, institution_name: 'Bank' }
  assert.equal((await client('POST', '/linker/public-token/ada', body)).status, 200)
  assert.equal((await readCards('ada')).length, cards.length)
})

test('a link token requested without `hosted` has no page, and no result is awaited', async () => {
  await addUser(world, 'plain')
  const { body } = await client('GET', '/linker/link-token/plain')
  assert.deepEqual([Object.keys(body).sort(), await waiting()], [['expiration', 'link_token'], 0])
  assert.equal((await client('GET', '/linker/link-token/plain?hosted=maybe')).status, 400)
  assert.equal((await client('GET', '/linker/link-token/plain?hosted=true&hosted_lifetime_seconds=5')).status, 400)
})

test('a hosted page is valid for as long as requested, and an expired hosted link is deleted', async () => {
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

test("a repair on the hosted page clears the login's error", async () => {
  await addUser(world, 'fix')
  await link(world, client, 'fix')
  await work(world)
  const item_id = (await simulatedItems(world)).at(-1)?.item_id ?? ''
  await atSimulator(world, `/_sim/items/${item_id}/break`)
  await until(async () => {
    await work(world)
    return (await readCards('fix'))[0]?.error === 'NEED_AUTHENTICATION'
  })
  await finish(await hostedLink('fix', '', `auth-token/${BANK}`), 'fix')
  await until(async () => {
    await work(world)
    return (await readCards('fix'))[0]?.error === null
  })
})

test('if the webhook is lost, the provider is polled within ten minutes, and again if that fails', async () => {
  await addUser(world, 'lost')
  const made = await hostedLink('lost')
  await atSimulator(world, '/_sim/webhooks', { lose: 1 })
  await finish(made, 'lost')
  await waitForWebhooks(world)
  await atSimulator(world, '/_sim/webhooks', {})
  await work(world)
  assert.equal((await readCards('lost')).length, 0)

  world.clock.offsetMs = 10 * MINUTE_MS
  const down = depsWith(world, {})
  const fault = new ProviderFault('unavailable', 'HTTP_503', 'link/token/get', null)
  const failing = { ...down.providers.sandbox.patient, listHostedResults: () => Promise.reject(fault) }
  const sandbox = { ...down.providers.sandbox, patient: failing }
  await workOff(createHostedLinks({ ...down, providers: { ...down.providers, sandbox } }, null))
  assert.equal(await waiting(), 1)

  world.clock.offsetMs += MINUTE_MS
  await work(world)
  assert.deepEqual([(await readCards('lost')).length > 0, await waiting()], [true, 0])
  world.clock.offsetMs = 0
})

test('a finished link is fetched before any links that have merely expired', async () => {
  for (let count = 0; count < 3; count++) {
    const name = `expired-${count}`
    await addUser(world, name)
    await hostedLink(name)
  }
  const { userId } = await addUser(world, 'prompt')
  const made = await hostedLink('prompt')
  await world.db.reader`update hosted_links set due_at = now() - interval '2 days' where user_id <> ${userId}`
  await finish(made, 'prompt')
  await waitForWebhooks(world)
  const now = world.clock.now()
  const capacity = { free: 1, held: new Map<string, number>(), now, leasedUntil: now }
  const [claimed] = await claimHostedLinks(world.db.reader, null, capacity)
  assert.equal(claimed?.userId, userId)
  await work(world)
  await world.db.reader`delete from hosted_links`
})

test('a link that an app completed long ago is not reported as failed, even if it has since been unlinked', async () => {
  const { userId } = await addUser(world, 'brought')
  const made = await hostedLink('brought', '&hosted_lifetime_seconds=604800')
  await atSimulator(world, '/_sim/webhooks', { lose: 1 })
  const public_token = await finish(made, 'brought')
  await atSimulator(world, '/_sim/webhooks', {})
  const body = { public_token, institution_id: BANK, institution_name: 'Bank' }
  assert.equal((await client('POST', '/linker/public-token/brought', body)).status, 200)
  assert.equal((await client('DELETE', `/linker/access-token/brought/${BANK}`)).status, 200)
  await world.db.reader`update hosted_links set due_at = now() where user_id = ${userId}`
  world.clock.offsetMs = 40 * MINUTE_MS
  await work(world)
  world.clock.offsetMs = 0
  assert.equal(await waiting(), 0)
  assert.ok((await readEvents(world, userId)).every(({ type }) => type !== 'link.failed'))
  assert.deepEqual(await readCards('brought'), [])
})

test('if the provider is down when a hosted link ends, retries continue until it drops the result', async () => {
  await addUser(world, 'down')
  await hostedLink('down', '&hosted_lifetime_seconds=604800')
  const fault = new ProviderFault('unavailable', 'HTTP_503', 'link/token/get', null)
  const { sandbox, production } = world.deps.providers
  const down = { ...sandbox, patient: { ...sandbox.patient, listHostedResults: () => Promise.reject(fault) } }
  const deps = { ...world.deps, providers: { sandbox: down, production } }
  for (const [hours, left] of [
    [7 * 24 + 2, 1],
    [7 * 24 + 6.5, 1],
    [7 * 24 + 7.5, 0],
  ] as const) {
    world.clock.offsetMs = hours * 60 * MINUTE_MS
    await workOff(createHostedLinks(deps, null))
    assert.equal(await waiting(), left, `${hours} hours`)
  }
  world.clock.offsetMs = 0
})

test('a result that cannot be linked before the provider drops it is announced as failed', async () => {
  const { userId } = await addUser(world, 'refused')
  const made = await hostedLink('refused')
  await finish(made, 'refused')
  await waitForWebhooks(world)
  const { sandbox, production } = world.deps.providers
  const fault = new ProviderFault('refused', 'INVALID_API_KEYS', 'item/public_token/exchange', null)
  const failing = { ...sandbox, exchangePublicToken: () => Promise.reject(fault) }
  const deps = { ...world.deps, providers: { sandbox: failing, production } }
  const failed = async () => (await readEvents(world, userId)).filter(({ type }) => type === 'link.failed')
  await workOff(createHostedLinks(deps, null))
  assert.deepEqual([await waiting(), await failed()], [1, []])
  const [results] = [await sandbox.patient.listHostedResults(made.link_token)]
  const listed = { ...failing, patient: { ...sandbox.patient, listHostedResults: async () => results } }
  world.clock.offsetMs = 8 * 60 * MINUTE_MS
  await workOff(createHostedLinks({ ...deps, providers: { sandbox: listed, production } }, null))
  world.clock.offsetMs = 0
  assert.equal(await waiting(), 0)
  assert.deepEqual(
    (await failed()).map(({ data }) => data['code']),
    ['linker_failed'],
  )
})

test("linking another user's account on a hosted page fails, and one event reports the reason", async () => {
  await addUser(world, 'first')
  await link(world, client, 'first', 'shared-login')
  const { userId } = await addUser(world, 'second')
  await finish(await hostedLink('second'), 'shared-login')
  await until(async () => {
    await work(world)
    return (await waiting()) === 0
  })
  assert.equal((await readCards('second')).length, 0)
  const events = await readEvents(world, userId)
  assert.ok(events.some(({ type }) => type === 'card.duplicate_detected'))
  const failed = events.filter(({ type }) => type === 'link.failed').map(({ data }) => data)
  const [{ detail, svc_user_id: _id, ...shown } = {}, ...others] = failed
  assert.deepEqual(shown, {
    publisher_user_id: 'second',
    institution_id: BANK,
    institution_name: 'First Platypus Bank',
    code: 'account_already_linked',
  })
  assert.deepEqual([typeof detail, others], ['string', []])
})

test('a webhook that arrives while an expired link is being given up is not lost', async () => {
  const { userId } = await addUser(world, 'late')
  const made = await hostedLink('late')
  world.clock.offsetMs = 91 * MINUTE_MS
  const { sandbox, production } = depsWith(world, {}).providers
  // The user finishes after the provider has answered but before the answer is used.
  const listHostedResults = async () => {
    await world.db.reader`update hosted_links set lease = null, due_at = now() where user_id = ${userId}`
    return []
  }
  const late = { ...sandbox, patient: { ...sandbox.patient, listHostedResults } }
  await workOff(createHostedLinks({ ...world.deps, providers: { sandbox: late, production } }, null))
  world.clock.offsetMs = 0
  assert.equal(await waiting(), 1)
  await finish(made, 'late')
  await until(async () => {
    await work(world)
    return (await readCards('late')).length > 0
  })
})

test("a deactivated user's hosted links end and link nothing", async () => {
  const { userId } = await addUser(world, 'gone')
  const made = await hostedLink('gone')
  const before = await waiting()
  await world.db.transaction(async (tx) => {
    const now = world.clock.now()
    const terms = await publishTerms(tx, { url: 'https://terms.example', revision: '1', requiredFrom: now }, now)
    await acceptTerms(tx, world.publisher, 'gone', terms.documentId, now)
    await deactivateUser(tx, world.publisher, 'gone', now)
    await unlinkUser(tx, world.deps, world.publisher, userId)
  })
  assert.equal(await waiting(), before - 1)
  await finish(made, 'gone-login')
  await waitForWebhooks(world)
  await work(world)
  assert.equal((await readCards('gone')).length, 0)
})

test('a hosted link is refused after one call if the provider has no page for the account', async () => {
  await addUser(world, 'plain-account')
  const made = { linkToken: 'link-sandbox-1', expiration: new Date().toISOString(), linkUrl: null }
  const deps = depsWith(world, { createLinkToken: async () => made })
  const target = { publisherUserId: 'plain-account', institutionId: null }
  const opening = { redirectUri: null, androidPackageName: null, hosted: { lifetimeSeconds: null } }
  const before = await waiting()
  await assert.rejects(createLinkToken(deps, createRateLimiter(), world.publisher, target, opening), {
    code: 'linker_not_configured',
    message: /^Hosted Link is not enabled/,
  })
  assert.equal(await waiting(), before)
})

test('a repeated webhook about a finished link is accepted and does nothing', async () => {
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
