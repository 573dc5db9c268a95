import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  type Client,
  createClient,
  link,
  openWorld,
  publicToken,
  readEvents,
  type World,
} from '../../../test/support/linker-world.ts'
import { allowAndroidPackage, allowRedirectUri, createPublisher } from '../../tenants/publishers/index.ts'
import { publishTerms } from '../../users/terms/index.ts'
import { acceptTerms, deactivateUser } from '../../users/users/index.ts'

let world: World
let client: Client
let stranger: Client

before(async () => {
  world = await openWorld('linker_routes')
  client = await createClient(world)
  const other = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Two', environment: 'sandbox' }, world.clock.now()),
  )
  stranger = await createClient(world, other)
  await addUser(world, 'ada')
  await world.db.transaction(async (tx) => {
    await allowRedirectUri(tx, world.publisher.id, 'https://*.shop.example/back', world.clock.now())
    await allowAndroidPackage(tx, world.publisher.id, 'com.example.shop', world.clock.now())
  })
})
after(() => world.close())

function getFields(body: Readonly<Record<string, unknown>>): string[] {
  return (body['errors'] as { field: string }[]).map((error) => error.field)
}

test('a link token is returned with its expiration and, if requested, with a link page', async () => {
  const { status, body } = await client('GET', '/linker/link-token/ada?hosted=true')
  assert.equal(status, 200)
  assert.match(String(body['link_token']), /^link-sandbox-/)
  assert(Date.parse(String(body['expiration'])) > Date.now())
  const page = await fetch(String(body['link_url']).replace(world.door.url, world.simulator.url))
  assert.equal(page.status, 200)
})

test('a publisher without a provider is refused without details, and the log lists the missing settings', async () => {
  const live = await world.db.transaction((tx) =>
    createPublisher(tx, { name: 'Live', environment: 'production' }, world.clock.now()),
  )
  await addUser(world, 'first', live)
  const before = world.door.calls.length
  const { status, body } = await (await createClient(world, live))('GET', '/linker/link-token/first')
  assert.deepEqual([status, body['code']], [503, 'linker_not_configured'])
  assert.doesNotMatch(JSON.stringify(body), /LAUREL_|plaid/i)
  assert(
    world.logged.some((line) => line.includes('cannot link cards') && line.includes('LAUREL_PLAID_ENV=production')),
  )
  assert.equal(world.door.calls.length, before, 'the sandbox is not asked instead')
})

test('a link token may return the user only to an allowed address or application', async () => {
  await addUser(world, 'return')
  const cases: readonly [query: string, status: number, field: string | null][] = [
    ['redirect_uri=https%3A%2F%2Fa.b.shop.example%2Fback', 200, null],
    ['redirect_uri=&android_package_name=com.example.shop', 200, null],
    ['redirect_uri=http%3A%2F%2Fa.shop.example%2Fback', 400, 'redirect_uri'],
    // A sandbox may return to the developer's own machine without an allowlist entry.
    ['redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fback', 200, null],
    ['redirect_uri=http%3A%2F%2Flocalhost%3A3000%40evil.example%2F', 400, 'redirect_uri'],
    ['redirect_uri=https%3A%2F%2Fa.shop.example%2Fback%3Fx%3D1', 400, 'redirect_uri'],
    ['redirect_uri=https%3A%2F%2F*.shop.example%2Fback', 400, 'redirect_uri'],
    ['redirect_uri=https%3A%2F%2Fevil.example%2Fback', 400, 'redirect_uri'],
    ['android_package_name=com.example.other', 400, 'android_package_name'],
    ['redirect_uri=https%3A%2F%2Fa.shop.example%2Fback&android_package_name=com.example.shop', 400, 'redirect_uri'],
    ['colour=red', 400, 'colour'],
  ]
  for (const [query, status, field] of cases) {
    const answer = await client('GET', `/linker/link-token/return?${query}`)
    assert.equal(answer.status, status, query)
    if (field !== null) assert.deepEqual(getFields(answer.body), [field], query)
  }
})

test('a user can create five link tokens in a burst, then one per second', async () => {
  await addUser(world, 'eager')
  // Time stands still, because a slow machine may take longer than a second to create six of them.
  const { now } = world.clock
  let at = now()
  world.clock.now = () => at
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) statuses.push((await client('GET', '/linker/link-token/eager')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  at = new Date(at.getTime() + 2_000)
  assert.equal((await client('GET', '/linker/link-token/eager')).status, 200)
  world.clock.now = now
})

test('linking returns the institution with its cards, and listing returns them afterward', async () => {
  const user = await addUser(world, 'grace')
  assert.deepEqual((await client('GET', '/linker/linked-cards/grace')).body, { linked_institutions: [] })
  assert.equal((await client('GET', '/linker/linked-cards/grace/ins_109508')).status, 404)
  const { status, body } = await link(world, client, 'grace')
  assert.equal(status, 200)
  assert.equal(body['institution_name'], 'First Platypus Bank')
  assert.match(String(body['color']), /^#/)
  const cards = body['linked_cards'] as Record<string, unknown>[]
  assert(cards.length >= 2)
  for (const card of cards) {
    const members = ['card_id', 'account_id', 'name', 'mask', 'error', 'reauthentication_deadline']
    assert.deepEqual(Object.keys(card), members)
    assert.equal(card['error'], null)
  }
  const announced = (await readEvents(world, user.userId)).filter(({ type }) => type === 'card.linked')
  assert.deepEqual(new Set(cards.map((card) => card['card_id'])), new Set(announced.map(({ data }) => data['card_id'])))
  assert.deepEqual((await client('GET', '/linker/linked-cards/grace')).body, { linked_institutions: [body] })
  assert.deepEqual((await client('GET', '/linker/linked-cards/grace/ins_109508')).body, body)
})

test('the logo has its own public URL and is cached for a long time', async () => {
  await addUser(world, 'logo')
  const { body } = await link(world, client, 'logo')
  const answer = await fetch(String(body['logo_url']))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const unnamed = await fetch(String(body['logo_url']).replace(/v=.*/, 'v=another'))
  assert.equal(unnamed.headers.get('cache-control'), 'public, max-age=86400')
  assert.equal(Buffer.from(await answer.arrayBuffer()).toString('base64'), body['logo'])
  assert.equal((await fetch(`${world.deps.baseUrl}/institutions/ins_nowhere/logo`)).status, 404)
})

test('logo requests are rate-limited by address', async () => {
  const logo = async () => (await fetch(`${world.deps.baseUrl}/institutions/ins_nowhere/logo`)).status
  const statuses = new Set<number>()
  for (let count = 0; count < 5_000 && !statuses.has(429); count++) statuses.add(await logo())
  assert.deepEqual([...statuses], [404, 429])
})

test('the provider, not the client, determines the institution', async () => {
  await addUser(world, 'liar')
  const body = {
    public_token: await publicToken(world, 'liar'),
    institution_id: 'ins_810001',
    institution_name: 'Mine',
  }
  const answer = await client('POST', '/linker/public-token/liar', body)
  assert.equal(answer.body['institution_id'], 'ins_109508')
  assert.equal(answer.body['institution_name'], 'First Platypus Bank')
  assert.match(world.logged.join(''), /"named":"ins_810001","institution_id":"ins_109508"/)
})

test('a public token that the provider rejects, or that another user has used, returns 422', async () => {
  await addUser(world, 'used')
  await addUser(world, 'late')
  const body = { public_token: 'public-sandbox-nonsense', institution_id: 'ins_109508', institution_name: 'Bank' }
  const refused = await client('POST', '/linker/public-token/used', body)
  assert.equal(refused.status, 422)
  assert.equal(refused.body['code'], 'linker_token_rejected')
  assert.match(String(refused.body['detail']), /public_token: it is unknown, expired, already used/)
  const good = { ...body, public_token: await publicToken(world, 'used') }
  assert.equal((await client('POST', '/linker/public-token/used', good)).status, 200)
  const late = await client('POST', '/linker/public-token/late', good)
  assert.deepEqual([late.status, late.body['code']], [422, 'linker_token_rejected'])
})

test('a public token sent repeatedly, even concurrently, links once and gets the same response each time', async () => {
  const user = await addUser(world, 'double')
  const body = { public_token: await publicToken(world, 'double'), institution_id: 'ins_109508', institution_name: 'B' }
  const twins = await Promise.all([0, 1, 2].map(() => client('POST', '/linker/public-token/double', body)))
  const again = await client('POST', '/linker/public-token/double', body)
  assert.equal(again.status, 200)
  for (const twin of twins) assert.deepEqual(twin, again)
  const linked = await readEvents(world, user.userId)
  assert.equal(linked.length, 1 + (again.body['linked_cards'] as unknown[]).length)
  assert.equal((await client('DELETE', '/linker/access-token/double/ins_109508')).status, 200)
  assert.equal((await client('POST', '/linker/public-token/double', body)).status, 422)
})

test('an abandoned public token is soon released, and outcomes are retained for as long as hosted links', async () => {
  const user = await addUser(world, 'cut')
  const public_token = await publicToken(world, 'cut')
  const hash = world.deps.vault.fingerprint(public_token, 'public_tokens')
  const brought = new Date(world.clock.now().getTime() - 3 * 60_000)
  await world.db.reader`
    insert into public_tokens (user_id, token_hash, publisher_id, brought_at)
    values (${user.userId}, ${hash}, ${world.publisher.id}, ${brought})`
  const body = { public_token, institution_id: 'ins_109508', institution_name: 'Bank' }
  assert.equal((await client('POST', '/linker/public-token/cut', body)).status, 200)
  for (const [days, left] of [
    [21.9, 1],
    [22.1, 0],
  ] as const) {
    world.clock.offsetMs = days * 86_400_000
    const name = `sweeper-${left}`
    await addUser(world, name)
    assert.equal((await link(world, client, name)).status, 200)
    const rows = await world.db.reader`select 1 from public_tokens where user_id = ${user.userId}`
    assert.equal(rows.length, left)
  }
  world.clock.offsetMs = 0
})

test('a retry with the same Idempotency-Key gets the first response and does not link again', async () => {
  await addUser(world, 'twice')
  const body = {
    public_token: await publicToken(world, 'twice'),
    institution_id: 'ins_109508',
    institution_name: 'Bank',
  }
  const first = await client('POST', '/linker/public-token/twice', body, 'key-1')
  const calls = world.door.calls.length
  assert.deepEqual(await client('POST', '/linker/public-token/twice', body, 'key-1'), first)
  assert.equal(world.door.calls.length, calls)
  const other = { ...body, public_token: 'another' }
  assert.equal((await client('POST', '/linker/public-token/twice', other, 'key-1')).status, 422)
})

test('a provider outage returns 503, and a broken provider contract returns 502', async () => {
  await addUser(world, 'unlucky')
  world.door.mode = 'shut'
  const down = await client('GET', '/linker/link-token/unlucky')
  world.door.mode = 'html'
  const nonsense = await client('GET', '/linker/link-token/unlucky')
  world.door.mode = 'open'
  assert.deepEqual([down.status, down.body['code']], [503, 'linker_unavailable'])
  assert.deepEqual([nonsense.status, nonsense.body['code']], [502, 'linker_failed'])
})

test('a deactivated user cannot link cards', async () => {
  await addUser(world, 'gone')
  await world.db.transaction(async (tx) => {
    const terms = await publishTerms(
      tx,
      { url: 'https://terms.example', revision: '1', requiredFrom: world.clock.now() },
      world.clock.now(),
    )
    await acceptTerms(tx, world.publisher, 'gone', terms.documentId, world.clock.now())
    await deactivateUser(tx, world.publisher, 'gone', world.clock.now())
  })
  assert.equal((await client('GET', '/linker/link-token/gone')).status, 409)
  assert.equal((await link(world, client, 'gone')).status, 409)
})

const LINK = { public_token: 'p', institution_id: 'i', institution_name: 'n' }
const TOKEN = { publisher_user_id: 'ada', institution_id: 'i', institution_name: 'n', provider_access_token: 't' }

test('another publisher sees neither the user nor their cards', async () => {
  await link(world, client, 'ada')
  const calls: readonly Parameters<Client>[] = [
    ['GET', '/linker/link-token/ada'],
    ['GET', '/linker/auth-token/ins_109508/ada'],
    ['POST', '/linker/public-token/ada', LINK],
    ['DELETE', '/linker/access-token/ada/ins_109508'],
    ['GET', '/linker/linked-cards/ada'],
    ['GET', '/linker/linked-cards/ada/ins_109508'],
    ['POST', '/linker/access-token', TOKEN],
  ]
  for (const call of calls) {
    const answer = await stranger(...call)
    assert.deepEqual([answer.status, answer.body['code']], [404, 'user_not_found'], call[1])
  }
  assert.equal((await client('GET', '/linker/linked-cards/ada/ins_109508')).status, 200)
})

test('invalid input is rejected with its field, and a key without the scope gets 403', async () => {
  const cases: readonly [body: object, field: string][] = [
    [{ ...LINK, public_token: undefined }, 'public_token'],
    [{ ...LINK, institution_id: 7 }, 'institution_id'],
    [{ ...LINK, colour: 'red' }, 'colour'],
    [{ ...LINK, institution_name: 'x'.repeat(256) }, 'institution_name'],
    [{ ...LINK, public_token: 'a\u0000b' }, 'public_token'],
  ]
  for (const [body, field] of cases) {
    const answer = await client('POST', '/linker/public-token/ada', body)
    assert.equal(answer.status, 400, field)
    assert.deepEqual(getFields(answer.body), [field])
  }
  const missing = await client('POST', '/linker/access-token', {})
  assert.deepEqual(getFields(missing.body).toSorted(), Object.keys(TOKEN).toSorted())
  const reader = await createClient(world, world.publisher, ['linker:read'])
  assert.equal((await reader('GET', '/linker/link-token/ada')).status, 403)
  assert.equal((await reader('POST', '/linker/access-token', TOKEN)).status, 403)
  assert.equal((await reader('GET', '/linker/linked-cards/ada')).status, 200)
})
