import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noConditions, type Offer, type Store } from '../catalog/index.ts'
import { type Circumstances, judge, type Purchase } from './rules.ts'

const offer = (given: Partial<Offer>): Offer => ({
  offerUid: 'o',
  brandUid: 'b',
  offerType: 'CARD_LINKED',
  rewardType: 'CASHBACK_PERCENTAGE',
  currency: 'USD',
  groups: [
    {
      name: null,
      ratePpm: 50_000,
      amount: null,
      productGroups: [],
      skus: [],
      customer: null,
      minAmount: null,
      maxAmount: null,
    },
  ],
  refundPeriodDays: 30,
  oneTimeUse: false,
  newCustomerOnly: false,
  newCustomerDays: 365,
  minSpend: null,
  maxSpend: null,
  denominations: [],
  startDate: null,
  endDate: null,
  voucherCode: null,
  location: null,
  stores: [],
  channels: null,
  conditions: noConditions,
  version: 1,
  ordinal: 1,
  ...given,
})
const AT = new Date('2026-03-10T12:00:00Z')
const purchase = (given: Partial<Purchase>): Purchase => ({
  source: 'CARD',
  amount: 5_000n,
  currency: 'USD',
  ledgerCurrency: 'USD',
  at: AT,
  day: '2026-03-10',
  offerUid: null,
  voucherCode: null,
  place: {},
  ...given,
})
const around = (given: Partial<Circumstances>): Circumstances => ({
  standing: 'ACTIVE',
  card: 'linked',
  used: false,
  previousPurchaseAt: null,
  ...given,
})
const store: Store = {
  locationName: null,
  storeNumber: '0042',
  streetAddress1: '5 North Main Street',
  streetAddress2: null,
  city: 'Austin',
  state: 'TX',
  zipCode: '78701',
  latitude: 30.2672,
  longitude: -97.7431,
  phone: null,
  completeAddress: null,
  country: 'US',
}
const daysBefore = (days: number): Date => new Date(AT.getTime() - days * 86_400_000)
const groups = (customer: 'new' | 'returning') => [
  { name: customer, ratePpm: 1, amount: null, productGroups: [], skus: [], customer, minAmount: null, maxAmount: null },
]

type Case = readonly [
  name: string,
  reason: string | null,
  offer: Partial<Offer>,
  purchase?: Partial<Purchase>,
  around?: Partial<Circumstances>,
]
const CASES: readonly Case[] = [
  ['an active user with a linked card', null, {}],
  ['a user who has not accepted the terms', 'terms_not_accepted', {}, {}, { standing: 'PENDING' }],
  ['a deactivated user', 'user_inactive', {}, {}, { standing: 'INACTIVE' }],
  ['a card that is not linked', 'card_not_linked', {}, {}, { card: 'not_linked' }],
  ['a card that was linked later', 'before_card_linked', {}, {}, { card: 'linked_later' }],
  ['the first day', null, { startDate: '2026-03-10' }],
  ['a day before the first', 'offer_not_started', { startDate: '2026-03-11' }],
  ['the last day', null, { endDate: '2026-03-10' }],
  ['a day after the last', 'offer_ended', { endDate: '2026-03-09' }],
  ['exactly the minimum', null, { minSpend: 5_000n }],
  ['a cent too little', 'below_min_spend', { minSpend: 5_001n }],
  ['above the cap: the rest just earns nothing', null, { maxSpend: 100n }],
  ['another currency', 'currency_mismatch', {}, { currency: 'EUR' }],
  ['an offer in a currency the ledger is not kept in', 'currency_mismatch', { currency: 'EUR' }, { currency: 'EUR' }],
  ['a one-time offer that is used', 'offer_already_used', { oneTimeUse: true }, {}, { used: true }],
  [
    'a customer of a year and a day ago is new',
    null,
    { newCustomerOnly: true },
    {},
    { previousPurchaseAt: daysBefore(366) },
  ],
  [
    'a customer of a year ago is not new',
    'not_a_new_customer',
    { newCustomerOnly: true },
    {},
    { previousPurchaseAt: daysBefore(365) },
  ],
  ['an affiliate offer by a card purchase', 'source_not_eligible', { offerType: 'AFFILIATE' }],
  ['an affiliate offer by a reported sale', null, { offerType: 'AFFILIATE' }, { source: 'AFFILIATE' }],
  ['a listed denomination', null, { offerType: 'GIFT_CARD', denominations: [5_000n] }, { source: 'GIFT_CARD' }],
  [
    'an amount that is no denomination',
    'denomination_mismatch',
    { offerType: 'GIFT_CARD', denominations: [2_500n] },
    { source: 'GIFT_CARD' },
  ],
  [
    'the voucher code, however it is written',
    null,
    { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' },
    { source: 'VOUCHER', voucherCode: ' save3 ' },
  ],
  [
    'another voucher code',
    'voucher_code_mismatch',
    { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' },
    { source: 'VOUCHER', voucherCode: 'SAVE4' },
  ],
  [
    'no voucher code',
    'voucher_code_mismatch',
    { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' },
    { source: 'VOUCHER' },
  ],
  ['the store by its number', null, { stores: [store] }, { place: { storeNumber: '42' } }],
  [
    'another store number',
    'store_not_participating',
    { stores: [store] },
    { place: { storeNumber: '43', zipCode: '78701' } },
  ],
  [
    'the store by zip code and street',
    null,
    { stores: [store] },
    { place: { zipCode: '78701-1234', street: '5 N. Main St' } },
  ],
  [
    'another street',
    'store_not_participating',
    { stores: [store] },
    { place: { zipCode: '78701', street: '6 N Main St' } },
  ],
  [
    'the store by its place on the map',
    null,
    { stores: [store] },
    { place: { latitude: 30.2675, longitude: -97.743 } },
  ],
  [
    'a place a mile away',
    'store_not_participating',
    { stores: [store] },
    { place: { latitude: 30.29, longitude: -97.743 } },
  ],
  ['a purchase without a place cannot be confirmed', 'location_unconfirmed', { stores: [store] }],
  ['the state of a local offer', null, { location: 'TX' }, { place: { state: 'TX' } }],
  ['another state', 'store_not_participating', { location: 'TX' }, { place: { state: 'NY' } }],
  [
    'a commission group for new customers, a returning one',
    'no_commission_group',
    { groups: groups('new') },
    {},
    { previousPurchaseAt: daysBefore(10) },
  ],
  [
    'a commission group for returning customers, a returning one',
    null,
    { groups: groups('returning') },
    {},
    { previousPurchaseAt: daysBefore(10) },
  ],
]

for (const [name, reason, offered, bought = {}, circumstances = {}] of CASES) {
  test(`judge: ${name} → ${reason ?? 'eligible'}`, () => {
    const verdict = judge(offer(offered), purchase(bought), around(circumstances))
    assert.equal(verdict.reason, reason)
    assert.equal(verdict.eligible, reason === null)
    assert.equal(
      verdict.rules.every((line) => line.passed),
      reason === null,
    )
  })
}

test('every rule is judged, so the trace names all that stood in the way', () => {
  const verdict = judge(
    offer({ minSpend: 9_000n, endDate: '2026-01-01' }),
    purchase({}),
    around({ standing: 'PENDING' }),
  )
  assert.deepEqual(
    verdict.rules.filter((line) => !line.passed).map((line) => line.rule),
    ['user_active', 'end_date', 'min_spend'],
  )
  assert.deepEqual(
    verdict.rules.find((line) => line.rule === 'min_spend'),
    { rule: 'min_spend', value: '50.00', bound: '90.00', passed: false },
  )
})
