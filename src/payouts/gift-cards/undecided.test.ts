import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { systemClock } from '../../platform/clock.ts'
import { workOff } from '../../platform/queue/leased-work.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import { showUndecided } from './metrics.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'
import { type GiftCardApp, startGiftCardApp } from './test-support.ts'
import { createGiftCardWork } from './work.ts'

// Starts only the API, so the supplier is called when a test moves the sandbox clock.

let app: GiftCardApp

before(async () => {
  app = await startGiftCardApp({ settings: { LAUREL_ROLE: 'api' } })
})

after(() => app.closeWithSoundBooks())

async function onDesk(what: string): Promise<number> {
  const { content } = (await app.operator('GET', '/operator/desk')).body
  return content.find((one: { what: string }) => one.what === what).count
}

async function gauge(): Promise<number | undefined> {
  await showUndecided(app.service.db.reader)
  const { values } = (await registry.getSingleMetric('laurel_gift_cards_undecided')?.get()) ?? { values: [] }
  return values.find(({ labels }) => labels['kind'] === 'order' && labels['environment'] === 'sandbox')?.value
}

/** Backdates everything in the queue by the given number of hours. */
const wait = (hours: number) =>
  app.owner.reader`update gift_card_queue set queued_at = now() - make_interval(hours => ${hours})`

const end = (orderId: string, reason = 'The supplier has lost it.') =>
  app.operator('POST', `/operator/gift-cards/orders/${orderId}/end`, { reason })

async function readContradictions(subject: string) {
  const { content } = (await app.operator('GET', '/operator/contradictions')).body
  return content.filter((one: { subject: string }) => one.subject === subject)
}

/** Creates a user with an available balance of 50.00. */
async function earner(): Promise<string> {
  const name = await app.user()
  const purchase = { publisher_user_id: name, source: 'GIFT_CARD', offer_uid: 'offer-any', amount: 5000 }
  await app.call('POST', '/transactions', { ...purchase, external_id: `earned by ${name}` })
  await app.pass({ advance_days: 2 })
  return name
}

test('an order left undecided by the supplier is listed, and fails when an operator ends it', async () => {
  const name = await app.user()
  await app.simulate('faults', { calls: 1_000, fault: 'unavailable' })
  const { order_id } = await app.place(name, { 25: 2 })
  await app.pass()
  assert.deepEqual([await onDesk('gift_card_orders'), await gauge()], [0, 0])
  await wait(2)
  assert.deepEqual([await onDesk('gift_card_orders'), await gauge()], [1, 1])
  const { content } = (await app.operator('GET', '/operator/gift-cards/undecided')).body
  const [shown] = content
  assert.deepEqual(
    [content.length, shown.order_id, shown.publisher_user_id, shown.total, shown.supplier_order_id, shown.cards.length],
    [1, order_id, name, 50, null, 2],
  )
  assert(shown.attempts >= 1)
  const { status, body: ended } = await end(order_id)
  assert.deepEqual([status, ended.status, ended.undelivered_total], [200, 'failed', 50])
  assert.deepEqual([ended.reason_code, ended.reason_text], ['ended_by_operator', 'The supplier has lost it.'])
  assert.deepEqual(await app.balances(name), { pending: 0, available: 0, debt: 0 })
  assert.deepEqual([await onDesk('gift_card_orders'), await gauge()], [0, 0])
  const { content: entries } = (await app.operator('GET', `/operator/audit?subject=${order_id}`)).body
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['gift_card_order.ended'],
  )
  assert.equal((await end(order_id)).body.version, ended.version)
  // Once the order has failed, the user must not get the cards.
  await app.simulate('faults', { calls: 0, fault: 'unavailable' })
  await app.pass()
  assert.deepEqual(await app.supplied(order_id), [])
  assert.deepEqual(await app.events(name), ['gift_card.ordered', 'gift_card.failed'])
})

test('ending an order returns the cashback that paid for it, exactly once', async () => {
  const name = await earner()
  const { body: redemption } = await app.call('POST', '/redemptions', {
    publisher_user_id: name,
    amount: 25.03,
    method: 'gift_card',
    offer_uid: 'offer-cards',
    external_ref: 'r',
  })
  await app.pass()
  const [order] = (await app.call('GET', `/gift-cards/orders?publisher_user_id=${name}`)).body.content
  assert.deepEqual(
    (await Promise.all([end(order.order_id), end(order.order_id)])).map(({ body }) => body.status),
    ['failed', 'failed'],
  )
  await app.pass()
  const { body } = await app.call('GET', `/redemptions/${redemption.redemption_id}`)
  assert.deepEqual([body.status, body.reason_code], ['failed', 'ended_by_operator'])
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
  // The supplier delivers a day later.
  await app.pass({ advance_days: 2 })
  await app.pass()
  assert.equal((await readContradictions(order.order_id)).length, 1)
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
  assert.equal((await app.call('GET', `/redemptions/${redemption.redemption_id}`)).body.status, 'failed')
})

test('cards delivered after an operator ended the order are reported to operators, not given to the user', async () => {
  const name = await app.user()
  const { order_id } = await app.place(name, { 25.03: 2 })
  await app.pass()
  await end(order_id)
  const before = await onDesk('contradictions')
  await app.pass({ advance_days: 1 })
  assert.equal(await onDesk('contradictions'), before + 1)
  const [found] = await readContradictions(order_id)
  assert.deepEqual(
    [found.known, found.reported, found.reported_by, found.text],
    ['failed', 'delivered', 'supplier', '2 cards'],
  )
  assert.match(found.reference, /^gor_/)
  const order = await app.find(order_id)
  assert.deepEqual([order.status, order.undelivered_total], ['failed', 50.06])
  const reveal = await app.call('POST', `/gift-cards/${order.cards[0].card_id}/reveal`)
  assert.deepEqual([reveal.status, reveal.body.code], [409, 'gift_card_status'])
  assert.deepEqual(await app.balances(name), { pending: 0, available: 0, debt: 0 })
  const acknowledge = () =>
    app.operator('POST', `/operator/contradictions/${found.contradiction_id}/acknowledge`, {
      note: 'It takes them back.',
    })
  assert.equal((await acknowledge()).status, 200)
  assert.equal(await onDesk('contradictions'), before)
  assert.deepEqual((await acknowledge()).body.code, 'contradiction_not_found')
  await app.pass({ advance_days: 1 })
  assert.deepEqual(await readContradictions(order_id), [])
})

test('a delivery that arrives while an operator is ending the order is recorded as a contradiction', async () => {
  const name = await app.user()
  const { order_id } = await app.place(name, { 25: 1 })
  const card = {
    supplierCardId: 'c-1',
    denomination: '25.00',
    number: '4111111111111111',
    code: '1234',
    expiresOn: null,
  }
  const supplier = {
    order: async () => {
      await end(order_id)
      return { status: 'ended', supplierOrderId: 'late-1', cards: [card] }
    },
  } as unknown as GiftCardSupplier
  const { db, catalog, vault } = app.service
  const deps = {
    db,
    catalog,
    vault,
    giftCardSupplier: supplier,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  }
  await workOff(createGiftCardWork(deps, app.publisher.id))
  assert.equal((await app.find(order_id)).status, 'failed')
  const [found] = await readContradictions(order_id)
  assert.equal(found.reference, 'late-1')
})

test('ending an order is refused if the order is delivered or unknown or the operator lacks the role', async () => {
  const name = await app.user()
  const { order_id } = await app.deliver(name, { 25: 1 })
  const delivered = await end(order_id)
  assert.deepEqual([delivered.status, delivered.body.code], [409, 'gift_card_order_status'])
  for (const unknown of ['gco_01kbjyt5v3f4nvj5yq5yfypr9v', 'x'])
    assert.equal((await end(unknown)).body.code, 'gift_card_order_not_found')
  const support = await app.staff('support')
  const address = `/operator/gift-cards/orders/${order_id}/end`
  assert.equal((await support('POST', address, { reason: 'x' })).status, 403)
})
