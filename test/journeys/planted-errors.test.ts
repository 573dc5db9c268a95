import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyPayments, verifyStatements } from '../../src/books/statements/index.ts'
import { type Difference, verifyLedger } from '../../src/ledger/index.ts'
import { verifyGiftCards } from '../../src/payouts/gift-cards/index.ts'
import { verifyRedemptions } from '../../src/payouts/redemptions/index.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { encodeId, newUuid } from '../../src/platform/ids.ts'
import { verifyRewards } from '../../src/purchases/transactions/index.ts'
import { verifyAdjustments } from '../../src/users/adjustments/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { openRedeemer, type Redeemer } from '../support/redemptions.ts'
import { atSimulator } from '../support/takeout-life.ts'

// Injects errors that bypass grants and triggers, as the table owner could. The verification must find every one of
// them.

let app: TestApp
let redeemer: Redeemer

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  redeemer = await openRedeemer(app)
  await redeemer.user('ada', 10)
  const { redemption_id } = (await redeemer.redeem('ada', { amount: 2 })).body
  await redeemer.call('POST', `/redemptions/${redemption_id}/outcome`, { status: 'paid' })
  await redeemer.redeem('ada', { amount: 1 })
  const publisher_id = encodeId('pub', redeemer.publisher.id)
  const who = { publisher_id, publisher_user_id: 'ada' }
  const goodwill = { ...who, kind: 'goodwill', amount: 5, reason: 'x' }
  assert.equal((await app.operator('POST', '/operator/adjustments', goodwill)).status, 200)
  const payment = {
    publisher_id,
    direction: 'received',
    party: 'advertiser',
    brand_uid: 'brand-market',
    amount: 50,
    currency: 'USD',
    external_ref: 'wire-1',
    value_date: '2025-01-01',
  }
  assert.equal((await app.operator('POST', '/operator/payments', payment)).status, 200)
  await orderGiftCards()
})

/** Places three orders: one paid by the user, one for cashback, and one that the supplier delivers only after a day. */
async function orderGiftCards(): Promise<void> {
  await redeemer.user('bea', 26)
  const offer = { offer_uid: 'offer-gadgets-gift' }
  await redeemer.redeem('bea', { ...offer, method: 'gift_card', amount: 25 })
  const order = (external_ref: string) =>
    redeemer.call('POST', '/gift-cards/orders', {
      ...offer,
      publisher_user_id: 'bea',
      external_ref,
      items: [{ denomination: 25, quantity: 2 }],
    })
  await order('paid')
  const listed = async () => (await redeemer.call('GET', '/gift-cards/orders')).body.content as { status: string }[]
  await eventually(async () => (await listed()).every(({ status }) => status === 'delivered'))
  const paid = async () => (await redeemer.call('GET', '/redemptions?publisher_user_id=bea')).body.content[0].status
  await eventually(async () => (await paid()) === 'paid')
  await atSimulator(app, '/_sim/gift-cards/next', { orders: 1, outcome: 'delayed' })
  assert.equal((await order('delayed')).status, 200)
}

after(() => app.close())

async function differences(tx: Tx): Promise<Difference[]> {
  return [
    ...(await verifyLedger(tx)),
    ...(await verifyRewards(tx)),
    ...(await verifyRedemptions(tx)),
    ...(await verifyGiftCards(tx)),
    ...(await verifyStatements(tx)).differences,
    ...(await verifyAdjustments(tx)),
    ...(await verifyPayments(tx)),
  ]
}

class Undo extends Error {}

/** Injects an error, returns the number of differences found, and rolls back. */
async function foundAfter(plant: (tx: Tx) => Promise<unknown>): Promise<number> {
  let found = 0
  const work = app.owner.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await plant(tx)
    found = (await differences(tx)).length
    throw new Undo()
  })
  await assert.rejects(work, Undo)
  return found
}

const PLANTS: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  'a reward whose amount differs from the ledger': (tx) =>
    tx`update transactions set user_amount = user_amount + 1, gross = gross + 1`,
  'a reward whose currency differs from the ledger': (tx) =>
    tx`update transactions set currency = 'EUR' where status = 'EARNED' and user_amount > 0`,
  'a redemption whose amount differs from the ledger': (tx) =>
    tx`update redemptions set amount = amount + 1 where status = 'paid'`,
  'a failed redemption whose money is still held': (tx) =>
    tx`update redemptions set status = 'failed' where status = 'sent'`,
  'a redemption without journals': (tx) => tx`delete from journals where kind like 'redemption%'`,
  'a redemption whose method differs from the ledger': (tx) =>
    tx`update redemptions set method = 'file' where status = 'paid' and method = 'publisher'`,
  'a redemption whose currency differs from the ledger': (tx) =>
    tx`update redemptions set currency = 'EUR' where status = 'paid'`,
  'a redemption that the list counts omit': async (tx) => {
    await tx`delete from list_count_deltas where list like 'redemptions/%'`
    await tx`delete from list_counts where list like 'redemptions/%'`
  },
  'a failed gift card order whose cards were delivered': (tx) =>
    tx`update gift_card_orders set status = 'failed' where external_ref = 'paid'`,
  'a gift card order whose total differs from its cards': (tx) =>
    tx`update gift_card_orders set total = total + 1 where external_ref = 'paid'`,
  'a gift card order that is not queued for the supplier': (tx) => tx`delete from gift_card_queue`,
  'a refunded gift card whose purchase was not refunded': (tx) =>
    tx`update gift_cards set status = 'refunded' where transaction_id is not null and status = 'delivered'`,
  'a gift card whose purchase has a different amount': (tx) =>
    tx`update source_events set amount = amount + 1 where external_id like 'gco_%' and kind = 'CLEARING'`,
  'a gift card without a purchase': (tx) => tx`update gift_cards set transaction_id = null`,
  'a gift card for cashback that has a purchase': (tx) =>
    tx`update gift_cards set transaction_id = gen_random_uuid() where transaction_id is null`,
  'a paid redemption whose gift cards were not delivered': async (tx) => {
    await tx`
      update gift_cards c set status = 'undelivered', supplier_card_id = null, sealed_details = null
      from gift_card_orders o where o.order_id = c.order_id and o.redemption_id is not null`
    await tx`update gift_card_orders set status = 'failed' where redemption_id is not null`
  },
  'a gift card order for cashback whose amount differs from its redemption': async (tx) => {
    await tx`
      update gift_cards c set denomination = denomination + 1
      from gift_card_orders o where o.order_id = c.order_id and o.redemption_id is not null`
    await tx`update gift_card_orders set total = total + 1 where redemption_id is not null`
  },
  'a gift card order for cashback whose redemption is missing': async (tx) => {
    await tx`update gift_card_orders set redemption_id = gen_random_uuid() where redemption_id is not null`
  },
  'a payment without a journal': (tx) => tx`
    insert into payments (payment_id, publisher_id, external_ref, direction, party, owner, currency, amount, value_date, created_at, created_by)
    values (${newUuid()}, ${redeemer.publisher.id}, 'forged', 'received', 'advertiser', 'brand-market', 'USD', 100, '2025-01-01', now(), 'x')`,
  'a payment whose amount differs from the ledger': (tx) => tx`update payments set amount = amount * 2`,
  'a payment whose party differs from the ledger': (tx) => tx`update payments set owner = 'brand-gadgets'`,
  'a deleted payment': (tx) => tx`delete from payments`,
  'an adjustment whose amount differs from the ledger': (tx) => tx`update adjustments set amount = amount * 100`,
  'a booked adjustment without a journal': (tx) => tx`update adjustments set adjustment_id = gen_random_uuid()`,
  'a deleted adjustment': (tx) => tx`delete from adjustments`,
  'a declined adjustment whose money remains': (tx) => tx`update adjustments set status = 'declined'`,
}

for (const [what, plant] of Object.entries(PLANTS))
  test(`the verification finds ${what}`, async () => assert.notEqual(await foundAfter(plant), 0))

test('the verification finds nothing if no error is injected', async () => {
  assert.deepEqual(await app.owner.snapshot(differences), [])
})
