import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fault, linkItem, linkTokenBody, openSimulator, type Tokens } from '../test-support.ts'

const HOUR_SECONDS = 3600

test('a link token is returned with its settings and is valid for four hours', async (t) => {
  const { call, control } = await openSimulator(t)
  const made = await call<{ link_token: string; expiration: string; request_id: string }>(
    '/link/token/create',
    linkTokenBody({ webhook: 'https://hooks.example/in', redirect_uri: 'https://shop.example/back' }),
  )
  assert.match(made.body.link_token, /^link-sandbox-[0-9a-f-]{36}$/)
  assert.ok(made.body.request_id.length > 0)
  const { link_token } = made.body

  type Reply = { created_at: string; expiration: string; metadata: { client_name: string; redirect_uri: string } }
  const reply = await call<Reply>('/link/token/get', { link_token })
  assert.equal(Date.parse(reply.body.expiration) - Date.parse(reply.body.created_at), 4 * HOUR_SECONDS * 1000)
  assert.equal(reply.body.metadata.client_name, 'Corner Shop Rewards')
  assert.equal(reply.body.metadata.redirect_uri, 'https://shop.example/back')

  await control('clock', { offset_seconds: 4 * HOUR_SECONDS + 1 })
  const late = await call('/link/token/get', { link_token })
  assert.equal(late.body.error_code, 'INVALID_LINK_TOKEN')
})

test('a link token request may have a null access_token or null products, but not both', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  for (const wish of [linkTokenBody({ access_token: null }), linkTokenBody({ access_token, products: null })])
    assert.equal((await simulator.call('/link/token/create', wish)).status, 200)
  const neither = await simulator.call('/link/token/create', linkTokenBody({ access_token: null, products: null }))
  assert.equal(neither.body.error_code, 'MISSING_FIELDS')
})

test("at a bank that allows one login, a new login ends the user's older one with the same client", async (t) => {
  const simulator = await openSimulator(t)
  const readError = async ({ access_token }: { access_token: string }) => {
    const { body } = await simulator.call<{ item: { error: { error_code: string } | null } }>('/item/get', {
      access_token,
    })
    return body.item.error?.error_code ?? null
  }
  const [ending, usual] = [{ institution: 'ins_810012' }, { institution: 'ins_109508' }]
  const older = await linkItem(simulator, ending)
  const others = [await linkItem(simulator, { ...ending, username: 'mia' }), await linkItem(simulator, usual)]
  const newer = [await linkItem(simulator, ending), await linkItem(simulator, usual)]
  assert.equal(await readError(older), 'ITEM_LOGIN_REQUIRED')
  for (const item of [...others, ...newer]) assert.equal(await readError(item), null)
})

test("some banks end a user's older logins across all clients, or only those with other accounts", async (t) => {
  const simulator = await openSimulator(t)
  const linkAs = async (client: string, institution_id: string) => {
    const wish = { institution_id, initial_products: ['transactions'], options: { override_username: 'mia' } }
    const { body } = await simulator.call<{ public_token: string }>('/sandbox/public_token/create', wish, client)
    return (await simulator.call<Tokens>('/item/public_token/exchange', { public_token: body.public_token }, client))
      .body
  }
  const errors = async () => {
    const { items } = await simulator.ask<{ items: { item_id: string; error: string | null }[] }>('items')
    return items.map(({ error }) => error)
  }
  await linkAs('client-a', 'ins_810013')
  await linkAs('client-b', 'ins_810013')
  assert.deepEqual(await errors(), ['ITEM_LOGIN_REQUIRED', null])

  const { item_id } = await linkAs('client-a', 'ins_810014')
  await linkAs('client-b', 'ins_810014')
  assert.deepEqual((await errors()).slice(2), [null, null])
  const { items } = await simulator.ask<{ items: { accounts: { account_id: string }[] }[] }>(`items?item_id=${item_id}`)
  await simulator.control(`items/${item_id}/close-account`, { account_id: items[0]?.accounts[0]?.account_id })
  await linkAs('client-c', 'ins_810014')
  assert.deepEqual((await errors()).slice(2), ['ITEM_LOGIN_REQUIRED', null, null])
})

test('a call without a client id or secret is rejected before any other check', async (t) => {
  const { url } = await openSimulator(t)
  const answer = await fetch(`${url}/item/get`, { method: 'POST', headers: { 'plaid-client-id': 'client-a' } })
  assert.equal(answer.status, 400)
  assert.equal(((await answer.json()) as Fault).error_code, 'INVALID_API_KEYS')
})

test('credentials can be sent in the body', async (t) => {
  const { url } = await openSimulator(t)
  const answer = await fetch(`${url}/link/token/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(linkTokenBody({ client_id: 'client-a', secret: 'any' })),
  })
  assert.equal(answer.status, 200)
})

const REFUSED_WISHES: readonly [what: string, wish: object, code: string][] = [
  ['no client name', linkTokenBody({ client_name: undefined }), 'MISSING_FIELDS'],
  ['no products', linkTokenBody({ products: undefined }), 'MISSING_FIELDS'],
  ['country codes of the wrong type', linkTokenBody({ country_codes: 'US' }), 'INVALID_FIELD'],
  ['too many days', linkTokenBody({ transactions: { days_requested: 731 } }), 'INVALID_FIELD'],
  ['an http redirect elsewhere', linkTokenBody({ redirect_uri: 'http://shop.example/' }), 'INVALID_FIELD'],
  ['a redirect with a query', linkTokenBody({ redirect_uri: 'https://shop.example/?a=1' }), 'INVALID_FIELD'],
  ['a redirect with a wildcard', linkTokenBody({ redirect_uri: 'https://*.shop.example/' }), 'INVALID_FIELD'],
  ['an unknown access token', linkTokenBody({ access_token: 'access-sandbox-x' }), 'INVALID_ACCESS_TOKEN'],
]
for (const [what, wish, code] of REFUSED_WISHES) {
  test(`a link token request with ${what} is rejected`, async (t) => {
    const { call } = await openSimulator(t)
    const { status, body } = await call('/link/token/create', wish)
    assert.deepEqual([status, body.error_code], [400, code])
  })
}

test('an update-mode token is valid for thirty minutes and accepts no products', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  const before = Date.now()
  const wish = linkTokenBody({ access_token, products: undefined })
  const made = await simulator.call<{ expiration: string }>('/link/token/create', wish)
  const lifeMs = Date.parse(made.body.expiration) - before
  assert.ok(lifeMs >= 30 * 60_000 && lifeMs < 31 * 60_000)
  const refused = await simulator.call('/link/token/create', linkTokenBody({ access_token }))
  assert.equal(refused.body.error_code, 'INVALID_FIELD')
})

test('a public token works once and is valid for thirty minutes', async (t) => {
  const { call, control } = await openSimulator(t)
  const make = async () => {
    const wish = { institution_id: 'ins_109508', initial_products: ['transactions'] }
    const { public_token } = (await call<{ public_token: string }>('/sandbox/public_token/create', wish)).body
    return { public_token }
  }
  const once = await make()
  const first = await call<{ access_token: string; item_id: string }>('/item/public_token/exchange', once)
  assert.match(first.body.access_token, /^access-sandbox-[0-9a-f-]{36}$/)
  const second = await call('/item/public_token/exchange', once)
  assert.equal(second.body.error_code, 'INVALID_PUBLIC_TOKEN')

  const late = await make()
  await control('clock', { offset_seconds: HOUR_SECONDS / 2 + 1 })
  const { body } = await call('/item/public_token/exchange', late)
  assert.equal(body.error_code, 'INVALID_PUBLIC_TOKEN')
})

test('built-in property names are rejected as tokens', async (t) => {
  const { call, url } = await openSimulator(t)
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.equal((await call('/item/public_token/exchange', { public_token: name })).status, 400)
    assert.equal((await call('/item/get', { access_token: name })).status, 400)
    assert.equal((await call('/webhook_verification_key/get', { key_id: name })).status, 400)
    assert.equal((await fetch(`${url}/link?token=${name}`)).status, 400)
    assert.equal((await fetch(`${url}/_sim/items/${name}/break`, { method: 'POST' })).status, 404)
  }
})
