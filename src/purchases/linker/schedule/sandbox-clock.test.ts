import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type Tenant, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { DAY_MS } from '../../../platform/calendar.ts'

// A sandbox's clock as a tester uses it: over HTTP, with the simulator that all sandboxes share.

const BANK = 'ins_109508'
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

async function atSimulator(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(app.simulatorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': 'laurel', 'plaid-secret': 'laurel' },
    body: JSON.stringify(body),
  })
  const replied = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 200, JSON.stringify(replied))
  return replied
}

/** Registers a user, accepts the terms and links a login. Returns the account id of its first card. */
async function linkedUser({ call }: Tenant, name: string): Promise<string> {
  assert.equal((await call('POST', '/users', { publisher_user_id: name })).status, 200)
  const accepted = await call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
  assert.equal(accepted.body.account_status, 'ACTIVE')
  const options = { override_username: name }
  const wish = { institution_id: BANK, initial_products: ['transactions'], options }
  const { public_token } = await atSimulator('/sandbox/public_token/create', wish)
  const body = { public_token, institution_id: BANK, institution_name: 'First Platypus Bank' }
  const linked = await call('POST', `/linker/public-token/${name}`, body)
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  return linked.body.linked_cards[0].account_id
}

/** Buys with a card on the simulator's default day. Returns the resulting transaction. */
async function bought({ call }: Tenant, name: string, accountId: string) {
  await atSimulator('/_sim/purchases', { account_id: accountId, merchant: 'Corner Market', amount: 80 })
  return eventually(async () => (await call('GET', `/transactions?publisher_user_id=${name}`)).body.content[0])
}

async function move({ call }: Tenant, days: number): Promise<void> {
  assert.equal((await call('POST', '/sandbox/clock', { advance_days: days })).status, 200)
}

function assertEarned(transaction: Record<string, unknown>, daysAhead: number): void {
  const { status, status_reason, user_cashback, transaction_date_time } = transaction
  assert.deepEqual([status, user_cashback], ['PENDING', 4], String(status_reason))
  // Purchases carry only a day, so they can be up to a day in the past.
  const ahead = (Date.parse(String(transaction_date_time)) - Date.now()) / DAY_MS
  assert.ok(ahead > daysAhead - 1.1 && ahead < daysAhead + 0.1, `${transaction_date_time} is ${ahead} days ahead`)
}

test('purchases of a user who links after the sandbox clock moved are in sandbox time and earn rewards', async () => {
  const tenant = await app.tenant()
  await move(tenant, 40)
  const accountId = await linkedUser(tenant, 'late')
  assertEarned(await bought(tenant, 'late', accountId), 40)
})

test('purchases of a user who linked before the clock moved follow the sandbox clock after each move', async () => {
  const tenant = await app.tenant()
  const early = await linkedUser(tenant, 'early')
  const other = await linkedUser(tenant, 'other')
  await move(tenant, 40)
  assertEarned(await bought(tenant, 'early', early), 40)
  await move(tenant, 1)
  assertEarned(await bought(tenant, 'other', other), 41)
})

test('a purchase a century ahead, the furthest the clock goes, is read like any other', async () => {
  const tenant = await app.tenant()
  await move(tenant, 36_525)
  assertEarned(await bought(tenant, 'aged', await linkedUser(tenant, 'aged')), 36_525)
})

test("one sandbox's clock does not affect another sandbox's purchases", async () => {
  const [ahead, real] = [await app.tenant(), await app.tenant()]
  const unmoved = await linkedUser(real, 'same')
  await move(ahead, 40)
  const moved = await linkedUser(ahead, 'same')
  assertEarned(await bought(ahead, 'same', moved), 40)
  assertEarned(await bought(real, 'same', unmoved), 0)
})

test('moving the clock returns the number of feeds that could not be read', async () => {
  const tenant = await app.tenant()
  const accountId = await linkedUser(tenant, 'notified')
  const found = await fetch(`${app.simulatorUrl}/_sim/items?account_id=${accountId}`)
  const { items } = (await found.json()) as { items: { item_id: string }[] }
  const unread = async () => (await tenant.call('POST', '/sandbox/clock', { advance_seconds: 1 })).body.unread_feeds
  // A feed that a worker or a webhook is using may be left for the next run.
  await eventually(async () => (await unread()) === 0)
  const fault = { kind: 'server_error', path: '/transactions/sync', item_id: items[0]?.item_id, times: 0 }
  await atSimulator('/_sim/faults', fault)
  assert.equal(await unread(), 1)
  await fetch(`${app.simulatorUrl}/_sim/faults`, { method: 'DELETE' })
  await eventually(async () => (await unread()) === 0)
})
