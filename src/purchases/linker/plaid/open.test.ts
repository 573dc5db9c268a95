import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startTestApp, type Tenant } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findAccount, removeAccount, setAccount } from '../accounts/provider-accounts.ts'

const BANK = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }
const OURS = { clientId: 'our-account', secret: `ours-${randomBytes(12).toString('hex')}` }
const THEIRS = { clientId: 'their-account', secret: `theirs-${randomBytes(12).toString('hex')}` }

const logged: string[] = []
const sink = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const app = await startTestApp({
  log: pino({ level: 'trace' }, sink),
  settings: {
    LAUREL_LINKER: 'plaid',
    LAUREL_PLAID_CLIENT_ID: OURS.clientId,
    LAUREL_PLAID_SECRET: OURS.secret,
  },
})
after(app.close)

type Account = typeof OURS

type ShownItem = { readonly item: { readonly item_id: string; readonly webhook: string } }

const atSimulator = (path: string, body: object, account: Account) =>
  askSimulator<Record<string, string>>(path, body, account)

async function askSimulator<Answer>(path: string, body: object, { clientId, secret }: Account): Promise<Answer> {
  const answer = await fetch(`${app.simulatorUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': clientId, 'plaid-secret': secret },
    body: JSON.stringify(body),
  })
  const shown = (await answer.json()) as Answer
  assert.equal(answer.status, 200, JSON.stringify(shown))
  return shown
}

async function publicToken(account: Account, username: string): Promise<string> {
  const options = { override_username: username, override_password: 'pass_good' }
  const wanted = { institution_id: BANK.institution_id, initial_products: ['transactions'], options }
  return String((await atSimulator('/sandbox/public_token/create', wanted, account))['public_token'])
}

/** Creates an item under the publisher's own account, with the publisher's own webhook. */
async function ownItem(username: string): Promise<{ accessToken: string; itemId: string }> {
  const public_token = await publicToken(THEIRS, username)
  const { access_token, item_id } = await atSimulator('/item/public_token/exchange', { public_token }, THEIRS)
  assert(access_token !== undefined && item_id !== undefined)
  const webhook = 'http://127.0.0.1:9/their-own-webhooks'
  await atSimulator('/item/webhook/update', { access_token, webhook }, THEIRS)
  return { accessToken: access_token, itemId: item_id }
}

const register = async ({ call }: Tenant, publisher_user_id: string): Promise<void> => {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
}
const give = ({ call }: Tenant, publisher_user_id: string, provider_access_token: string) =>
  call('POST', '/linker/access-token', { publisher_user_id, provider_access_token, ...BANK })
const setTheirs = ({ publisher }: Tenant, secret: string, clientId = THEIRS.clientId) =>
  app.service.db.transaction((tx) =>
    setAccount(tx, app.service.vault, publisher.id, { clientId, secret, by: 'test', force: false }, new Date()),
  )

test('the SDK is loaded by the first call, not at startup', async () => {
  const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => /\/plaid\/dist\//.test(file))
  assert.equal(loaded(), false)
  await register(app, 'first')
  assert.equal((await app.call('GET', '/linker/link-token/first')).status, 200)
  assert.equal(loaded(), true)
})

test("the real provider's adapter calls the configured address with the configured credentials", async () => {
  await register(app, 'linked')
  const link = await app.call('GET', '/linker/link-token/linked')
  assert.equal(link.body.link_url, undefined)
  const hosted = await app.call('GET', '/linker/link-token/linked?hosted=true')
  assert.equal(hosted.body.link_url, `${app.simulatorUrl}/link?token=${hosted.body.link_token}`)
  const public_token = await publicToken(OURS, 'plaid-linked')
  const linked = await app.call('POST', '/linker/public-token/linked', { public_token, ...BANK })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  assert(linked.body.linked_cards.length > 0)
})

test("a token of the publisher's own account is refused until the operator has configured that account", async () => {
  const tenant = await app.tenant()
  await register(tenant, 'handed')
  const { accessToken, itemId } = await ownItem('handed-over')
  const without = await give(tenant, 'handed', accessToken)
  assert.equal(without.status, 422)
  assert.equal(without.body.code, 'linker_token_rejected')
  assert.match(without.body.detail, /operator/)
  await setTheirs(tenant, 'not-their-secret')
  const wrong = await give(tenant, 'handed', accessToken)
  assert.equal(wrong.status, 422, JSON.stringify(wrong.body))
  // A running process uses the new secret on its next call.
  await setTheirs(tenant, THEIRS.secret)
  const taken = await give(tenant, 'handed', accessToken)
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
  // The token does not give another publisher access to the account.
  const stranger = await app.tenant()
  await register(stranger, 'stranger')
  assert.equal((await give(stranger, 'stranger', accessToken)).status, 422)

  await eventually(async () => {
    const [row] = await app.service.db.reader<{ read: boolean }[]>`
      select synced_at is not null as read from linker_items
      where publisher_id = ${tenant.publisher.id} and owner = 'publisher'`
    return row?.read
  })
  const repair = await tenant.call('GET', `/linker/auth-token/${BANK.institution_id}/handed`)
  assert.equal(repair.status, 200, JSON.stringify(repair.body))
  // A link token in update mode works only under the account that created it.
  const shown = await atSimulator('/link/token/get', { link_token: repair.body.link_token }, THEIRS)
  assert.equal(shown['link_token'], repair.body.link_token)

  const { db } = app.service
  const id = tenant.publisher.id
  const inUse = (error: unknown) => error instanceof Refusal && error.code === 'provider_account_in_use'
  await assert.rejects(
    db.transaction((tx) => removeAccount(tx, id, { force: false })),
    inUse,
  )
  await assert.rejects(setTheirs(tenant, THEIRS.secret, 'another-client-id'), inUse)
  await setTheirs(tenant, THEIRS.secret)
  assert.equal((await findAccount(db.reader, id))?.items, 1)

  assert.equal((await tenant.call('DELETE', `/linker/access-token/handed/${BANK.institution_id}`)).status, 200)
  const { item } = await askSimulator<ShownItem>('/item/get', { access_token: accessToken }, THEIRS)
  assert.deepEqual([item.item_id, item.webhook], [itemId, 'http://127.0.0.1:9/their-own-webhooks'])
})

test("a publisher's users link under its own account if it has one; Laurel holds and removes the items", async () => {
  const tenant = await app.tenant()
  await register(tenant, 'own')
  const early = await publicToken(OURS, 'own-early')
  await setTheirs(tenant, THEIRS.secret)
  const made = await tenant.call('GET', '/linker/link-token/own')
  const shown = await atSimulator('/link/token/get', { link_token: made.body.link_token }, THEIRS)
  assert.equal(shown['link_token'], made.body.link_token)
  const walk = { username: 'own-login', bank: BANK.institution_id, choose: () => true }
  const public_token = await completeLinkPage(app.simulatorUrl, made.body.link_token, walk)
  const linked = await tenant.call('POST', '/linker/public-token/own', { public_token, ...BANK })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))

  const { db } = app.service
  const [item] = await db.reader<{ owner: string; syncDueAt: Date | null }[]>`
    select owner, sync_due_at from linker_items where publisher_id = ${tenant.publisher.id}`
  assert.equal(item?.owner, 'publisher')
  // The item's webhooks come here, so its purchases need no polling.
  const account_id = linked.body.linked_cards[0].account_id
  await eventually(async () => {
    const [row] = await db.reader<{ isRead: boolean }[]>`
      select synced_at is not null and sync_due_at > now() + interval '2 hours' as is_read from linker_items
      where publisher_id = ${tenant.publisher.id}`
    return row?.isRead
  })
  await askSimulator('/_sim/purchases', { account_id, merchant: 'Anything', amount: 5 }, THEIRS)
  await eventually(async () => {
    const { body } = await tenant.call('GET', '/transactions?publisher_user_id=own')
    return body.content.length === 1
  })
  assert.equal((await tenant.call('DELETE', `/linker/access-token/own/${BANK.institution_id}`)).status, 200)
  const items = async () => {
    const answer = await fetch(`${app.simulatorUrl}/_sim/items?account_id=${account_id}`)
    return ((await answer.json()) as { items: unknown[] }).items
  }
  await eventually(async () => (await items()).length === 0)

  const before = await tenant.call('POST', '/linker/public-token/own', { public_token: early, ...BANK })
  assert.equal(before.status, 200, 'a token of before the account was set')

  await setTheirs(tenant, 'no-longer-right')
  const service = await publicToken(OURS, 'own-service')
  const linkedAgain = await tenant.call('POST', '/linker/public-token/own', { public_token: service, ...BANK })
  assert.equal(linkedAgain.status, 200, "the publisher's wrong secret does not matter for a token of the service")
  const theirs = await publicToken(THEIRS, 'own-theirs')
  const refused = await tenant.call('POST', '/linker/public-token/own', { public_token: theirs, ...BANK })
  assert.equal(refused.status, 502, JSON.stringify(refused.body))
})

test('removing a provider account postpones syncs of its items and shows no error on their cards', async () => {
  const tenant = await app.tenant()
  const { db } = app.service
  const id = tenant.publisher.id
  await register(tenant, 'orphaned')
  await setTheirs(tenant, THEIRS.secret)
  assert.equal((await give(tenant, 'orphaned', (await ownItem('orphaned')).accessToken)).status, 200)
  const isRead = async () => {
    const [row] = await db.reader<{ read: boolean }[]>`
      select synced_at is not null and sync_lease is null as read from linker_items where publisher_id = ${id}`
    return row?.read
  }
  await eventually(isRead)
  await db.transaction((tx) => removeAccount(tx, id, { force: true }))
  await db.reader`update linker_items set sync_due_at = now(), sync_paced_until = null where publisher_id = ${id}`
  await eventually(async () => {
    const [row] = await db.reader<{ postponed: boolean }[]>`
      select sync_due_at > now() and sync_failures = 0 as postponed from linker_items where publisher_id = ${id}`
    return row?.postponed
  })
  const shown = await tenant.call('GET', '/linker/linked-cards/orphaned')
  const { linked_cards } = shown.body.linked_institutions[0]
  assert(linked_cards.length > 0)
  assert(linked_cards.every((card: { error: string | null }) => card.error === null))
})

test("a secret copied to another publisher's row cannot be opened there", async () => {
  const [one, other] = [await app.tenant(), await app.tenant()]
  await setTheirs(one, THEIRS.secret)
  await setTheirs(other, 'something-else')
  await app.service.db.reader`
    update provider_accounts set version = version + 1, sealed_secret = (
      select sealed_secret from provider_accounts where publisher_id = ${one.publisher.id})
    where publisher_id = ${other.publisher.id}`
  await register(other, 'copied')
  const { accessToken } = await ownItem('copied')
  assert.equal((await give(other, 'copied', accessToken)).status, 500)
})

test('responses say when to retry while the provider is down, and calls resume automatically', async () => {
  const fault = { kind: 'server_error', path: '/link/token/create', times: 0 }
  await atSimulator('/_sim/faults', fault, OURS)
  // Each call is tried three times. A few more failures open the circuit breaker.
  for (let count = 0; count < 6; count++) {
    await register(app, `waiting-${count}`)
    const refused = await app.call('GET', `/linker/link-token/waiting-${count}`)
    assert.equal(refused.status, 503)
    assert.equal(refused.body.code, 'linker_unavailable')
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  await fetch(`${app.simulatorUrl}/_sim/faults`, { method: 'DELETE' })
  await eventually(async () => (await app.call('GET', '/linker/link-token/linked')).status === 200)
})

test('no secret of any account reaches the log', () => {
  const text = logged.join('')
  assert(text.includes('linker'), 'something was logged')
  for (const secret of [OURS.secret, THEIRS.secret]) assert(!text.includes(secret))
  assert(!/(access|public|link)-sandbox-/.test(text))
})
