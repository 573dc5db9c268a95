import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeSettings, type Publisher } from '../../src/tenants/publishers/index.ts'
import { startTestApp, type Tenant, type TestApp } from '../support/app.ts'

// A shop sells through a marketplace, and both pay rewards. A publisher setting decides which of them a purchase
// belongs to.

const brand = (brand_uid: string, name: string, rate: number, offer_type = 'CARD_LINKED') => ({
  brand_uid,
  category_id: 1,
  name,
  website: `https://${brand_uid}.com`,
  offers: [
    {
      offer_uid: `${brand_uid}-offer`,
      name: `${rate}% back`,
      offer_type,
      commission: { rate },
      reward_type: 'CASHBACK_PERCENTAGE',
    },
  ],
})
const CATALOG = {
  categories: [{ category_id: 1, category: 'FOOD' }],
  brands: [brand('doordash', 'DoorDash', 5), brand('chipotle', 'Chipotle', 10)],
}

let app: TestApp
let usual: Tenant
let forSellers: Tenant

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  usual = await tenantWith({})
  forSellers = await tenantWith({ marketplacePolicy: 'MERCHANT' })
})
after(() => app.close())

async function tenantWith(settings: Partial<Pick<Publisher, 'marketplacePolicy'>>): Promise<Tenant> {
  const tenant = await app.tenant()
  await app.service.db.transaction((tx) => changeSettings(tx, tenant.publisher.id, { ownCardFeed: true, ...settings }))
  await tenant.call('POST', '/users', { publisher_user_id: 'ada' })
  await tenant.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
  return tenant
}

/** Evaluates a purchase, then reports it, and returns its brand, offer and reward. */
async function bought({ call }: Tenant, merchant_descriptor: string) {
  const purchase = { publisher_user_id: 'ada', external_id: merchant_descriptor, merchant_descriptor, amount: 40 }
  const asked = await call('POST', '/transactions/evaluate', purchase)
  const reported = await call('POST', '/transactions', purchase)
  assert.deepEqual([asked.status, reported.status], [200, 200], JSON.stringify(reported.body))
  const { brand_uid, offer_uid, user_cashback, transaction_uid } = reported.body
  assert.deepEqual([asked.body.offer_uid, asked.body.user_cashback], [offer_uid, user_cashback])
  const { body: decision } = await call('GET', `/transactions/${transaction_uid}/decision`)
  assert.equal(decision.matching.brand_uid, brand_uid)
  return [brand_uid, offer_uid, user_cashback]
}

test('a marketplace purchase matches the marketplace unless the publisher prefers the shop', async () => {
  assert.deepEqual(await bought(usual, 'DOORDASH*CHIPOTLE'), ['doordash', 'doordash-offer', 2])
  assert.deepEqual(await bought(forSellers, 'DOORDASH*CHIPOTLE'), ['chipotle', 'chipotle-offer', 4])
})

test('a purchase at an unknown shop matches the marketplace, and a direct purchase matches the shop', async () => {
  for (const tenant of [usual, forSellers]) {
    assert.deepEqual(await bought(tenant, 'DOORDASH*UNHEARD OF GRILL'), ['doordash', 'doordash-offer', 2])
    assert.deepEqual(await bought(tenant, 'CHIPOTLE 0423'), ['chipotle', 'chipotle-offer', 4])
  }
})

test('if a marketplace has no card offers, a card purchase matches a shop that has one', async () => {
  const brands = [brand('doordash', 'DoorDash', 5, 'AFFILIATE'), brand('chipotle', 'Chipotle', 10)]
  await app.catalog({ ...CATALOG, brands: [...brands, brand('wingstop', 'Wingstop', 10, 'AFFILIATE')] })
  for (const tenant of [usual, forSellers]) {
    assert.deepEqual(await bought(tenant, 'DOORDASH*CHIPOTLE 0007'), ['chipotle', 'chipotle-offer', 4])
    assert.deepEqual(await bought(tenant, 'DOORDASH*UNHEARD OF BISTRO'), ['doordash', null, 0])
  }
  assert.deepEqual(await bought(usual, 'DOORDASH*WINGSTOP'), ['doordash', null, 0])
  // A decided purchase keeps its brand and terms even when another event changes it.
  const { body: refunded } = await usual.call('POST', '/transactions', {
    publisher_user_id: 'ada',
    kind: 'REFUND',
    external_id: 'refund',
    amount: 10,
    merchant_descriptor: 'DOORDASH*CHIPOTLE',
    original_external_id: 'DOORDASH*CHIPOTLE',
  })
  assert.deepEqual([refunded.brand_uid, refunded.user_cashback], ['doordash', 1.5])
})
