import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { importCodes } from '../../src/catalog/allowances/index.ts'
import { verifyLedger } from '../../src/ledger/index.ts'
import { verifyRewards } from '../../src/purchases/transactions/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
let users = 0

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})

after(() => app.close())

async function activeUser(): Promise<string> {
  const publisher_user_id = `racer-${users++}`
  await app.call('POST', '/users', { publisher_user_id })
  await app.call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })
  return publisher_user_id
}

const giftCard = (publisher_user_id: string, external_id: string, amount = 50) => ({
  publisher_user_id,
  external_id,
  source: 'GIFT_CARD',
  offer_uid: 'offer-gadgets-gift',
  amount,
})

test('twenty concurrent copies of an event earn one reward', async () => {
  const user = await activeUser()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => app.call('POST', '/transactions', giftCard(user, 'same'))),
  )
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
  assert.equal(new Set(answers.map((answer) => answer.body.transaction_uid)).size, 1)
  const { body } = await app.call('GET', `/users/status/${user}`)
  assert.equal(body.pending_cashback, 2)
})

test('a one-time offer rewards one of twenty racing purchases, and another once the first is reversed', async () => {
  const user = await activeUser()
  const purchase = (external_id: string) => ({
    publisher_user_id: user,
    external_id,
    source: 'OTHER',
    offer_uid: 'offer-gadgets-once',
    amount: 60,
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => app.call('POST', '/transactions', purchase(`once-${user}-${index}`))),
  )
  const paid = answers.filter((answer) => answer.body.user_cashback === 10)
  assert.equal(paid.length, 1)
  assert.deepEqual(
    [...new Set(answers.filter((answer) => answer !== paid[0]).map((answer) => answer.body.status_reason))],
    ['offer_already_used'],
  )

  const reversal = {
    publisher_user_id: user,
    external_id: `rev-${user}`,
    source: 'OTHER',
    kind: 'REVERSAL',
    original_external_id: paid[0]?.body.external_id,
    amount: 60,
  }
  assert.equal((await app.call('POST', '/transactions', reversal)).body.status, 'CANCELLED')
  assert.equal((await app.call('POST', '/transactions', purchase(`again-${user}`))).body.user_cashback, 0)
  const { content } = (await app.call('GET', `/transactions?publisher_user_id=${user}&size=50`)).body
  const paying = content.filter((one: { user_cashback: number }) => one.user_cashback > 0)
  assert.deepEqual(
    paying.map((one: { status: string; user_cashback: number }) => [one.status, one.user_cashback]),
    [['PENDING', 10]],
  )
  assert.notEqual(paying[0]?.external_id, paid[0]?.body.external_id)
})

test('resending an event with different content is a conflict that lists the fields and changes nothing', async () => {
  const [one, other] = [await activeUser(), await activeUser()]
  await app.call('POST', '/transactions', giftCard(one, 'claimed'))
  const rows: [again: object, fields: string[], detail: string][] = [
    [giftCard(one, 'claimed', 25), ['amount'], 'different amount.'],
    [giftCard(other, 'claimed'), ['publisher_user_id'], 'different publisher_user_id.'],
    [
      { ...giftCard(one, 'claimed', 25), mcc: '5812', currency: 'EUR' },
      ['amount', 'currency', 'mcc'],
      'currency and mcc.',
    ],
    [{ ...giftCard(one, 'claimed'), transaction_date_time: '2026-01-31T10:15:30Z' }, ['transaction_date_time'], ''],
  ]
  for (const [again, fields, detail] of rows) {
    const { status, body } = await app.call('POST', '/transactions', again)
    assert.deepEqual([status, body.code, body.differing_fields], [409, 'event_conflict', fields])
    assert.ok(body.detail.includes(detail), body.detail)
  }
  assert.equal((await app.call('GET', `/users/status/${other}`)).body.pending_cashback, 0)
  assert.equal((await app.call('GET', `/users/status/${one}`)).body.pending_cashback, 2)
})

test('a conflict lists items only if they differ, and identifies a code from a pool by its API field', async () => {
  const brand = { brand_uid: 'brand-pool', category_id: 1, name: 'Paper Lantern', website: 'https://paper.example' }
  const terms = { refund_period_days: 5, terms_and_conditions: 'Sample.', unique_codes: true }
  const offer = { name: 'Codes', description: '$3 off', offer_type: 'VOUCHER_CODE', reward_type: 'CASHBACK_DOLLAR' }
  await app.catalog({
    categories: [{ category_id: 1, category: 'BOOKS' }],
    brands: [{ ...brand, offers: [{ ...offer, ...terms, offer_uid: 'offer-pool', commission: { amount: 3 } }] }],
  })
  const codes = ['POOL-A1', 'POOL-B2'].map((code) => ({ code, expiresOn: null }))
  await app.service.db.transaction((tx) =>
    importCodes(tx, app.service.vault, { offerUid: 'offer-pool', environment: 'sandbox' }, codes, new Date()),
  )
  const user = await activeUser()
  const itemized = { ...giftCard(user, 'itemized'), items: [{ sku: 'A', product_group: 'shoes', amount: 30 }] }
  const event = { publisher_user_id: user, external_id: 'coded', source: 'VOUCHER', amount: 20 }
  const rows: [first: object, again: object, fields: string[]][] = [
    [itemized, { ...itemized, amount: 60 }, ['amount']],
    [itemized, { ...itemized, items: [{ sku: 'A', product_group: 'shoes', amount: 31 }] }, ['items']],
    [{ ...event, voucher_code: 'POOL-A1' }, { ...event, voucher_code: 'POOL-B2' }, ['voucher_code']],
  ]
  for (const [first, again, fields] of rows) {
    assert.equal((await app.call('POST', '/transactions', first)).status, 200)
    const { status, body } = await app.call('POST', '/transactions', again)
    assert.deepEqual([status, body.code, body.differing_fields], [409, 'event_conflict', fields])
  }
})

test('an invalid batch item fails by itself, and an item repeated in the batch creates no second purchase', async () => {
  const user = await activeUser()
  const good = giftCard(user, 'batch-1')
  const { status, body } = await app.call('POST', '/transactions', {
    transactions: [
      good,
      { ...good, amount: -1 },
      good,
      { ...good, publisher_user_id: 'nobody' },
      { ...good, amount: 25 },
    ],
  })
  assert.equal(status, 200)
  const [first, invalid, repeat, stranger, conflict] = body.results
  assert.deepEqual(
    [first.status, invalid.status, repeat.status, stranger.status, conflict.status],
    [200, 400, 200, 404, 409],
  )
  assert.deepEqual(conflict.error.differing_fields, ['amount'])
  assert.equal(invalid.error.errors[0].field, 'amount')
  assert.equal(repeat.id, first.id)
  assert.equal((await app.call('GET', `/users/status/${user}`)).body.pending_cashback, 2)
})

test("twenty refunds racing with the reward's maturity take back the exact amount", async () => {
  const user = await activeUser()
  await app.call('POST', '/transactions', giftCard(user, `ripe-${user}`))
  const refund = (index: number) => ({
    publisher_user_id: user,
    external_id: `refund-${user}-${index}`,
    source: 'GIFT_CARD',
    kind: 'REFUND',
    original_external_id: `ripe-${user}`,
    amount: 1,
  })
  await Promise.all([
    app.call('POST', '/sandbox/clock', { advance_days: 2 }),
    ...Array.from({ length: 20 }, (_, index) => app.call('POST', '/transactions', refund(index))),
  ])
  const { body } = await app.call('GET', `/rewards/summary/${user}`)
  // The user keeps 4% of the remaining 30 dollars.
  assert.equal(body.available_cashback + body.pending_cashback - body.debt, 1.2)
})

test('reusing an Idempotency-Key replays the first response, and different input is rejected', async () => {
  const headers = { 'Idempotency-Key': 'user-key-1' }
  const first = await app.call('POST', '/users', { publisher_user_id: 'keyed' }, headers)
  const again = await app.call('POST', '/users', { publisher_user_id: 'keyed' }, headers)
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await app.call('POST', '/users', { publisher_user_id: 'keyed-2' }, headers)
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency_key_reused')
  const racing = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.call('POST', '/users', { publisher_user_id: 'keyed-3' }, { 'Idempotency-Key': 'race' }),
    ),
  )
  assert.deepEqual([...new Set(racing.map((answer) => answer.status))], [200])
})

test('the books balance after all races', async () => {
  assert.deepEqual(await verifyLedger(app.service.db.reader), [])
  assert.deepEqual(await verifyRewards(app.service.db.reader), [])
})
