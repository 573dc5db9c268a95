import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { type Browser, enterActive } from '../../test/support/portal.ts'
import { DAY_MS, toWeekday } from '../platform/calendar.ts'
import { changeSettings } from '../tenants/publishers/index.ts'

// These tests cover the calculator, which does not know when, where or how the user will buy.

const STORES = [{ street_address1: '1 Elm St', city: 'Austin', state: 'TX', zip_code: '78701', country: 'US' }]
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

let app: TestApp
let browser: Browser
let base = ''

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  // In no time zone is the day after tomorrow the same weekday as today.
  const another = DAYS[toWeekday(new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10))]
  const [market] = CATALOG.brands
  const reward = { reward_type: 'CASHBACK_PERCENTAGE', commission: { rate: 5 }, refund_period_days: 30 }
  const plain = { name: '5% back', offer_type: 'CARD_LINKED', ...reward }
  const buildBrand = (name: string, conditions: object) => ({
    ...market,
    brand_uid: name,
    name,
    aliases: [],
    website: `https://${name}.example`,
    offers: [{ ...plain, offer_uid: `${name}-offer`, ...conditions }],
  })
  await app.catalog({
    ...CATALOG,
    brands: [
      buildBrand('stores', { store_addresses: STORES }),
      buildBrand('place', { location: 'Austin' }),
      buildBrand('days', { days_of_week: [another] }),
      buildBrand('activated', { activation_required: true, store_addresses: STORES }),
      buildBrand('least', { min_spend: 60 }),
      buildBrand('budget', { activation_required: true, budgets: [{ period: 'LIFETIME', amount: 1 }] }),
      buildBrand('limited', { activation_required: true, user_limits: [{ period: 'MONTH', reward: 1 }] }),
    ],
  })
  ;({ browser, base } = await enterActive(app, app, 'planner'))
})
after(() => app.close())

async function tried(brand: string): Promise<string> {
  const { text } = await browser('GET', `${base}/brands/${brand}?amount=50`)
  const note = /role="status"><div>([\s\S]*?)<\/div><\/div>/.exec(text)?.[1] ?? text
  return note
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const evaluate = async (brand_uid: string, more: object = {}) => {
  const purchase = { publisher_user_id: 'planner', brand_uid, amount: 50, ...more }
  return (await app.call('POST', '/transactions/evaluate?view=user', purchase)).body
}

test('the calculator shows the conditions for a reward instead of rejecting the amount', async () => {
  const earned = /^For \$50\.00 you would get \$\d\.\d\d back if you do this:/
  for (const [brand, ...conditions] of [
    ['stores', 'Buy at one of the offer&#39;s stores.'],
    ['place', 'Buy in Austin.'],
    ['days', 'Buy on '],
    ['activated', 'Activate the offer first.', 'Buy at one of the offer&#39;s stores.'],
  ] as const) {
    const text = await tried(brand)
    assert.match(text, earned, brand)
    for (const condition of conditions) assert.ok(text.includes(condition), text)
  }
})

test('the calculator shows why an amount earns nothing if the user cannot change that', async () => {
  assert.equal(await tried('least'), 'For $50.00 you would get nothing. The offer requires at least $60.00.')
  assert.equal(await tried('budget'), 'For $50.00 you would get nothing. The offer has run out.')
})

test("a conditional offer's reward respects the user’s limits", async () => {
  assert.match(await tried('limited'), /you would get \$1\.00 back if you do this: Activate the offer first\./)
})

test('evaluating with view=user returns the same conditions, except those that the request settles', async () => {
  const open = await evaluate('stores')
  assert.deepEqual([open.eligible, open.status_reason], [false, 'location_unconfirmed'])
  assert.match(open.decision.sentence, /^You get \$\d\.\d\d back if you buy at one of the offer's stores\.$/)
  assert.deepEqual(open.decision.conditional.conditions, ['store'])
  assert.match(
    (await evaluate('activated')).decision.sentence,
    / if you activate the offer first and you buy at one of /,
  )
  const elsewhere = await evaluate('stores', { zip_code: '10001' })
  assert.equal(elsewhere.decision?.conditional, undefined, JSON.stringify(elsewhere))
  const transaction_date_time = new Date().toISOString()
  const now = await evaluate('days', { transaction_date_time })
  assert.match(now.decision.sentence, /^This offer is valid on /)
})
