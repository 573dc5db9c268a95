import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeId } from '../../src/platform/ids.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// The listed figure, the evaluated reward and the paid reward agree to the cent for every kind of offer, reward and
// split.

const SOURCES = {
  CARD_LINKED: 'CARD',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER_CODE: 'VOUCHER',
} as const
type OfferType = keyof typeof SOURCES
const REWARDS = ['CASHBACK_DOLLAR', 'CASHBACK_PERCENTAGE', 'DISCOUNT_DOLLAR', 'DISCOUNT_PERCENTAGE'] as const
// Fee and share as set by the agreement, the brand and the offer, in percent.
const SPLITS = { agreed: [10, 20], brand: [0, 50], offer: [12.5, 25] } as const
type Level = keyof typeof SPLITS
const AMOUNT = 80

type Case = { readonly uid: string; readonly offerType: OfferType; readonly reward: string; readonly level: Level }
const CASES: readonly Case[] = Object.keys(SPLITS).flatMap((level) =>
  Object.keys(SOURCES).flatMap((offerType) =>
    REWARDS.map((reward) => {
      const uid = `${level}-${offerType}-${reward}`
      return { uid, offerType: offerType as OfferType, reward, level: level as Level }
    }),
  ),
)
const isDollar = ({ reward }: Case): boolean => reward.endsWith('DOLLAR')

const makeBrand = (one: Case) => ({
  brand_uid: one.uid,
  category_id: 1,
  name: `The shop ${one.uid}`,
  offers: [
    {
      offer_uid: one.uid,
      name: one.uid,
      offer_type: one.offerType,
      reward_type: one.reward,
      // Neither amount nor rate divides evenly. The first group applies only to shoes, which nobody buys here.
      commission_groups: [
        { name: 'Shoes', product_groups: ['shoes'], ...(isDollar(one) ? { amount: 20 } : { rate: 30 }) },
        { name: 'All', ...(isDollar(one) ? { amount: 10.03 } : { rate: 5 }) },
      ],
      ...(one.offerType === 'AFFILIATE' ? { tracking_url: 'https://shop.example/?s={sub_id}' } : {}),
      ...(one.offerType === 'GIFT_CARD' ? { denominations: [AMOUNT] } : {}),
      ...(one.offerType === 'VOUCHER_CODE' ? { voucher_code: 'SAVE' } : {}),
    },
  ],
})
const getSplit = (level: Level) => {
  const [fee, share] = SPLITS[level]
  return { fee, share }
}

let app: TestApp
before(async () => {
  app = await startTestApp()
  await app.catalog({ categories: [{ category_id: 1, category: 'ALL' }], brands: CASES.map(makeBrand) })
  const settings = { ownCardFeed: true, feePpm: SPLITS.agreed[0] * 10_000, sharePpm: SPLITS.agreed[1] * 10_000 }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  const of = (level: Level): string[] => CASES.filter((one) => one.level === level).map(({ uid }) => uid)
  // An offer's split overrides its brand's.
  const assortment = {
    brands: [...of('brand'), ...of('offer')].map((brand_uid) => ({ brand_uid, ...getSplit('brand') })),
    offers: of('offer').map((offer_uid) => ({ offer_uid, ...getSplit('offer') })),
  }
  const address = `/operator/publishers/${encodeId('pub', app.publisher.id)}/assortment`
  assert.equal((await app.operator('PUT', address, assortment)).status, 200)
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})
after(() => app.close())

async function listed(): Promise<ReadonlyMap<string, number>> {
  const { body } = await app.call('GET', '/publishers/brands?publisher_user_id=ada&size=100')
  type Listed = { offers: { offer_uid: string; customer_offer: number }[] }
  const offers = body.content.flatMap((brand: Listed) => brand.offers)
  return new Map(offers.map((one: Listed['offers'][number]) => [one.offer_uid, one.customer_offer]))
}

test('listed, evaluated and earned amounts agree to the cent', async () => {
  const figures = await eventually(async () => {
    const found = await listed()
    return found.get('brand-CARD_LINKED-CASHBACK_PERCENTAGE') === 2.5 ? found : null
  })
  assert.equal(figures.size, CASES.length)
  for (const one of CASES) {
    const figure = figures.get(one.uid) ?? 0
    const cents = Math.round(isDollar(one) ? figure * 100 : figure * AMOUNT)
    const purchase = {
      publisher_user_id: 'ada',
      external_id: one.uid,
      source: SOURCES[one.offerType],
      amount: AMOUNT,
      brand_uid: one.uid,
      ...(one.offerType === 'AFFILIATE' ? { offer_uid: one.uid } : {}),
      ...(one.offerType === 'VOUCHER_CODE' ? { voucher_code: 'SAVE' } : {}),
    }
    const asked = (await app.call('POST', '/transactions/evaluate', purchase)).body
    assert.equal(asked.offer_uid, one.uid, JSON.stringify(asked))
    assert.equal(asked.decision.arithmetic.user_reward, (cents / 100).toFixed(2), one.uid)
    const reported = (await app.call('POST', '/transactions', purchase)).body
    const paid = { credited: reported.user_cashback, given: reported.user_discount }
    const expected = one.reward.startsWith('CASHBACK') ? [cents, 0] : [0, cents]
    assert.deepEqual([Math.round(paid.credited * 100), Math.round(paid.given * 100)], expected, one.uid)
  }
})

test('the split set at each level applies to fixed and percentage rewards', async () => {
  const figures = await listed()
  // Dollars: 10.03 less 1.00 and 2.00, less 5.01, or less 1.25 and 2.50. Percentages: 5% less the same parts.
  const expected = { agreed: [7.03, 3.5], brand: [5.02, 2.5], offer: [6.28, 3.125] }
  for (const [level, [dollars, percent]] of Object.entries(expected)) {
    assert.equal(figures.get(`${level}-CARD_LINKED-CASHBACK_DOLLAR`), dollars, level)
    assert.equal(figures.get(`${level}-CARD_LINKED-CASHBACK_PERCENTAGE`), percent, level)
  }
})
