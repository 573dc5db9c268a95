import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFeed } from './feed-support.ts'
import { linkItem, openReceiver, openSimulator } from './test-support.ts'

const DAY_MS = 86_400_000
const daysOld = (date: string) => Math.floor((Date.now() - Date.parse(date)) / DAY_MS)

test('a history is read in steps: nothing, the newest month, then all of it', async (t) => {
  const feed = await openFeed(t, { username: 'user_history', daysRequested: 730 })
  const first = await feed.read()
  assert.deepEqual([first.status, first.added, feed.cursor()], ['NOT_READY', [], ''])
  const second = await feed.read()
  assert.equal(second.status, 'INITIAL_UPDATE_COMPLETE')
  assert.ok(second.added.length > 0 && [...feed.copy.values()].every(({ date }) => daysOld(date) <= 31))
  const third = await feed.read(7)
  assert.equal(third.status, 'HISTORICAL_UPDATE_COMPLETE')
  assert.equal(feed.copy.size, 40)
  const ages = [...feed.copy.values()].map(({ date }) => daysOld(date))
  assert.deepEqual([Math.min(...ages), Math.max(...ages)], [3, 300])
  assert.ok([...feed.copy.values()].every(({ pending }) => !pending))
  assert.deepEqual((await feed.read()).added, [])
})

test('a history covers the requested number of days, 90 by default', async (t) => {
  for (const [daysRequested, oldest] of [
    [undefined, 90],
    [200, 200],
  ] as const) {
    const feed = await openFeed(t, { username: 'user_history', ...(daysRequested && { daysRequested }) })
    for (let call = 0; call < 3; call++) await feed.read()
    const ages = [...feed.copy.values()].map(({ date }) => daysOld(date))
    assert.ok(Math.max(...ages) <= oldest && Math.max(...ages) > oldest - 10)
  }
})

test('each step sends the legacy webhooks and the current one, which reports the progress', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { username: 'user_history', webhook: receiver.url })
  const next = async () => {
    const { webhook_code, initial_update_complete, historical_update_complete } = (await receiver.next()).content
    return [webhook_code, initial_update_complete, historical_update_complete]
  }
  await feed.read()
  assert.deepEqual(await next(), ['INITIAL_UPDATE', undefined, undefined])
  assert.deepEqual(await next(), ['SYNC_UPDATES_AVAILABLE', true, false])
  const shown = await feed.toItem<{ update_status: string }>('collect')
  assert.equal(shown.update_status, 'HISTORICAL_UPDATE_COMPLETE')
  assert.deepEqual(await next(), ['HISTORICAL_UPDATE', undefined, undefined])
  assert.deepEqual(await next(), ['SYNC_UPDATES_AVAILABLE', true, true])
  assert.equal((await feed.toItem<{ update_status: string }>('collect')).update_status, 'HISTORICAL_UPDATE_COMPLETE')
})

test('purchases made before the first step arrive with the first rows', async (t) => {
  const feed = await openFeed(t, { username: 'user_history' })
  const { transaction_id } = await feed.buy()
  await feed.read()
  assert.ok((await feed.read()).added.includes(transaction_id))
})

test('a history is not read while the login is broken', async (t) => {
  const feed = await openFeed(t, { username: 'user_history' })
  await feed.toItem('break')
  assert.equal((await feed.toItem<{ update_status: string }>('collect')).update_status, 'NOT_READY')
})

test('locked users and users with a wrong password cannot link, but a user with a code can', async (t) => {
  const simulator = await openSimulator(t)
  const attempt = async (override_username: string, override_password: string) => {
    const wish = { institution_id: 'ins_109508', initial_products: ['transactions'] }
    const options = { override_username, override_password }
    return (await simulator.call('/sandbox/public_token/create', { ...wish, options })).body.error_code
  }
  assert.equal(await attempt('user_locked', 'pass_good'), 'ITEM_LOCKED')
  assert.equal(await attempt('user_good', 'no'), 'INVALID_CREDENTIALS')
  for (const username of ['user_transactions_dynamic', 'user_ewa_user', 'user_yuppie', 'user_small_business']) {
    assert.equal(await attempt(username, 'anything'), undefined)
    assert.equal(await attempt(username, ''), 'INVALID_CREDENTIALS')
  }
  assert.equal(await attempt('user_mfa', 'pass_good'), undefined)
  for (const password of ['pass_good', '{}', '{"override_accounts":[]}', '{"override_accounts":[{"type":1}]}']) {
    assert.equal(await attempt('user_custom', password), 'INVALID_CREDENTIALS')
  }
})

test('a custom user has the accounts and rows described by the password', async (t) => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const bought = (ago: number, posted: number, amount: number, description: string) => {
    return { date_transacted: day(ago), date_posted: day(posted), amount, description, currency: 'USD' }
  }
  const password = JSON.stringify({
    seed: 'any',
    override_accounts: [
      {
        type: 'credit',
        subtype: 'credit card',
        starting_balance: 120.5,
        meta: { name: 'Corner Card', official_name: 'The Corner Card', mask: '77', limit: 900 },
        transactions: [bought(5, 4, 12.34, 'FERN FOODS'), bought(0, -2, 7, 'CORNER'), bought(200, 199, 9, 'OLD')],
      },
      { type: 'loan', subtype: 'student' },
    ],
  })
  const feed = await openFeed(t, { username: 'user_custom', password })
  type Reply = {
    accounts: { name: string; mask: string; type: string; balances: { current: number; limit: number } }[]
  }
  const { accounts } = (await feed.call<Reply>('/accounts/get')).body
  assert.deepEqual(
    accounts.map(({ name, mask, type }) => [name, mask, type]),
    [
      ['Corner Card', '77', 'credit'],
      ['Custom student', '1001', 'loan'],
    ],
  )
  assert.deepEqual([accounts[0]?.balances.current, accounts[0]?.balances.limit], [132.84, 900])
  await feed.read()
  assert.deepEqual(
    [...feed.copy.values()].map(({ amount, date, pending }) => [amount, date, pending]),
    [
      [12.34, day(4), false],
      [7, day(0), true],
    ],
  )
})

test('transactions can be added for the dynamic user only, up to ten, from the last fourteen days', async (t) => {
  const feed = await openFeed(t, { username: 'user_transactions_dynamic' })
  for (let call = 0; call < 3; call++) await feed.read()
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const add = async (posted: number, count = 1, item: object = {}) => {
    const row = { date_transacted: day(posted), date_posted: day(posted), amount: -4.5, description: 'REFUND' }
    const transactions = Array.from({ length: count }, () => row)
    return (await feed.call('/sandbox/transactions/create', { transactions, ...item })).body.error_code
  }
  assert.equal(await add(3, 10), undefined)
  for (const [posted, count] of [
    [3, 11],
    [16, 1],
    [-2, 1],
  ] as const) {
    assert.equal(await add(posted, count), 'INVALID_FIELD')
  }
  const { access_token } = await linkItem(feed.simulator)
  assert.equal(await add(3, 1, { access_token }), 'INVALID_FIELD')
  const { added } = await feed.read()
  assert.deepEqual(
    added.map((id) => feed.copy.get(id)?.amount),
    Array.from({ length: 10 }, () => -4.5),
  )
})

test('each refresh changes the feed of the dynamic user, who has three months of history', async (t) => {
  const feed = await openFeed(t, { username: 'user_transactions_dynamic' })
  for (let call = 0; call < 3; call++) await feed.read()
  assert.ok(feed.copy.size > 40, 'history')
  for (let refresh = 0; refresh < 2; refresh++) {
    const pending = [...feed.copy.values()].filter((row) => row.pending).map(({ transaction_id }) => transaction_id)
    await feed.call('/transactions/refresh')
    const { added, modified, removed } = await feed.read()
    const replaced = added.map((id) => feed.copy.get(id)?.pending_transaction_id).filter((id) => id !== null)
    assert.deepEqual(replaced.toSorted(), pending.toSorted())
    assert.deepEqual(removed.toSorted(), pending.toSorted())
    assert.deepEqual([added.length, modified.length], [4, 1])
  }
})
