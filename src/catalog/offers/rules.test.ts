import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULE_BOOK } from '../../../test/offers/index.ts'
import { examplePurchase, exampleStore, exampleUser, item, makeOffer, rate, when } from '../../../test/offers/row.ts'
import { noLimitFacts } from './limits.ts'
import type { Purchase } from './purchase.ts'
import type { RuleLine } from './rule-line.ts'
import { judge } from './rules.ts'

// The rule book (test/offers) covers refusals. These tests cover the trace.

const verdictOn = (
  offer: Parameters<typeof makeOffer>[0],
  purchase: Partial<Purchase> = {},
  user: Partial<typeof exampleUser> = {},
) => judge(makeOffer(offer), { ...examplePurchase, ...purchase }, { ...exampleUser, ...user })

test('every rule is evaluated, so the trace shows every failure', () => {
  const verdict = verdictOn({ minSpend: 9_000n, endDate: '2026-01-01' }, {}, { standing: 'PENDING' })
  assert.deepEqual(
    verdict.rules.filter((line) => !line.passed).map((line) => line.rule),
    ['user_active', 'end_date', 'min_spend'],
  )
  assert.deepEqual([verdict.eligible, verdict.reason, verdict.failures], [false, 'terms_not_accepted', 3])
})

test('an offer is judged only by the rules that apply to it', () => {
  assert.deepEqual(
    verdictOn({}).rules.map((line) => line.rule),
    ['user_active', 'source', 'card_linked', 'currency'],
  )
  const all = verdictOn({
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    minSpend: 1n,
    oneTimeUse: true,
    newCustomerOnly: true,
    channels: ['IN_STORE'],
    stores: [exampleStore],
    groups: [rate(5, { name: 'all' })],
    conditions: { days: ['TUE'], hours: { from: '09:00', to: '18:00' }, lapsedCustomerOnly: true },
  })
  assert.deepEqual(
    all.rules.slice(4).map((line) => line.rule),
    [
      'start_date',
      'end_date',
      'days',
      'hours',
      'min_spend',
      'one_time_use',
      'new_customer_only',
      'lapsed_customer_only',
      'channel',
      'store',
      'commission_group',
    ],
  )
})

const friday = { conditions: { days: ['FRI'], hours: { from: '22:00', to: '02:00' } } } as const
const shoes = rate(8, { name: 'shoes', productGroups: ['shoes'] })
const previousPurchaseAt = new Date('2026-03-01T08:00:00Z')

const LINES: readonly (readonly [RuleLine, () => ReturnType<typeof verdictOn>])[] = [
  [
    { rule: 'user_active', value: 'INACTIVE', bound: 'ACTIVE', passed: false },
    () => verdictOn({}, {}, { standing: 'INACTIVE' }),
  ],
  [{ rule: 'source', value: 'OTHER', bound: 'CARD_LINKED', passed: false }, () => verdictOn({}, { source: 'OTHER' })],
  [
    { rule: 'card_linked', value: 'not_linked', bound: 'linked', passed: false },
    () => verdictOn({}, {}, { card: 'not_linked' }),
  ],
  [{ rule: 'currency', value: 'USD', bound: 'EUR', passed: false }, () => verdictOn({ currency: 'EUR' })],
  [
    { rule: 'start_date', value: '2026-03-10', bound: '2026-04-01', passed: false },
    () => verdictOn({ startDate: '2026-04-01' }),
  ],
  [
    { rule: 'end_date', value: '2026-03-10', bound: '2026-04-01', passed: true },
    () => verdictOn({ endDate: '2026-04-01' }),
  ],
  [{ rule: 'min_spend', value: '50.00', bound: '90.00', passed: false }, () => verdictOn({ minSpend: 9_000n })],
  [{ rule: 'days', value: 'TUE', bound: 'FRI', passed: false }, () => verdictOn(friday)],
  [{ rule: 'days', value: 'FRI', bound: 'FRI', passed: true }, () => verdictOn(friday, when('2026-03-14T01:00:00Z'))],
  [
    { rule: 'days', value: 'SAT or FRI', bound: 'FRI', passed: true },
    () => verdictOn(friday, { ...when('2026-03-14T00:00:00Z'), dateOnly: true }),
  ],
  [{ rule: 'hours', value: '12:00', bound: '22:00–02:00', passed: false }, () => verdictOn(friday)],
  [{ rule: 'hours', value: null, bound: '22:00–02:00', passed: true }, () => verdictOn(friday, { dateOnly: true })],
  [
    { rule: 'one_time_use', value: 'used', bound: 'unused', passed: false },
    () => verdictOn({ oneTimeUse: true }, {}, { used: true }),
  ],
  [{ rule: 'one_time_use', value: 'unused', bound: 'unused', passed: true }, () => verdictOn({ oneTimeUse: true })],
  [
    { rule: 'new_customer_only', value: '2026-03-01T08:00:00.000Z', bound: 'none in 365 days', passed: false },
    () => verdictOn({ newCustomerOnly: true }, {}, { previousPurchaseAt }),
  ],
  [
    { rule: 'new_customer_only', value: 'no earlier purchase', bound: 'none in 365 days', passed: true },
    () => verdictOn({ newCustomerOnly: true }),
  ],
  [
    { rule: 'lapsed_customer_only', value: 'no earlier purchase', bound: 'one, but none in 180 days', passed: false },
    () => verdictOn({ conditions: { lapsedCustomerOnly: true } }),
  ],
  [
    { rule: 'voucher_code', value: 'SAVE4', bound: 'SAVE3', passed: false },
    () => verdictOn({ offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' }, { voucherCode: ' save4' }),
  ],
  [
    { rule: 'denomination', value: '50.00', bound: '25.00, 100.00', passed: false },
    () => verdictOn({ offerType: 'GIFT_CARD', denominations: [2_500n, 10_000n] }),
  ],
  [
    { rule: 'channel', value: null, bound: 'IN_STORE, ONLINE', passed: true },
    () => verdictOn({ channels: ['IN_STORE', 'ONLINE'] }),
  ],
  [
    { rule: 'channel', value: 'ONLINE', bound: 'IN_STORE', passed: false },
    () => verdictOn({ channels: ['IN_STORE'] }, { channel: 'ONLINE' }),
  ],
  [
    { rule: 'days', value: 'TUE', bound: 'MON, WED', passed: false },
    () => verdictOn({ conditions: { days: ['MON', 'WED'] } }),
  ],
  [
    { rule: 'activation', value: 'not activated', bound: 'activated before the purchase', passed: false },
    () => verdictOn({ conditions: { activationRequired: true } }),
  ],
  [
    { rule: 'activation', value: 'activated', bound: 'activated before the purchase', passed: true },
    () =>
      verdictOn({ conditions: { activationRequired: true } }, {}, { limits: { ...noLimitFacts, isActivated: true } }),
  ],
  [
    { rule: 'voucher_code', value: 'expired', bound: 'own', passed: false },
    () => verdictOn({ conditions: { uniqueCodes: true } }, {}, { limits: { ...noLimitFacts, code: 'expired' } }),
  ],
  [
    { rule: 'user_limit_uses', value: '0', bound: 'fewer than 3 per WEEK', passed: true },
    () => verdictOn({ conditions: { userLimits: [{ period: 'WEEK', uses: 3, reward: null }] } }),
  ],
  [
    { rule: 'user_limit_reward', value: '0.00', bound: 'less than 10.00 per LIFETIME', passed: true },
    () => verdictOn({ conditions: { userLimits: [{ period: 'LIFETIME', uses: null, reward: 1_000n }] } }),
  ],
  [
    { rule: 'commission_group', value: 'none', bound: 'large', passed: false },
    () => verdictOn({ groups: [rate(5, { name: 'large', minAmount: 9_000n })] }),
  ],
  [
    { rule: 'commission_group', value: 'none', bound: 'welcome back', passed: false },
    () => verdictOn({ groups: [rate(5, { name: 'welcome back', customer: 'lapsed' })] }),
  ],
  [
    { rule: 'store', value: 'Austin 78701', bound: '1 listed store', passed: false },
    () => verdictOn({ stores: [exampleStore] }, { place: { city: 'Austin', zipCode: '78701', latitude: 30.2672 } }),
  ],
  [
    { rule: 'store', value: 'Austin', bound: '1 listed store', passed: false },
    () => verdictOn({ stores: [exampleStore] }, { place: { city: 'Austin', longitude: -97.7431 } }),
  ],
  [{ rule: 'store', value: null, bound: '1 listed store', passed: false }, () => verdictOn({ stores: [exampleStore] })],
  [
    { rule: 'store', value: '#7 1 Elm St Reno NV 89501 39.5,-119.8', bound: 'TX', passed: false },
    () =>
      verdictOn(
        { location: 'TX' },
        {
          place: {
            storeNumber: '7',
            street: '1 Elm St',
            city: 'Reno',
            state: 'NV',
            zipCode: '89501',
            latitude: 39.5,
            longitude: -119.8,
          },
        },
      ),
  ],
  [
    { rule: 'commission_group', value: 'none (no items reported)', bound: 'shoes', passed: false },
    () => verdictOn({ groups: [shoes] }),
  ],
  [
    { rule: 'commission_group', value: 'all else (no items reported)', bound: 'shoes, all else', passed: true },
    () => verdictOn({ groups: [shoes, rate(2)] }),
  ],
  [
    { rule: 'commission_group', value: 'shoes', bound: 'shoes, rest', passed: true },
    () =>
      verdictOn(
        { groups: [shoes, rate(2, { name: 'rest' })] },
        { items: [item({ productGroup: 'shoes', amount: 5_000n })] },
      ),
  ],
  [
    { rule: 'commission_group', value: 'shoes, rest', bound: 'shoes, rest', passed: true },
    () =>
      verdictOn(
        { groups: [shoes, rate(2, { name: 'rest' })] },
        { items: [item({ productGroup: 'shoes', amount: 4_999n })] },
      ),
  ],
  [
    { rule: 'commission_group', value: 'first', bound: 'first, second', passed: true },
    () => verdictOn({ groups: [rate(2, { name: 'first' }), rate(2, { name: 'second' })] }),
  ],
  [
    { rule: 'commission_group', value: 'shoes', bound: 'shoes, large', passed: true },
    () =>
      verdictOn(
        { groups: [shoes, rate(2, { name: 'large', minAmount: 9_000n })] },
        { items: [item({ productGroup: 'shoes', amount: 5_000n })] },
      ),
  ],
]

for (const [expected, verdict] of LINES) {
  test(`the trace shows ${expected.rule}: ${expected.value} against ${expected.bound}`, () => {
    assert.deepEqual(
      verdict().rules.find((line) => line.rule === expected.rule),
      expected,
    )
  })
}

test('an offer limited to certain weekdays accepts purchases only on those days', () => {
  const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
  days.forEach((day, index) => {
    const purchase = when(`2026-03-${String(9 + index).padStart(2, '0')}T12:00:00Z`)
    assert.equal(verdictOn({ conditions: { days: [day] } }, purchase).eligible, true)
    assert.equal(verdictOn({ conditions: { days: days.filter((one) => one !== day) } }, purchase).eligible, false)
  })
})

test('only card-linked offers require a linked card, and only for card purchases', () => {
  const asks = (...of: Parameters<typeof verdictOn>) =>
    verdictOn(...of).rules.some((line) => line.rule === 'card_linked')
  assert.equal(asks({}), true)
  assert.equal(asks({ offerType: 'AFFILIATE' }, { source: 'AFFILIATE' }), false)
  assert.equal(asks({}, { source: 'OTHER', offerUid: 'o' }), false)
  assert.equal(asks({ offerType: 'VOUCHER_CODE' }), false)
})

test('judging is deterministic and has no side effects', () => {
  for (const row of RULE_BOOK.flatMap(({ rows }) => rows)) {
    const input = frozen([
      makeOffer(row.offer),
      { ...examplePurchase, ...row.purchase },
      { ...exampleUser, ...row.user },
    ] as const)
    assert.deepEqual(judge(...input), judge(...structuredClone(input)))
  }
})

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
