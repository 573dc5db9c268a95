import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Publishers have only dollar ledgers here, so an offer in another currency never pays.

const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_DOLLAR',
  ...given,
})
const yen = { currency: 'JPY', commission: { amount: 500 }, min_spend: 1000 }
const brand = (brand_uid: string, offers: object[]) => ({ brand_uid, category_id: 1, name: brand_uid, offers })
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: [
      brand('few', [offer('two', { commission: { amount: 2 } })]),
      brand('both', [offer('yen', yen), offer('three', { commission: { amount: 3 } })]),
      brand('far', [offer('more-yen', yen)]),
    ],
  })
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
})
after(() => app.close())

test('an offer in a currency without a ledger is not listed, nor is its brand when filtered by type', async () => {
  const path = '/publishers/brands?publisher_user_id=ada&sort=max_customer_offer,desc'
  const { body } = await app.call('GET', path)
  const listed = body.content.map((one: { offers: { offer_uid: string }[] }) => ({
    brand: Reflect.get(one, 'brand_uid'),
    highest: Reflect.get(one, 'max_customer_offer'),
    offers: one.offers.map(({ offer_uid }) => offer_uid),
  }))
  assert.deepEqual(listed, [
    { brand: 'both', highest: 3, offers: ['three'] },
    { brand: 'few', highest: 2, offers: ['two'] },
    { brand: 'far', highest: null, offers: [] },
  ])
  const found = await app.call('GET', `${path}&offer_type=CARD_LINKED`)
  assert.equal(found.body.total_elements, 2)
  const single = await app.call('GET', '/publishers/brands/far?publisher_user_id=ada')
  assert.deepEqual(single.body[0].offers, [])
})

test('an unknown currency is rejected, and the error identifies the field', async () => {
  for (const currency of ['QQQ', 'usd', 'US', 'DEM']) {
    const brands = [brand('new', [offer('new', { currency, commission: { amount: 1 } })])]
    const batch = await app.operator('PUT', '/operator/catalog', { brands })
    assert.equal(batch.status, 400)
    assert.equal(batch.body.errors[0].field, 'brands.0.offers.0.currency')
    const purchase = {
      publisher_user_id: 'ada',
      source: 'CARD',
      external_id: 'a',
      kind: 'CLEARING',
      amount: 5,
      currency,
    }
    const reported = await app.call('POST', '/transactions', purchase)
    assert.deepEqual([reported.status, reported.body.errors[0].field], [400, 'currency'])
  }
})
