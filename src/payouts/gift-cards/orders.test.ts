import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type GiftCardApp, startGiftCardApp } from './test-support.ts'

let app: GiftCardApp

before(async () => {
  app = await startGiftCardApp()
})

after(async () => {
  await app.closeWithSoundBooks()
})

const statuses = (order: { cards: { status: string }[] }) => order.cards.map(({ status }) => status)

test('each card in an order is a purchase whose reward starts out pending and then matures', async () => {
  const name = await app.user()
  const ordered = await app.place(name, { 25: 2, 50: 1 })
  assert.deepEqual([ordered.status, ordered.total, ordered.external_ref], ['ordered', 100, 'ref-1'])
  assert.deepEqual(ordered.items, [
    { denomination: 25, quantity: 2 },
    { denomination: 50, quantity: 1 },
  ])
  assert.deepEqual(await app.balances(name), { pending: 4, available: 0, debt: 0 })
  await app.pass()
  const order = await app.find(ordered.order_id)
  assert.deepEqual([order.status, statuses(order)], ['delivered', ['delivered', 'delivered', 'delivered']])
  assert.deepEqual([order.undelivered_total, order.refunded_total, order.version], [0, 0, 2])
  for (const card of order.cards) {
    assert.match(card.masked, /^••••\d{4}$/)
    const { body } = await app.call('GET', `/transactions/${card.transaction_uid}`)
    assert.deepEqual([body.status, body.offer_uid], ['PENDING', 'offer-cards'])
  }
  assert.deepEqual(await app.events(name), ['gift_card.ordered', 'gift_card.delivered'])
  await app.pass({ advance_days: 16 })
  assert.deepEqual(await app.balances(name), { pending: 0, available: 4, debt: 0 })
})

test('a quote returns what the order would earn, even for an offer that each user can use only once', async () => {
  const name = await app.user()
  const { external_ref, ...request } = app.orderBody(name, { 100: 2 }, { offer_uid: 'offer-once' })
  const { status, body } = await app.call('POST', '/gift-cards/quotes', request)
  assert.equal(status, 200)
  assert.deepEqual([body.total, body.currency, body.user_cashback], [200, 'USD', 10])
  assert.deepEqual(
    body.cards.map((card: { status_reason: string | null }) => card.status_reason),
    [null, 'offer_already_used'],
  )
  assert.ok(Date.parse(body.valid_until) > Date.now())
  assert.deepEqual((await app.call('GET', `/gift-cards/orders?publisher_user_id=${name}`)).body.content, [])
  await app.place(name, { 100: 2 }, { offer_uid: 'offer-once', external_ref })
  assert.equal((await app.balances(name)).pending, 10)
})

test('a partial delivery keeps the rewards of the delivered cards', async () => {
  const name = await app.user()
  const order = await app.deliver(name, { 50: 1, 25.02: 2 })
  assert.deepEqual(
    [order.status, statuses(order)],
    ['partially_delivered', ['delivered', 'undelivered', 'undelivered']],
  )
  assert.deepEqual([order.undelivered_total, order.reason_code], [50.04, null])
  assert.deepEqual(await app.balances(name), { pending: 2, available: 0, debt: 0 })
  const { body } = await app.call('GET', `/transactions/${order.cards[1].transaction_uid}`)
  assert.deepEqual([body.status, body.status_reason], ['CANCELLED', 'reversed'])
  assert.deepEqual(await app.events(name), ['gift_card.ordered', 'gift_card.delivered'])
})

for (const [what, cards, reason] of [
  ['for which the supplier delivers nothing', { 25.02: 2 }, 'not_delivered'],
  ['that the supplier refuses because it is out of stock', { 25: 1, 25.01: 1 }, 'out_of_stock'],
] as const)
  test(`an order ${what} fails and earns nothing`, async () => {
    const name = await app.user()
    const order = await app.deliver(name, cards)
    assert.deepEqual([order.status, order.reason_code, order.undelivered_total], ['failed', reason, order.total])
    assert.deepEqual(await app.balances(name), { pending: 0, available: 0, debt: 0 })
    assert.deepEqual(await app.events(name), ['gift_card.ordered', 'gift_card.failed'])
  })

test('a delayed order is polled until it is delivered', async () => {
  const name = await app.user()
  const order = await app.deliver(name, { 25.03: 1 })
  assert.equal(order.status, 'ordered')
  await app.pass({ advance_days: 1 })
  assert.equal((await app.find(order.order_id)).status, 'delivered')
})

test('a publisher cannot use an event ID reserved for a delivery', async () => {
  const name = await app.user()
  const { order_id } = await app.place(name, { 25.03: 1 }, { external_ref: 'taken' })
  const event = { publisher_user_id: name, source: 'GIFT_CARD', amount: 1, offer_uid: 'offer-cards' }
  for (const [external_id, expected] of [
    [`${order_id}:1:delivered`, 409],
    ['gift-4711', 200],
  ] as const)
    assert.equal((await app.call('POST', '/transactions', { ...event, external_id })).status, expected)
  await app.pass()
  await app.pass({ advance_days: 2 })
  assert.equal((await app.find(order_id)).status, 'delivered')
})

test('the supplier delivers an order only once, no matter which response is lost', async () => {
  const name = await app.user()
  const lost = async (ref: string, cards: Record<number, number>) => {
    const { order_id } = await app.place(name, cards, { external_ref: ref })
    for (let calls = 0; calls < 4; calls++) await app.pass()
    assert.equal((await app.find(order_id)).status, 'delivered', ref)
    const orders = await app.supplied(order_id)
    assert.deepEqual([orders.length, orders[0]?.cards.length], [1, 1], ref)
  }
  await lost('first answer', { 25.04: 1 })
  await lost('twice unavailable', { 25.05: 1 })
  for (const fault of ['lost_answer', 'unreadable', 'unavailable']) {
    await app.simulate('faults', { calls: 2, fault })
    await lost(fault, { 25: 1 })
  }
})

test('twenty concurrent requests with one external_ref place one order, sent to the supplier once', async () => {
  const name = await app.user()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => app.call('POST', '/gift-cards/orders', app.orderBody(name, { 25: 2 }))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const ids = new Set(answers.map(({ body }) => body.order_id as string))
  assert.equal(ids.size, 1)
  await app.pass()
  const [orderId = ''] = ids
  assert.equal((await app.supplied(orderId)).length, 1)
  assert.deepEqual(await app.balances(name), { pending: 2, available: 0, debt: 0 })
  const again = await app.place(name, { 25: 2 })
  assert.deepEqual([again.order_id, again.status], [orderId, 'delivered'])
})

test('reusing an external_ref for a different order is refused', async () => {
  const name = await app.user()
  await app.place(name, { 25: 1 })
  for (const other of [app.orderBody(name, { 25: 2 }), app.orderBody(name, { 50: 1 })]) {
    const { status, body } = await app.call('POST', '/gift-cards/orders', other)
    assert.deepEqual([status, body.code, body.differing_fields], [409, 'gift_card_order_conflict', ['items']])
  }
  const someone = await app.user()
  assert.equal((await app.call('POST', '/gift-cards/orders', app.orderBody(someone, { 25: 2 }))).status, 200)
})

test('an order that cannot be placed is refused, and so is a quote for it', async () => {
  const name = await app.user()
  const refusal = async (path: string, request: object) => {
    const { status, body } = await app.call('POST', path, request)
    return `${status} ${body.code}`
  }
  for (const [expected, cards, more] of [
    ['404 user_not_found', { 25: 1 }, { publisher_user_id: 'nobody' }],
    ['404 offer_unknown', { 25: 1 }, { offer_uid: 'offer-none' }],
    ['409 offer_not_available', { 25: 1 }, { offer_uid: 'offer-any' }],
    ['409 offer_not_available', { 25: 1 }, { offer_uid: 'offer-over' }],
    ['422 denomination_invalid', { 26: 1 }, {}],
    ['400 invalid_input', { 25: 51 }, {}],
    ['400 invalid_input', { 25: 50, 50: 1 }, {}],
    ['400 invalid_input', { 25: 0 }, {}],
  ] as const) {
    const { external_ref, ...quoted } = app.orderBody(name, cards, more)
    assert.equal(await refusal('/gift-cards/orders', { ...quoted, external_ref }), expected)
    assert.equal(await refusal('/gift-cards/quotes', quoted), expected)
  }
  const { external_ref: _, ...outOfStock } = app.orderBody(name, { 25.01: 1 })
  assert.equal(await refusal('/gift-cards/quotes', outOfStock), '409 gift_card_unavailable')
  // The worker may also be calling the supplier about other tests' orders.
  await app.simulate('faults', { calls: 100, fault: 'unavailable' })
  assert.equal(await refusal('/gift-cards/quotes', outOfStock), '503 gift_card_supplier_unavailable')
  await app.simulate('faults', { calls: 0, fault: 'unavailable' })
})

test('a production publisher has no gift card supplier', async () => {
  const { call } = await app.tenant({ environment: 'production' })
  const name = await app.user(call)
  const { status, body } = await call('POST', '/gift-cards/orders', app.orderBody(name, { 25: 1 }))
  assert.deepEqual([status, body.code], [409, 'gift_card_supplier_missing'])
})

test('orders are listed newest first and can be filtered by user, status, reference and day', async () => {
  const name = await app.user()
  const first = await app.deliver(name, { 25: 1 }, { external_ref: 'a' })
  const second = await app.deliver(name, { 25.02: 1 }, { external_ref: 'b' })
  const list = async (query: string) => {
    const { body } = await app.call('GET', `/gift-cards/orders?publisher_user_id=${name}${query}`)
    return body.content.map(({ order_id }: { order_id: string }) => order_id)
  }
  assert.deepEqual(await list(''), [second.order_id, first.order_id])
  assert.deepEqual(await list('&status=failed'), [second.order_id])
  assert.deepEqual(await list('&external_ref=a'), [first.order_id])
  assert.deepEqual(await list('&end_date=2020-01-01'), [])
  assert.deepEqual(await list('&start_date=2020-01-01&size=1'), [second.order_id])
  assert.equal((await app.call('GET', '/gift-cards/orders/gco_01kbjyt5v3f4nvj5yq5yfypr9v')).status, 404)
  assert.equal((await app.call('GET', '/gift-cards/orders/none')).status, 404)
})
