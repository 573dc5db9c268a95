import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeId } from '../../platform/ids.ts'
import { createOperator } from '../../tenants/access/index.ts'
import { toLocalActor } from '../../tenants/accounts/index.ts'
import { getLimits } from '../../tenants/publishers/index.ts'
import { type GiftCardApp, startGiftCardApp } from '../gift-cards/test-support.ts'
import { approveRedemption, cancelRedemption } from './approve.ts'
import { requestRedemption } from './request.ts'

let app: GiftCardApp

before(async () => {
  app = await startGiftCardApp()
})

after(() => app.closeWithSoundBooks())

/** Creates a user with 50.00 available. */
async function earner(): Promise<string> {
  const name = await app.user()
  const purchase = { publisher_user_id: name, source: 'GIFT_CARD', offer_uid: 'offer-any', amount: 5000 }
  const { status } = await app.call('POST', '/transactions', { ...purchase, external_id: `earned by ${name}` })
  assert.equal(status, 200)
  await app.pass({ advance_days: 2 })
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
  return name
}

const request = (publisher_user_id: string, amount: number, more: object = {}) =>
  app.call('POST', '/redemptions', {
    publisher_user_id,
    amount,
    method: 'gift_card',
    offer_uid: 'offer-cards',
    external_ref: 'ref-1',
    ...more,
  })

const find = async (id: string) => (await app.call('GET', `/redemptions/${id}`)).body

async function readOrder(name: string) {
  const { body } = await app.call('GET', `/gift-cards/orders?publisher_user_id=${name}`)
  assert.equal(body.content.length, 1)
  return body.content[0]
}

test('a gift card redemption is paid once the card is delivered, and the card earns nothing', async () => {
  const name = await earner()
  const { status, body: sent } = await request(name, 25)
  assert.deepEqual([status, sent.status, sent.offer_uid], [200, 'sent', 'offer-cards'])
  assert.deepEqual(await app.balances(name), { pending: 0, available: 25, debt: 0 })
  await app.pass()
  const order = await readOrder(name)
  assert.deepEqual([order.status, order.redemption_id, order.total], ['delivered', sent.redemption_id, 25])
  assert.equal(order.cards[0].transaction_uid, null)
  const paid = await find(sent.redemption_id)
  assert.deepEqual([paid.status, paid.payout_reference], ['paid', order.order_id])
  assert.deepEqual(
    paid.steps.map((step: { status: string; by: string }) => `${step.status} ${step.by}`),
    ['requested publisher', 'approved publisher', 'sent publisher', 'paid laurel'],
  )
  assert.deepEqual(await app.balances(name), { pending: 0, available: 25, debt: 0 })
  assert.equal((await app.call('POST', `/gift-cards/${order.cards[0].card_id}/reveal`)).status, 200)
  const again = await request(name, 25)
  assert.deepEqual([again.body.redemption_id, again.body.status], [sent.redemption_id, 'paid'])
})

test('the cashback is released if the card is not delivered', async () => {
  const name = await earner()
  const { body } = await request(name, 25.02)
  await app.pass()
  const failed = await find(body.redemption_id)
  assert.deepEqual([failed.status, failed.reason, failed.reason_code], ['failed', 'not_paid', 'not_delivered'])
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
  assert.deepEqual(await app.events(name), ['gift_card.ordered', 'gift_card.failed'])
})

test('refunding a card returns the cashback', async () => {
  const name = await earner()
  const { body } = await request(name, 50)
  await app.pass()
  const { cards } = await readOrder(name)
  assert.equal((await app.call('POST', `/gift-cards/${cards[0].card_id}/refund`)).status, 200)
  await app.pass()
  assert.equal((await find(body.redemption_id)).status, 'returned')
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
})

test('amounts without a matching card, unavailable offers and other methods are refused', async () => {
  const name = await earner()
  const refusal = async (amount: number, more: object = {}) => {
    const { status, body } = await request(name, amount, more)
    return `${status} ${body.code}`
  }
  assert.equal(await refusal(30), '422 denomination_invalid')
  assert.equal(await refusal(25, { offer_uid: 'offer-none' }), '404 offer_unknown')
  assert.equal(await refusal(25, { offer_uid: 'offer-over' }), '409 offer_not_available')
  const readCode = async (more: object) => (await request(name, 25, more)).body.errors[0].code
  assert.equal(await readCode({ offer_uid: undefined }), 'required')
  assert.equal(await readCode({ method: 'publisher' }), 'not_allowed')
  assert.equal(await refusal(100, { offer_uid: 'offer-once' }), '409 balance_insufficient')
  assert.deepEqual(await app.balances(name), { pending: 0, available: 50, debt: 0 })
  await request(name, 25)
  assert.equal(await refusal(50), '409 redemption_conflict')
})

test('twenty concurrent requests with the same reference buy one card', async () => {
  const name = await earner()
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(name, 25)))
  assert.equal(new Set(answers.map(({ body }) => body.redemption_id)).size, 1)
  await app.pass()
  assert.equal((await readOrder(name)).cards.length, 1)
  assert.deepEqual(await app.balances(name), { pending: 0, available: 25, debt: 0 })
})

test('a card is ordered once its redemption is approved, but not if the redemption is canceled first', async () => {
  const { db } = app.service
  const limits = { ...getLimits(app.publisher, 'USD'), redemptionReviewAbove: 0n }
  const cautious = { ...app.publisher, limits: new Map([['USD', limits]]) }
  const ask = async (publisherUserId: string) => {
    const wanted = {
      publisherUserId,
      currency: 'USD',
      amount: 2_500n,
      method: 'gift_card',
      card: { offerUid: 'offer-cards', assortment: await app.service.catalog.getAssortment(cautious) },
    } as const
    return db.transaction((tx) => requestRedemption(tx, cautious, { ...wanted, externalRef: null }, new Date()))
  }
  const readOrders = async (name: string) =>
    (await app.call('GET', `/gift-cards/orders?publisher_user_id=${name}`)).body.content
  const [approved, cancelled] = [await earner(), await earner()]
  const { redemptionId } = await ask(approved)
  const { redemptionId: unwanted } = await ask(cancelled)
  assert.deepEqual([await readOrders(approved), await readOrders(cancelled)], [[], []])
  const by = toLocalActor('ana')
  const { operatorId } = await db.transaction((tx) =>
    createOperator(tx, { name: 'Ana', role: 'finance', by }, new Date()),
  )
  const approval = { redemptionId, approver: encodeId('opr', operatorId) }
  await db.transaction((tx) => approveRedemption(tx, cautious, approval, new Date()))
  const order = { redemptionId: unwanted, reason: 'cancelled', actor: 'publisher' } as const
  await db.transaction((tx) => cancelRedemption(tx, cautious, order, new Date()))
  await app.pass()
  assert.equal((await readOrder(approved)).status, 'delivered')
  assert.deepEqual(await readOrders(cancelled), [])
  assert.deepEqual(await app.balances(cancelled), { pending: 0, available: 50, debt: 0 })
})
