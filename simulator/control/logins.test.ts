import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFeed } from '../feed-support.ts'
import { linkTokenBody, openReceiver } from '../test-support.ts'

type Reply = {
  readonly item: { readonly error: { readonly error_code: string; readonly error_type: string } | null } & {
    readonly consent_expiration_time: string | null
  }
  readonly status: { readonly transactions: { readonly last_successful_update: string } }
}
type Shown = {
  readonly error: string | null
  readonly frozen: boolean
  readonly last_successful_update: string
  readonly consent_expires_at: string | null
}
type Feed = Awaited<ReturnType<typeof openFeed>>

const readItem = async ({ call }: Feed) => (await call<Reply>('/item/get')).body
const readCode = async ({ call }: Feed, path: string) => (await call(path)).body.error_code
const DAY_SECONDS = 86_400

const CURED_BY_THE_USER = [
  'ITEM_LOGIN_REQUIRED',
  'ITEM_LOCKED',
  'PASSWORD_RESET_REQUIRED',
  'ACCESS_NOT_GRANTED',
  'NO_ACCOUNTS',
  'ITEM_NOT_SUPPORTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
]
test('a login breaks with the requested code, and its calls fail until it is repaired', async (t) => {
  const feed = await openFeed(t)
  for (const error_code of CURED_BY_THE_USER) {
    await feed.toItem('break', { error_code })
    assert.equal((await readItem(feed)).item.error?.error_code, error_code)
    for (const path of ['/accounts/get', '/transactions/sync']) assert.equal(await readCode(feed, path), error_code)
    const bought = await feed.buy()
    await feed.toItem('repair')
    assert.equal((await readItem(feed)).item.error, null)
    assert.deepEqual((await feed.read()).added, [bought.transaction_id])
  }
  assert.equal((await feed.control(`items/${feed.item.item_id}/break`, { error_code: 'no such' })).status, 400)
})

test('an error has the type that the provider assigns to its code', async (t) => {
  const feed = await openFeed(t)
  for (const [error_code, type] of [
    ['ITEM_LOGIN_REQUIRED', 'ITEM_ERROR'],
    ['INVALID_CREDENTIALS', 'ITEM_ERROR'],
    ['INSTITUTION_NOT_RESPONDING', 'INSTITUTION_ERROR'],
    ['UNSUPPORTED_RESPONSE', 'INSTITUTION_ERROR'],
    ['INVALID_PRODUCT', 'INVALID_INPUT'],
    ['PLANNED_MAINTENANCE', 'API_ERROR'],
  ] as const) {
    await feed.toItem('break', { error_code })
    assert.equal((await readItem(feed)).item.error?.error_type, type, error_code)
    await feed.toItem('repair')
  }
})

test('while the bank is down, calls return the last data read from it', async (t) => {
  const feed = await openFeed(t)
  const known = await feed.buy()
  await feed.toItem('break', { error_code: 'INSTITUTION_DOWN' })
  assert.equal((await readItem(feed)).item.error?.error_type, 'INSTITUTION_ERROR')
  const bought = await feed.buy()
  assert.deepEqual((await feed.read()).added, [known.transaction_id])
  assert.equal((await feed.call('/accounts/get')).status, 200)
  await feed.toItem('repair')
  assert.deepEqual((await feed.read()).added, [bought.transaction_id])
})

test('each way of breaking a login sends one webhook, or none if silent', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { webhook: receiver.url })
  const next = async () => {
    const { webhook_code, error } = (await receiver.next()).content
    return [webhook_code, (error as { error_code?: string } | null | undefined)?.error_code]
  }
  await feed.toItem('break', { silent: true })
  await feed.toItem('repair', { silent: true })
  await feed.toItem('break', { error_code: 'ITEM_LOCKED' })
  await feed.toItem('break', { error_code: 'ITEM_LOCKED' })
  assert.deepEqual(await next(), ['ERROR', 'ITEM_LOCKED'])
  await feed.toItem('revoke')
  assert.deepEqual(await next(), ['USER_PERMISSION_REVOKED', 'USER_PERMISSION_REVOKED'])
  await feed.toItem('repair')
  assert.deepEqual(await next(), ['LOGIN_REPAIRED', undefined])
  await feed.toItem('revoke', { silent: true })
  await feed.toItem('repair')
  assert.deepEqual(await next(), ['LOGIN_REPAIRED', undefined])
})

test('once permission is revoked, calls and update mode are rejected, but the item can be removed', async (t) => {
  const feed = await openFeed(t)
  await feed.toItem('revoke')
  for (const path of ['/accounts/get', '/transactions/sync']) {
    assert.equal(await readCode(feed, path), 'USER_PERMISSION_REVOKED')
  }
  const { access_token } = feed.item
  const wish = linkTokenBody({ access_token, products: undefined })
  assert.equal((await feed.call('/link/token/create', wish)).body.error_code, 'USER_PERMISSION_REVOKED')
  assert.equal((await feed.call('/item/remove')).status, 200)
})

test('an expiring consent is announced beforehand, and the login breaks at the deadline', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { webhook: receiver.url })
  await feed.toItem('expire-consent', { in_seconds: 7 * DAY_SECONDS })
  const { consent_expiration_time: deadline } = (await readItem(feed)).item
  const days = (Date.parse(deadline ?? '') - Date.now()) / (DAY_SECONDS * 1000)
  assert.ok(days > 6.9 && days < 7.1)
  const announced = (await receiver.next()).content
  assert.deepEqual([announced['webhook_code'], announced['disconnect_time']], ['PENDING_DISCONNECT', deadline])
  assert.equal((await feed.call('/transactions/sync')).status, 200)

  const { access_token } = feed.item
  await feed.control('item-clock', { access_token, offset_seconds: 8 * DAY_SECONDS })
  assert.equal(await readCode(feed, '/transactions/sync'), 'ITEM_LOGIN_REQUIRED')
  assert.equal((await receiver.next()).content['webhook_code'], 'ERROR')
  const repaired = await feed.toItem<Shown>('repair')
  assert.deepEqual([repaired.error, repaired.consent_expires_at], [null, null])
  assert.equal((await feed.call('/transactions/sync')).status, 200)
})

test('a repair before the deadline prevents the consent from expiring', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { webhook: receiver.url })
  await feed.toItem('expire-consent', { in_seconds: 60, as: 'expiration' })
  const announced = (await receiver.next()).content
  const { consent_expiration_time } = (await readItem(feed)).item
  assert.deepEqual(
    [announced['webhook_code'], announced['consent_expiration_time']],
    ['PENDING_EXPIRATION', consent_expiration_time],
  )
  await feed.toItem('repair')
  await feed.control('clock', { offset_seconds: DAY_SECONDS })
  assert.deepEqual([await readCode(feed, '/item/get'), (await readItem(feed)).item.error], [undefined, null])
})

test('the first call after the deadline finds the login broken, even a call to the control interface', async (t) => {
  const feed = await openFeed(t)
  await feed.toItem('expire-consent', { in_seconds: 60, silent: true })
  await feed.control('clock', { offset_seconds: DAY_SECONDS })
  const { items } = await feed.simulator.ask<{ items: Shown[] }>('items')
  assert.equal(items[0]?.error, 'ITEM_LOGIN_REQUIRED')
})

test('consent without a deadline expires immediately', async (t) => {
  const feed = await openFeed(t)
  assert.equal((await feed.toItem<Shown>('expire-consent')).error, 'ITEM_LOGIN_REQUIRED')
})

test('a frozen feed withholds changes of every kind and releases them all when unfrozen', async (t) => {
  const feed = await openFeed(t)
  const [kept, removed, changed] = [await feed.buy(), await feed.buy(), await feed.buy()]
  const before = await feed.toItem<Shown>('freeze', { frozen: true })
  const added = await feed.buy()
  await feed.verb(removed, 'remove')
  await feed.verb(changed, 'change', { amount: 21 })
  const frozen = await feed.read()
  assert.deepEqual(frozen.added.sort(), [kept, removed, changed].map((row) => row.transaction_id).sort())
  assert.equal(feed.copy.get(changed.transaction_id)?.amount, 20)

  const { access_token } = feed.item
  await feed.control('item-clock', { access_token, offset_seconds: 3 * DAY_SECONDS })
  assert.equal((await readItem(feed)).status.transactions.last_successful_update, before.last_successful_update)
  const after = await feed.toItem<Shown>('freeze', { frozen: false })
  assert.deepEqual([before.frozen, after.frozen], [true, false])
  assert.ok(after.last_successful_update > before.last_successful_update)
  const { status: _status, ...thawed } = await feed.read()
  assert.deepEqual(thawed, {
    added: [added.transaction_id],
    modified: [changed.transaction_id],
    removed: [removed.transaction_id],
  })
})

test('a healthy item stays up to date, no matter how far its clock moves and even without purchases', async (t) => {
  const feed = await openFeed(t)
  await feed.control('item-clock', { access_token: feed.item.access_token, offset_seconds: 60 * DAY_SECONDS })
  const last = Date.parse((await readItem(feed)).status.transactions.last_successful_update)
  const hoursOld = (Date.now() + 60 * DAY_SECONDS * 1000 - last) / 3_600_000
  assert.ok(hoursOld >= 0 && hoursOld < 7)
})

test('a broken login keeps the time of its last update', async (t) => {
  const feed = await openFeed(t)
  const { last_successful_update } = await feed.toItem<Shown>('break')
  await feed.control('item-clock', { access_token: feed.item.access_token, offset_seconds: 60 * DAY_SECONDS })
  assert.equal((await readItem(feed)).status.transactions.last_successful_update, last_successful_update)
})

test('invalidated cursors are rejected, and a read from the beginning returns the current rows', async (t) => {
  const feed = await openFeed(t)
  const bought = await feed.buy()
  await feed.read()
  await feed.toItem('forget-cursors')
  const { body } = await feed.call<{ next_cursor: string }>('/transactions/sync')
  await feed.toItem('forget-cursors')
  const refused = await feed.call('/transactions/sync', { cursor: body.next_cursor })
  assert.deepEqual(
    [refused.body.error_code, refused.body.error_message],
    ['INVALID_FIELD', 'cursor not associated with access_token'],
  )
  feed.startAnew()
  assert.deepEqual((await feed.read()).added, [bought.transaction_id])
})

test('a replaced access token stops working, but the cursor stays valid', async (t) => {
  const feed = await openFeed(t)
  const bought = await feed.buy()
  await feed.read()
  const { body } = await feed.call<{ new_access_token: string }>('/item/access_token/invalidate')
  assert.equal(await readCode(feed, '/transactions/sync'), 'INVALID_ACCESS_TOKEN')
  feed.useToken(body.new_access_token)
  await feed.verb(bought, 'remove')
  assert.deepEqual((await feed.read()).removed, [bought.transaction_id])
})
