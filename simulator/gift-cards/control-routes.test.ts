import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSupplier, request } from './test-support.ts'

test('the next orders can be delayed, partial, failed or out of stock, and later ones are normal', async (t) => {
  const supplier = await openSupplier(t)
  const order = async (reference: string) => {
    const { status, body } = await supplier.order(request(reference, ['25.00 x 2']))
    return status === 200 ? `${body.status} ${body.cards.length}` : `${status} ${body.error.code}`
  }
  const expected = {
    delayed: 'processing 0',
    partial: 'partially_delivered 1',
    failed: 'failed 0',
    out_of_stock: '422 out_of_stock',
  }
  for (const [outcome, found] of Object.entries(expected)) {
    assert.equal((await supplier.control('gift-cards/next', { orders: 1, outcome })).status, 200)
    assert.equal(await order(outcome), found)
    assert.equal(await order(`${outcome}-2`), 'delivered 2')
  }
  await supplier.control('gift-cards/next', { orders: 5, outcome: 'failed' })
  await fetch(`${supplier.url}/_sim/gift-cards/next`, { method: 'DELETE' })
  assert.deepEqual(await supplier.ask('gift-cards/next'), { outcome: null, orders: 0 })
})

test('the outcome of a delayed order can be set, but not that of a finished one', async (t) => {
  const supplier = await openSupplier(t)
  const { order_id } = (await supplier.order(request('ref', ['25.03 x 2']))).body
  assert.equal(
    (await supplier.control(`gift-cards/orders/${order_id}`, { outcome: 'partially_delivered' })).status,
    200,
  )
  assert.equal((await supplier.find(order_id, 0)).status, 'partially_delivered')
  const late = await supplier.control(`gift-cards/orders/${order_id}`, { outcome: 'failed' })
  assert.deepEqual([late.status, late.body.error_code], [409, 'OUTCOME_IMPOSSIBLE'])
  assert.equal((await supplier.control('gift-cards/orders/gor_none', { outcome: 'failed' })).status, 404)
})

test('the order list contains no codes and only the last four digits of card numbers', async (t) => {
  const supplier = await openSupplier(t)
  const { cards } = (await supplier.order(request('ref'))).body
  const list = JSON.stringify(await supplier.ask('gift-cards?reference=ref'))
  const [card] = cards
  assert.ok(card !== undefined && list.includes(card.number.slice(-4)))
  assert.ok(!list.includes(card.number) && !list.includes(card.code))
})

test('a product can go out of stock and be restocked', async (t) => {
  const supplier = await openSupplier(t)
  await supplier.control('gift-cards/products', { product: 'off_books', in_stock: false })
  assert.equal((await supplier.order(request('ref'))).body.error.code, 'out_of_stock')
  await supplier.control('gift-cards/products', { product: 'off_books', in_stock: true })
  assert.equal((await supplier.order(request('ref'))).status, 200)
})

test("a balance cannot exceed the card's denomination, and a refunded card cannot have one", async (t) => {
  const supplier = await openSupplier(t)
  const { cards } = (await supplier.order(request('ref'))).body
  const card = cards[0]?.card_id
  const set = async (balance: string, id = card) =>
    (await supplier.control(`gift-cards/cards/${id}`, { balance })).status
  assert.deepEqual([await set('25.01'), await set('0'), await set('25'), await set('5', 'none')], [409, 200, 200, 404])
  await supplier.supply('POST', `cards/${card}/refund`)
  assert.equal(await set('1'), 409)
})

test('the next calls fail as configured', async (t) => {
  const supplier = await openSupplier(t)
  await supplier.control('gift-cards/faults', { calls: 1, fault: 'unavailable' })
  assert.equal((await supplier.order(request('ref'))).status, 503)
  assert.deepEqual(await supplier.ask('gift-cards'), { orders: [] })
  for (const fault of ['lost_answer', 'unreadable']) {
    await supplier.control('gift-cards/faults', { calls: 1, fault })
    await assert.rejects(supplier.order(request(fault)))
    assert.equal((await supplier.order(request(fault))).body.status, 'delivered')
  }
  await supplier.control('gift-cards/faults', { calls: 9, fault: 'unavailable' })
  await fetch(`${supplier.url}/_sim/gift-cards/faults`, { method: 'DELETE' })
  assert.equal((await supplier.order(request('ref'))).status, 200)
})
