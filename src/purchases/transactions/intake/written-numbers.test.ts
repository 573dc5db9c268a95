import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changeSettings } from '../../../tenants/publishers/index.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
  const offer = { offer_uid: 'offer', name: 'In store', offer_type: 'CARD_LINKED', reward_type: 'CASHBACK_PERCENTAGE' }
  const bakery = { brand_uid: 'bakery', category_id: 1, name: 'Dunmorrow Bakery', website: 'https://dunmorrow.example' }
  const offers = [{ ...offer, commission: { rate: 5 }, store_addresses: [{ store_number: '423' }] }]
  await app.catalog({ categories: [{ category_id: 1, category: 'FOOD' }], brands: [{ ...bakery, offers }] })
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

for (const [descriptor, reason, value] of [
  ['DUNMORROW BAKERY 0423 OAKLAND CA', null, '#0423 in the descriptor'],
  ['DUNMORROW BAKERY 0424 OAKLAND CA', 'location_unconfirmed', '#0424 in the descriptor'],
] as const)
  test(`${descriptor}: only a listed store's number confirms the store, and the trace shows it`, async () => {
    const purchase = { publisher_user_id: 'ada', merchant_descriptor: descriptor, amount: 40 }
    const { body: judged } = await app.call('POST', '/transactions/evaluate', purchase)
    const { body: bought } = await app.call('POST', '/transactions', { ...purchase, external_id: descriptor })
    const { body: decision } = await app.call('GET', `/transactions/${bought.transaction_uid}/decision`)
    const rule = decision.candidates[0].rules.find((one: { rule: string }) => one.rule === 'store')
    assert.deepEqual([bought.status_reason, judged.user_cashback], [reason, bought.user_cashback])
    assert.deepEqual(rule, { rule: 'store', value, bound: '1 listed store', passed: reason === null })
  })
