import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { importCodes } from '../../../catalog/allowances/index.ts'
import { changeSettings } from '../../../tenants/publishers/index.ts'

const CODES = ['LONG-A1', 'LONG-B2']
const STORES = [{ street_address1: '1 Elm St', city: 'Austin', state: 'TX', zip_code: '78701', country: 'US' }]

let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  const common = { name: 'Back', description: 'Sample.', refund_period_days: 30, terms_and_conditions: 'Sample.' }
  const rated = (offer_uid: string, offer_type: string, rate: number) => ({
    ...common,
    offer_uid,
    offer_type,
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate },
  })
  const activated = (offer_uid: string) => ({ ...rated(offer_uid, 'CARD_LINKED', 9), activation_required: true })
  const linked = (offer_uid: string) => ({
    ...rated(offer_uid, 'AFFILIATE', 8),
    tracking_url: 'https://mix.example/?s={sub_id}',
  })
  const codes = { offer_uid: 'offer-codes', offer_type: 'VOUCHER_CODE', reward_type: 'CASHBACK_DOLLAR' }
  const buildBrand = (brand_uid: string, name: string, offers: readonly object[]) => ({
    brand_uid,
    name,
    category_id: 1,
    website: `https://${brand_uid}.example`,
    offers,
  })
  await app.catalog({
    ...CATALOG,
    brands: [
      buildBrand('mix', 'Mixery', [rated('mix-plain', 'CARD_LINKED', 5), activated('mix-more'), linked('mix-link')]),
      buildBrand('duo', 'Duotone', [activated('duo-more'), linked('duo-link')]),
      buildBrand('stores', 'Storesy', [{ ...rated('stores-offer', 'CARD_LINKED', 5), store_addresses: STORES }]),
      buildBrand('books', 'Paper Lantern', [{ ...common, ...codes, commission: { amount: 3 }, unique_codes: true }]),
    ],
  })
  const pool = { offerUid: 'offer-codes', environment: 'sandbox' } as const
  const imported = CODES.map((code) => ({ code, expiresOn: null }))
  await app.service.db.transaction((tx) => importCodes(tx, app.service.vault, pool, imported, new Date()))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

const report = async (purchase: object) =>
  (await app.call('POST', '/transactions', { publisher_user_id: 'ada', ...purchase })).body

async function evaluate(purchase: object): Promise<{ reason: string; sentence: string; conditions: string[] | null }> {
  const { body } = await app.call('POST', '/transactions/evaluate?view=user', { publisher_user_id: 'ada', ...purchase })
  const { sentence, conditional = null } = body.decision
  return { reason: body.status_reason, sentence, conditions: conditional === null ? null : conditional.conditions }
}

test('a purchase already counted as a sale lists no conditions, even if another offer could be activated', async () => {
  for (const brand_uid of ['mix', 'duo']) {
    const sale = { source: 'AFFILIATE', external_id: `sale ${brand_uid}`, order_id: `O-${brand_uid}` }
    assert.equal((await report({ ...sale, brand_uid, amount: 50 })).status, 'PENDING')
    const { conditions, sentence } = await evaluate({ brand_uid, amount: 50 })
    assert.equal(conditions, null, sentence)
  }
  const { reason, sentence } = await evaluate({ brand_uid: 'mix', amount: 50 })
  assert.deepEqual(
    [reason, sentence],
    ['stacked', 'This purchase already counts, because it was also reported another way.'],
  )
})

test('a used code, or one assigned to another user, earns nothing and is not listed as a condition', async () => {
  const purchase = { source: 'VOUCHER', brand_uid: 'books', amount: 20 }
  assert.deepEqual((await evaluate(purchase)).conditions, ['voucher_code'])
  const { voucher_code } = (await app.call('POST', '/offers/offer-codes/voucher-code', { publisher_user_id: 'ada' }))
    .body
  assert.equal((await report({ source: 'VOUCHER', external_id: 'used', amount: 20, voucher_code })).status, 'PENDING')
  assert.deepEqual(await evaluate({ ...purchase, voucher_code }), {
    reason: 'voucher_code_used',
    sentence: 'This code has already been used.',
    conditions: null,
  })
  const another = CODES.find((code) => code !== voucher_code)
  assert.deepEqual(await evaluate({ ...purchase, voucher_code: another }), {
    reason: 'voucher_code_mismatch',
    sentence: "This offer's code was not used, or does not belong to you.",
    conditions: null,
  })
})

test('no conditions are listed if meeting them would earn nothing', async () => {
  assert.deepEqual((await evaluate({ brand_uid: 'stores', amount: 50 })).conditions, ['store'])
  const { conditions, sentence } = await evaluate({ brand_uid: 'stores', amount: 0.05 })
  assert.equal(conditions, null, sentence)
})
