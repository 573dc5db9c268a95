import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../src/ledger/index.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// A purchase reported both by a card and by a network, tested from the API to the ledger.

const SECRET = 'a-secret-of-the-network'
const offer = (offer_type: string, rate: number, more: object = {}) => ({
  offer_uid: `both-${offer_type}`,
  name: 'both ways',
  offer_type,
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate },
  refund_period_days: 3650,
  ...more,
})

let app: TestApp
let users = 0

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction(async (tx) => {
    await changeSettings(tx, app.publisher.id, { ownCardFeed: true })
    await setNetworkSecret(tx, app.service.vault, 'default', SECRET, new Date())
  })
  const link = offer('AFFILIATE', 8, { tracking_url: 'https://shop.example/?s={sub_id}' })
  const brand = { brand_uid: 'both', category_id: 1, name: 'Both Ways', offers: [offer('CARD_LINKED', 5), link] }
  await app.catalog({ categories: [{ category_id: 1, category: 'GROCERY' }], brands: [brand] })
})
after(async () => {
  await app.close()
})

async function activeUser(): Promise<string> {
  const publisher_user_id = `stacking-${users++}`
  await app.call('POST', '/users', { publisher_user_id })
  const accepted = await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  assert.equal(accepted.status, 200)
  return publisher_user_id
}

/** Follows the user's own tracking link. Returns a function that reports a sale from that click. */
async function clicked(user: string): Promise<(status: string, named?: Row) => Promise<void>> {
  const detail = await app.call('GET', `/publishers/brands/both?publisher_user_id=${user}`)
  const { tracking_url } = detail.body[0].offers.find((one: Row) => one['offer_types'] === 'AFFILIATE')
  const target = new URL((await fetchPatiently(tracking_url, { redirect: 'manual' })).headers.get('location') ?? '')
  return async (status, named = { order_id: user }) => {
    const sale = { sub_id: target.searchParams.get('s'), amount: 90, ...named, currency: 'USD', status }
    const headers = { 'content-type': 'application/json', 'X-Postback-Secret': SECRET }
    const url = `${app.service.url}/postbacks/default`
    const posted = await fetchPatiently(url, { method: 'POST', headers, body: JSON.stringify(sale) })
    assert.equal(posted.status, 200, await posted.text())
  }
}

type Row = Readonly<Record<string, unknown>>

async function awaited(user: string, expected: readonly unknown[]): Promise<Row[]> {
  return eventually(async () => {
    const { body } = await app.call('GET', `/transactions?publisher_user_id=${user}&sort=transaction_date_time`)
    const rows = body.content.toSorted((a: Row, b: Row) => (String(b['source']) < String(a['source']) ? -1 : 1))
    const shown = rows.map((row: Row) => [row['source'], row['status'], row['status_reason'], row['user_cashback']])
    return JSON.stringify(shown) === JSON.stringify(expected) ? (rows as Row[]) : undefined
  })
}

const purchase = (publisher_user_id: string) => ({
  publisher_user_id,
  external_id: `${publisher_user_id} card`,
  brand_uid: 'both',
  amount: 100,
})

test('after a click, the sale earns the reward; if the network rejects the sale, the card purchase does', async () => {
  const user = await activeUser()
  const sell = await clicked(user)
  const paid = await app.call('POST', '/transactions', purchase(user))
  assert.equal(paid.body.user_cashback, 5)
  await sell('pending')
  const rows = await awaited(user, [
    ['CARD', 'CANCELLED', 'stacked', 0],
    ['AFFILIATE', 'PENDING', null, 7.2],
  ])
  const [card, sale] = rows.map((row) => row['transaction_uid'])
  const { body } = await app.call('GET', `/transactions/${card}/decision`)
  assert.deepEqual(
    body.candidates[0].rules.filter(({ rule }: { rule: string }) => rule === 'stacking'),
    [{ rule: 'stacking', value: sale, bound: 'AFFILIATE', passed: false }],
  )
  assert.equal((await app.call('GET', `/rewards/summary/${user}`)).body.pending_cashback, 7.2)
  await sell('rejected')
  await awaited(user, [
    ['CARD', 'PENDING', null, 5],
    ['AFFILIATE', 'CANCELLED', 'reversed', 0],
  ])
  // Events are numbered after their commit, so the last one may not be numbered yet.
  const reported = await eventually(async () => {
    const events = await app.call('GET', '/events?after=0&limit=100')
    const own = events.body.content.filter((event: { data: Row }) => event.data['transaction_uid'] === card)
    return own.length >= 4 && own
  })
  assert.deepEqual(
    reported.map((event: { type: string; data: Row }) => [event.type, event.data['status_reason']]),
    [
      ['transaction.created', null],
      ['transaction.updated', 'stacked'],
      ['reward.reversed', 'stacked'],
      ['transaction.updated', null],
    ],
  )
})

test('after a recorded sale, its card purchase is evaluated and displayed as already rewarded', async () => {
  const user = await activeUser()
  const sell = await clicked(user)
  await sell('approved')
  await awaited(user, [['AFFILIATE', 'PENDING', null, 7.2]])
  const asked = await app.call('POST', '/transactions/evaluate', purchase(user))
  assert.deepEqual([asked.body.eligible, asked.body.status_reason, asked.body.user_cashback], [false, 'stacked', 0])
  const paid = await app.call('POST', '/transactions', purchase(user))
  assert.deepEqual([paid.body.status, paid.body.status_reason], ['CANCELLED', 'stacked'])
})

test('rejecting an order, or an item without its order, takes the reward back in any order of arrival', async () => {
  const rejections = [(user: string) => ({ order_id: user }), (user: string) => ({ transaction_id: `${user} item` })]
  for (const rejected of rejections) {
    const user = await activeUser()
    const sell = await clicked(user)
    const item = { order_id: user, transaction_id: `${user} item` }
    await sell('approved', item)
    await awaited(user, [['AFFILIATE', 'PENDING', null, 7.2]])
    await sell('rejected', rejected(user))
    await awaited(user, [['AFFILIATE', 'CANCELLED', 'reversed', 0]])
    const other = await activeUser()
    const sellFirst = await clicked(other)
    await sellFirst('rejected', { ...rejected(other), reported_at: '2020-01-02T00:00:00Z' })
    await sellFirst('approved', {
      order_id: other,
      transaction_id: `${other} item`,
      reported_at: '2020-01-01T00:00:00Z',
    })
    await awaited(other, [['AFFILIATE', 'CANCELLED', 'reversed', 0]])
  }
})

test('an item reported with and without its order earns once', async () => {
  const user = await activeUser()
  const sell = await clicked(user)
  const item = { transaction_id: `${user} item` }
  await sell('approved', item)
  await awaited(user, [['AFFILIATE', 'PENDING', null, 7.2]])
  await sell('approved', { ...item, order_id: user })
  await sell('approved', { ...item, order_id: user, report_id: 'again' })
  await sell('rejected', { order_id: user })
  await awaited(user, [['AFFILIATE', 'CANCELLED', 'reversed', 0]])
  assert.equal((await app.call('GET', `/rewards/summary/${user}`)).body.pending_cashback, 0)
})

test('a rejected item is deducted from its order before or after approval, and the user sees why', async () => {
  const item = (user: string) => ({ order_id: user, transaction_id: 'item 2', amount: 40 })
  for (const arrival of [
    ['approved', 'rejected'],
    ['rejected', 'approved'],
  ]) {
    const user = await activeUser()
    const sell = await clicked(user)
    for (const status of arrival) await sell(status, status === 'rejected' ? item(user) : undefined)
    const [sale] = await awaited(user, [['AFFILIATE', 'PENDING', null, 4]])
    assert.deepEqual([sale?.['amount'], sale?.['refunded_amount']], [90, 40])
    const { body } = await app.call('GET', `/transactions/${sale?.['transaction_uid']}/decision?view=user`)
    assert.deepEqual(
      body.steps.map(({ sentence }: Row) => sentence),
      [
        'You spent $90.00.',
        '$40.00 of it was refunded or canceled.',
        '$50.00 of it counts for this offer.',
        'You earn 8% of $50.00.',
        'You get $4.00 back.',
      ],
    )
  }
})

test('a sale that network and publisher both report under one order number earns once', async () => {
  for (const isPostedFirst of [true, false]) {
    const user = await activeUser()
    const sell = await clicked(user)
    const sale = { ...purchase(user), external_id: `${user} posted`, source: 'AFFILIATE', order_id: user, amount: 90 }
    if (!isPostedFirst) await sell('approved')
    if (!isPostedFirst) await awaited(user, [['AFFILIATE', 'PENDING', null, 7.2]])
    const posted = await app.call('POST', '/transactions', sale)
    assert.equal(posted.body.user_cashback, isPostedFirst ? 7.2 : 0)
    if (isPostedFirst) await sell('approved')
    const rewarded = async (pending: number) =>
      eventually(async () => {
        const { body } = await app.call('GET', `/rewards/summary/${user}`)
        const shown = await app.call('GET', `/transactions/${posted.body.transaction_uid}`)
        return body.pending_cashback === pending && shown.body.status_reason !== null ? shown.body : undefined
      })
    assert.equal((await rewarded(7.2))['status_reason'], 'stacked')
    await sell('rejected', { order_id: user, transaction_id: 'item 2', amount: 40 })
    assert.equal((await rewarded(4))['status_reason'], 'stacked')
    await sell('rejected')
    assert.equal((await rewarded(0))['status_reason'], 'refunded')
  }
})

test('the books balance afterward', async () => {
  const { db } = app.service
  const found = [...(await verifyLedger(db.reader)), ...(await verifyRewards(db.reader))]
  assert.deepEqual([...found, ...(await verifyTransactions(db.reader, app.publisher))], [])
})
