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

const reveal = (card: string, headers = {}) => app.call('POST', `/gift-cards/${card}/reveal`, undefined, headers)
const refund = (card: string) => app.call('POST', `/gift-cards/${card}/refund`)

test('a code is revealed once; an operator can allow another reveal, which is audited', async () => {
  const name = await app.user()
  const { order_id, cards } = await app.deliver(name, { 25: 1 })
  const [{ card_id: card, masked }] = cards
  const { status, body } = await reveal(card)
  assert.equal(status, 200)
  assert.match(body.number, /^\d{16}$/)
  assert.match(body.code, /^\d{8}$/)
  assert.equal(masked, `••••${body.number.slice(-4)}`)
  const second = await reveal(card)
  assert.deepEqual([second.status, second.body.code], [409, 'card_revealed'])
  const shown = (await app.find(order_id)).cards[0]
  assert.equal(second.body.revealed_at, shown.revealed_at)
  const allowed = await app.operator('POST', `/operator/gift-cards/${card}/allow-reveal`, { reason: 'lost' })
  assert.equal(allowed.status, 200)
  assert.deepEqual((await reveal(card)).body, body)
  assert.equal((await reveal(card)).body.revealed_at, shown.revealed_at)
  const { body: audit } = await app.operator('GET', `/operator/audit?subject=${card}`)
  assert.deepEqual(
    audit.content.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [['gift_card.reveal_allowed', { reason: 'lost' }]],
  )
})

test('only one of twenty concurrent requests for a code gets it', async () => {
  const { cards } = await app.deliver(await app.user(), { 25: 1 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => reveal(cards[0].card_id)))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, ...Array.from({ length: 19 }, () => 409)],
  )
})

test('a request repeated with the same Idempotency-Key gets the code again', async () => {
  const { cards } = await app.deliver(await app.user(), { 25: 1 })
  const key = { 'Idempotency-Key': 'reveal-1' }
  const first = await reveal(cards[0].card_id, key)
  assert.deepEqual((await reveal(cards[0].card_id, key)).body, first.body)
})

test('a card that has not been delivered has no code and no balance, and cannot be refunded', async () => {
  const name = await app.user()
  for (const [denomination, status] of [
    [25.02, 'undelivered'],
    [25.03, 'ordered'],
  ] as const) {
    const { cards } = await app.deliver(name, { [denomination]: 1 }, { external_ref: status })
    const { card_id } = cards[0]
    for (const answer of [await reveal(card_id), await refund(card_id)])
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.status_of ?? status],
        [409, 'gift_card_status', status],
      )
    assert.equal((await app.call('GET', `/gift-cards/${card_id}/balance`)).status, 409)
    const allowed = await app.operator('POST', `/operator/gift-cards/${card_id}/allow-reveal`, { reason: 'lost' })
    assert.equal(allowed.status, 409)
  }
  for (const unknown of ['gcd_01kbjyt5v3f4nvj5yq5yfypr9v', 'none']) {
    assert.equal((await reveal(unknown)).status, 404)
    assert.equal((await refund(unknown)).status, 404)
    assert.equal((await app.call('GET', `/gift-cards/${unknown}/balance`)).status, 404)
    const allowed = await app.operator('POST', `/operator/gift-cards/${unknown}/allow-reveal`, { reason: 'lost' })
    assert.equal(allowed.status, 404)
  }
})

test("a card's balance is always fetched from the supplier", async () => {
  const { order_id, cards } = await app.deliver(await app.user(), { 25: 1 })
  const balance = async () => (await app.call('GET', `/gift-cards/${cards[0].card_id}/balance`)).body
  assert.deepEqual(await balance(), { card_id: cards[0].card_id, balance: 25, currency: 'USD' })
  const [supplied] = await app.supplied(order_id)
  await app.simulate(`cards/${supplied?.cards[0]?.card_id}`, { balance: '3.5' })
  assert.equal((await balance()).balance, 3.5)
  await app.simulate('faults', { calls: 1, fault: 'unreadable' })
  assert.deepEqual((await balance()).code, 'gift_card_supplier_unavailable')
})

test('refunding an unused card reverses its reward once; refunding the last one refunds the order', async () => {
  const name = await app.user()
  const { order_id, cards } = await app.deliver(name, { 25: 2 })
  assert.equal((await app.balances(name)).pending, 2)
  const [first, second] = cards
  const asked = await refund(first.card_id)
  assert.deepEqual([asked.status, asked.body.cards[0].status], [200, 'refunding'])
  assert.equal((await reveal(first.card_id)).body.code, 'gift_card_status')
  await Promise.all(Array.from({ length: 5 }, () => refund(first.card_id)))
  await app.pass()
  const order = await app.find(order_id)
  assert.deepEqual([order.status, order.cards[0].status, order.refunded_total], ['delivered', 'refunded', 25])
  assert.deepEqual(await app.balances(name), { pending: 1, available: 0, debt: 0 })
  assert.equal((await refund(first.card_id)).body.cards[0].status, 'refunded')
  await refund(second.card_id)
  await app.pass()
  assert.equal((await app.find(order_id)).status, 'refunded')
  assert.equal((await app.balances(name)).pending, 0)
  assert.deepEqual((await app.events(name)).slice(2), ['gift_card.refunded', 'gift_card.refunded'])
})

test('a refund after the reward has matured claws the reward back', async () => {
  const name = await app.user()
  const { cards } = await app.deliver(name, { 50: 1 })
  await app.pass({ advance_days: 16 })
  assert.deepEqual(await app.balances(name), { pending: 0, available: 2, debt: 0 })
  await refund(cards[0].card_id)
  await app.pass()
  assert.deepEqual(await app.balances(name), { pending: 0, available: 0, debt: 0 })
})

test('a partially spent card is not refunded and remains usable', async () => {
  const name = await app.user()
  const { order_id, cards } = await app.deliver(name, { 25.06: 1 })
  await refund(cards[0].card_id)
  await app.pass()
  const order = await app.find(order_id)
  assert.deepEqual([order.status, order.cards[0].status], ['delivered', 'delivered'])
  assert.equal((await app.balances(name)).pending, 1)
  assert.equal((await app.events(name)).at(-1), 'gift_card.refund_refused')
  assert.equal((await reveal(cards[0].card_id)).status, 200)
})

test("a refund is retried if the supplier's response is lost", async () => {
  const name = await app.user()
  const { order_id, cards } = await app.deliver(name, { 25: 1 })
  await app.simulate('faults', { calls: 2, fault: 'lost_answer' })
  await refund(cards[0].card_id)
  for (let calls = 0; calls < 4; calls++) await app.pass()
  assert.equal((await app.find(order_id)).status, 'refunded')
  assert.deepEqual((await app.events(name)).slice(2), ['gift_card.refunded'])
})
