import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examplePurchase, exampleUser, makeOffer } from '../../../test/offers/row.ts'
import { runs } from '../../../test/support/runs.ts'
import { computeTarget, splitGross } from './amounts.ts'
import { applyBound, type BoundReason, capGross } from './bounds.ts'
import { freezeTerms } from './terms.ts'

const split = { feePpm: 100_000, sharePpm: 200_000 }
const makeTerms = (offer: Parameters<typeof makeOffer>[0] = {}) =>
  freezeTerms(makeOffer(offer), examplePurchase, exampleUser, split)
const owed = (offer: Parameters<typeof makeOffer>[0] = {}) =>
  computeTarget(makeTerms(offer), { amount: 5_000n, refunded: 0n, items: [] })

test('amounts within a bound, or without one, are unchanged', () => {
  const target = owed()
  assert.equal(applyBound(makeTerms(), target, null), target)
  for (const gross of [250n, 251n]) {
    assert.deepEqual(applyBound(makeTerms(), target, { gross, reason: 'budget_exhausted' }), target)
  }
})

const LIMITED_BY: readonly (readonly [BoundReason, string])[] = [
  ['user_limit_reached', 'user_limit'],
  ['budget_exhausted', 'budget_left'],
  ['voucher_code_used', 'voucher_code'],
]

for (const [reason, limitedBy] of LIMITED_BY) {
  test(`a bound caps the gross and appears in the trace as ${limitedBy}`, () => {
    const target = owed()
    const { amounts, arithmetic, reason: why } = applyBound(makeTerms(), target, { gross: 249n, reason })
    assert.deepEqual(amounts, { gross: 249n, fee: 24n, publisher: 49n, user: 176n, discount: 0n })
    assert.equal(why, null)
    assert.deepEqual(
      [arithmetic.limited_by, arithmetic.limited_to, arithmetic.gross],
      [limitedBy, '2.49', target.arithmetic.gross],
    )
    assert.deepEqual([arithmetic.fee, arithmetic.publisher_share, arithmetic.user_reward], ['0.24', '0.49', '1.76'])
    assert.equal(applyBound(makeTerms(), target, { gross: 0n, reason }).reason, reason)
  })
}

test('a bound caps discounts, and the trace shows what was deducted at checkout', () => {
  const discount = { rewardType: 'DISCOUNT_PERCENTAGE' } as const
  const { amounts, arithmetic } = applyBound(makeTerms(discount), owed(discount), {
    gross: 100n,
    reason: 'budget_exhausted',
  })
  assert.deepEqual(amounts, { gross: 100n, fee: 10n, publisher: 20n, user: 0n, discount: 70n })
  assert.equal(arithmetic.user_reward, '0.70')
})

test("capGross returns the highest commission that keeps the user's part within the limit", () => {
  const ppm = fc.integer({ min: 0, max: 1_000_000 })
  const shares = fc.tuple(ppm, ppm).map(([a, b]) => ({ feePpm: Math.min(a, b), sharePpm: Math.abs(a - b) }))
  const rewardType = fc.constantFrom('CASHBACK_PERCENTAGE' as const, 'DISCOUNT_PERCENTAGE' as const)
  const amount = fc.bigInt({ min: 0n, max: 400n })
  fc.assert(
    fc.property(shares, rewardType, amount, amount, (rates, type, gross, most) => {
      const terms = { ...rates, rewardType: type }
      const userPart = (one: bigint): bigint => {
        const { user, discount } = splitGross(terms, one)
        return user + discount
      }
      let highest = gross
      while (userPart(highest) > most) highest -= 1n
      assert.equal(capGross(terms, gross, most), highest)
    }),
    { numRuns: runs(2_000) },
  )
})

test("a limit on the user's part has no effect when fee and share take everything", () => {
  const terms = { feePpm: 400_000, sharePpm: 600_000, rewardType: 'CASHBACK_DOLLAR' } as const
  assert.equal(capGross(terms, 500n, 0n), 500n)
})
