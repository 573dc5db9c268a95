import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { acceptTerms, createUser } from '../../src/users/users/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Tests decisions as publishers and their users see them.

const JOINED = new Date('2026-01-01T12:00:00Z')
const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  refund_period_days: 3650,
  ...('commission_groups' in given ? {} : { commission: { rate: 5 } }),
  ...given,
})
const brand = (brand_uid: string, ...offers: object[]) => ({
  brand_uid,
  category_id: 1,
  name: `Shop ${brand_uid}`,
  offers,
})
const GROUPS = [
  { name: 'shoes', rate: 3.333, product_groups: ['shoes'] },
  { name: 'all else', rate: 1.005 },
]

let app: TestApp

before(async () => {
  app = await startTestApp()
  const settings = { ownCardFeed: true, feePpm: 100_000, sharePpm: 200_000 }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: [
      brand('reward', offer('less', {}), offer('more', { commission: { rate: 6 } })),
      brand('age', offer('older', {}), offer('newer', {})),
      brand('till', offer('back', {}), offer('off', { reward_type: 'DISCOUNT_PERCENTAGE', commission: { rate: 7 } })),
      brand('mixed', offer('paid', { commission_groups: GROUPS, min_spend: 10, max_spend: 40 })),
      brand(
        'refused',
        offer('ended', { commission: { rate: 9 }, end_date: '2026-05-01' }),
        offer('dear', { commission: { rate: 8 }, min_spend: 500, end_date: '2026-04-01' }),
      ),
      brand('limited', offer('limited', { user_limits: [{ period: 'LIFETIME', reward: 2 }] })),
    ],
  })
  await app.service.db.transaction(async (tx) => {
    const ada = { publisherUserId: 'ada', email: null, primaryZipCode: null, attributes: null }
    await createUser(tx, app.publisher, ada, JOINED)
    await acceptTerms(tx, app.publisher, 'ada', app.tncId, JOINED)
  })
})
after(() => app.close())

async function decide(brand_uid: string, more: object = {}) {
  const event = {
    publisher_user_id: 'ada',
    external_id: `${brand_uid} ${JSON.stringify(more)}`,
    brand_uid,
    amount: 50,
    transaction_date_time: '2026-05-03T12:00:00Z',
    merchant_descriptor: 'SECRET DESCRIPTOR',
    ...more,
  }
  const { status, body } = await app.call('POST', '/transactions', event)
  assert.equal(status, 200, JSON.stringify(body))
  const address = `/transactions/${body.transaction_uid}/decision`
  const [decision, view] = [(await app.call('GET', address)).body, (await app.call('GET', `${address}?view=user`)).body]
  return { address, decision, view }
}

test('a decision shows why the chosen offer won, which offers it beat, and what each would pay', async () => {
  type Candidate = { readonly offer_uid: string; readonly would_earn: number; readonly would_share: number }
  const figures = (all: readonly Candidate[]): string =>
    all.map(({ offer_uid, would_earn, would_share }) => `${offer_uid} ${would_earn} ${would_share}`).join(', ')
  for (const [uid, chosen, by, over, candidates] of [
    ['reward', 'more', 'user_reward', 'less', 'more 2.1 0.6, less 1.75 0.5'],
    ['age', 'older', 'age', 'newer', 'older 1.75 0.5, newer 1.75 0.5'],
    ['till', 'off', 'user_reward', 'back', 'off 2.45 0.7, back 1.75 0.5'],
    ['mixed', 'paid', 'only_eligible', null, 'paid 0.28 0.08'],
  ] as const) {
    const { decision } = await decide(uid)
    assert.deepEqual([decision.chosen, decision.chosen_by, decision.chosen_over], [chosen, by, over], uid)
    assert.equal(figures(decision.candidates), candidates, uid)
    assert.deepEqual([decision.offer_version, decision.candidates[0].offer_name], [1, chosen])
  }
})

test('rejected offers show why, and what they would have paid, with the fewest failed rules first', async () => {
  const { decision, view } = await decide('refused')
  assert.partialDeepStrictEqual(decision, {
    chosen: null,
    chosen_by: null,
    status_reason: 'offer_ended',
    user_reward: 0,
    arithmetic: null,
    candidates: [
      { offer_uid: 'ended', eligible: false, status_reason: 'offer_ended', user_cashback: 0, would_earn: 3.15 },
      { offer_uid: 'dear', eligible: false, status_reason: 'offer_ended', user_cashback: 0, would_earn: 2.8 },
    ],
  })
  assert.deepEqual(view, {
    offer_uid: null,
    status_reason: 'offer_ended',
    user_cashback: 0,
    user_discount: 0,
    sentence: 'Bought on May 3; this offer ended on May 1.',
    steps: [],
  })
})

test('the trace shows every rounding, and users see only the steps that concern them', async () => {
  const { decision, view } = await decide('mixed', { items: [{ product_group: 'shoes', amount: 20 }] })
  assert.partialDeepStrictEqual(decision.arithmetic, {
    amount: '50.00',
    eligible_amount: '40.00',
    max_spend: '40.00',
    parts: [
      { commission_group: 'shoes', eligible_amount: '20.00', unrounded: '0.6666' },
      { commission_group: 'all else', amount: '30.00', eligible_amount: '20.00', unrounded: '0.201' },
    ],
    unrounded: '0.8676',
    gross: '0.87',
    fee_unrounded: '0.087',
    fee: '0.08',
    publisher_share_unrounded: '0.174',
    publisher_share: '0.17',
    user_reward: '0.62',
  })
  assert.deepEqual(view, {
    offer_uid: 'paid',
    status_reason: null,
    user_cashback: 0.62,
    user_discount: 0,
    sentence: 'You get $0.62 back.',
    steps: [
      { step: 'spent', amount: '50.00', sentence: 'You spent $50.00.' },
      { step: 'counted', amount: '40.00', sentence: '$40.00 of it counts for this offer.' },
      { step: 'rate', amount: '20.00', rate_percent: 2.3331, sentence: 'You earn 2.3331% of $20.00.' },
      { step: 'rate', amount: '20.00', rate_percent: 0.7035, sentence: 'You earn 0.7035% of $20.00.' },
      { step: 'reward', amount: '0.62', sentence: 'You get $0.62 back.' },
    ],
  })
})

test('a discount at the register is displayed as savings', async () => {
  const { view } = await decide('till', { amount: 20 })
  assert.deepEqual([view.user_cashback, view.user_discount, view.sentence], [0, 0.98, 'You saved $0.98 at checkout.'])
})

test('a limit that reduced a reward appears as a step in the trace', async () => {
  await decide('limited', { amount: 40 })
  const { decision, view } = await decide('limited')
  assert.partialDeepStrictEqual(decision, {
    user_reward: 0.6,
    arithmetic: { gross: '2.50', limited_by: 'user_limit', user_reward: '0.60' },
  })
  assert.deepEqual(view.steps.slice(1), [
    { step: 'rate', amount: '50.00', rate_percent: 3.5, sentence: 'You earn 3.5% of $50.00.' },
    { step: 'limited', amount: '0.60', sentence: 'This is all that is left of the offer for you in this period.' },
    { step: 'reward', amount: '0.60', sentence: 'You get $0.60 back.' },
  ])
})

test("an unknown view is rejected, and another publisher's decision is not found", async () => {
  const { address } = await decide('reward', { amount: 30 })
  assert.equal((await app.call('GET', `${address}?view=all`)).status, 400)
  const other = await app.tenant()
  for (const view of ['publisher', 'user'])
    assert.equal((await other.call('GET', `${address}?view=${view}`)).status, 404)
})
