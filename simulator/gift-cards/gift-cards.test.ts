import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test-support.ts'
import { day, openSupplier, request } from './test-support.ts'

test('an order is delivered immediately, one card per unit, and a repeat returns the same cards', async (t) => {
  const supplier = await openSupplier(t)
  const { status, body } = await supplier.order(request('ref', ['25.00 x 2', '50 x 1']))
  assert.deepEqual([status, body.status], [200, 'delivered'])
  assert.deepEqual(
    body.cards.map(({ denomination }) => denomination),
    ['25.00', '25.00', '50.00'],
  )
  for (const { number, code, expires_on } of body.cards) {
    assert.match(number, /^\d{16}$/)
    assert.match(code, /^\d{8}$/)
    assert.equal(expires_on, '2031-12-31')
  }
  const again = await supplier.order(request('ref', ['25 x 2', '50.0 x 1'], { at: day(1) }))
  assert.deepEqual(again.body, body)
  assert.deepEqual(await supplier.find(body.order_id, 2), body)
  const other = await supplier.order(request('ref', ['25.00 x 1']))
  assert.deepEqual([other.status, other.body.error.code], [409, 'reference_reused'])
  const elsewhere = await supplier.order(request('ref', ['25.00 x 1'], { account: 'acct-b' }))
  assert.notEqual(elsewhere.body.order_id, body.order_id)
})

test("an order's denominations determine its outcome", async (t) => {
  const supplier = await openSupplier(t)
  const outcome = async (reference: string, lines: readonly string[]) => {
    const { status, body } = await supplier.order(request(reference, lines))
    return status === 200 ? `${body.status} ${body.cards.length}` : `${status} ${body.error.code}`
  }
  assert.equal(await outcome('stock', ['25.01 x 1']), '422 out_of_stock')
  assert.equal(await outcome('partial', ['25.00 x 1', '25.02 x 2']), 'partially_delivered 1')
  assert.equal(await outcome('none', ['25.02 x 1']), 'failed 0')
  assert.equal(await outcome('late', ['25.03 x 1']), 'processing 0')
  assert.equal(await outcome('lost', ['25.04 x 1']), '503 unavailable')
  assert.equal(await outcome('lost', ['25.04 x 1']), 'delivered 1')
  for (let calls = 0; calls < 2; calls++) assert.equal(await outcome('twice', ['25.05 x 1']), '503 unavailable')
  assert.equal(await outcome('twice', ['25.05 x 1']), 'delivered 1')
  const { orders } = await supplier.ask<{ orders: { reference: string }[] }>('gift-cards')
  assert.deepEqual(
    orders.map(({ reference }) => reference),
    ['twice', 'lost', 'late', 'none', 'partial'],
  )
})

test("a delayed order is delivered one day later on the caller's clock", async (t) => {
  const supplier = await openSupplier(t)
  const { order_id } = (await supplier.order(request('ref', ['25.03 x 1']))).body
  assert.equal((await supplier.find(order_id, 0.99)).status, 'processing')
  assert.equal((await supplier.find(order_id, 1)).status, 'delivered')
  const unknown = await supplier.supply('GET', `orders/gor_none?${new URLSearchParams({ at: day(1) })}`)
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'order_not_found'])
})

test('an unused card can be refunded once, but a used one cannot', async (t) => {
  const supplier = await openSupplier(t)
  const { cards } = (await supplier.order(request('ref', ['25.00 x 2', '25.06 x 1']))).body
  const [kept = '', spent = '', used = ''] = cards.map(({ card_id }) => card_id)
  const balance = async (card: string) => (await supplier.supply('GET', `cards/${card}/balance`)).body.balance
  assert.equal(await balance(kept), '25.00')
  await supplier.control(`gift-cards/cards/${spent}`, { balance: '24.99' })
  assert.deepEqual([await balance(spent), await balance(used)], ['24.99', '0.00'])
  for (const card of [spent, used]) {
    const { status, body } = await supplier.supply('POST', `cards/${card}/refund`)
    assert.deepEqual([status, body.error.code], [422, 'card_used'])
  }
  for (let calls = 0; calls < 2; calls++)
    assert.equal((await supplier.supply('POST', `cards/${kept}/refund`)).body.status, 'refunded')
  assert.equal(await balance(kept), '0.00')
  assert.equal((await supplier.supply('POST', 'cards/gcd_none/refund')).status, 404)
  assert.equal((await supplier.supply('GET', 'cards/gcd_none/balance')).status, 404)
})

test('a quote contains the discounted price and an expiry time, and records nothing', async (t) => {
  const supplier = await openSupplier(t)
  const { product, currency, lines, at } = request('', ['25.00 x 2'])
  const quote = (more: object) => supplier.supply('POST', 'quotes', { product, currency, lines, at, ...more })
  assert.deepEqual((await quote({})).body, {
    face_value: '50.00',
    price: '48.00',
    currency: 'USD',
    valid_until: '2026-03-01T12:15:00.000Z',
  })
  for (const [code, more] of [
    ['currency_unsupported', { currency: 'EUR' }],
    ['denomination_unavailable', { product: 'games-usd' }],
    ['denomination_unavailable', { product: 'fashion-usd', lines: [{ denomination: '9.99', quantity: 1 }] }],
    ['out_of_stock', { lines: [{ denomination: '25.01', quantity: 1 }] }],
  ] as const)
    assert.equal((await quote(more)).body.error.code, code)
  assert.deepEqual(await supplier.ask('gift-cards'), { orders: [] })
  const listed = (await supplier.supply('GET', 'products')).body.products
  assert.deepEqual(listed.find((one) => one.product === 'games-usd')?.denominations, ['20.00', '60.00'])
})

test("a malformed call's error names the invalid field, and a call without a bearer token is rejected", async (t) => {
  const supplier = await openSupplier(t)
  for (const [field, fault] of [
    ['account', { account: '' }],
    ['reference', { reference: 'a b' }],
    ['product', { product: undefined }],
    ['currency', { currency: 'usd' }],
    ['lines', { lines: [] }],
    ['lines.0.denomination', { lines: [{ denomination: '1.234', quantity: 1 }] }],
    ['lines.0.quantity', { lines: [{ denomination: '5', quantity: 0 }] }],
    ['at', { at: 'now' }],
    ['colour', { colour: 'red' }],
  ] as const) {
    const { status, body } = await supplier.order(request('ref', ['25.00 x 1'], fault))
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'invalid', field])
  }
  assert.equal((await fetch(`${supplier.url}/gift-cards/v1/products`)).status, 401)
})

test('orders and cards survive a restart', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'state.json')
  const first = await openSupplier(t, { dataFile })
  const { body } = await first.order(request('ref'))
  await first.close()
  const second = await openSupplier(t, { dataFile })
  assert.deepEqual((await second.order(request('ref'))).body, body)
})
