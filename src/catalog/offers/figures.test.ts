import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dollars, examplePurchase, exampleUser, makeOffer, rate } from '../../../test/offers/row.ts'
import { runs } from '../../../test/support/runs.ts'
import type { CommissionGroup, RewardType } from '../catalog/index.ts'
import { computeOfferNet } from '../catalog/net.ts'
import { computeTarget } from './amounts.ts'
import { freezeTerms } from './terms.ts'

// Users get what is displayed to them. Decision 0019 lists the permitted differences, and these tests enforce them.

const PPM = 1_000_000n
const RUNS = { numRuns: runs(5_000) }
const split = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([a, b]) => ({ feePpm: Math.min(a, b), sharePpm: Math.abs(a - b) }))
const spend = fc.bigInt({ min: 1n, max: 1_000_000n })
const bound = fc.record({ minAmount: fc.option(spend, { freq: 3 }), maxAmount: fc.option(spend, { freq: 6 }) })

type Case = {
  readonly rewardType: RewardType
  readonly groups: readonly CommissionGroup[]
  readonly maxSpend?: bigint | null
  readonly amount: bigint
  readonly terms: { readonly feePpm: number; readonly sharePpm: number }
}

/**
 * Returns the displayed figures of an offer and the user's reward for a purchase, whether credited or deducted at the
 * till.
 */
function played({ rewardType, groups, maxSpend = null, amount, terms }: Case) {
  const offer = makeOffer({ rewardType, groups, maxSpend })
  const purchase = { ...examplePurchase, amount }
  const { amounts } = computeTarget(freezeTerms(offer, purchase, exampleUser, terms), { ...purchase, refunded: 0n })
  const eligible = maxSpend === null || amount < maxSpend ? amount : maxSpend
  return { ...computeOfferNet(offer, terms), reward: amounts.user + amounts.discount, eligible }
}

test('a fixed amount pays exactly what is displayed', () => {
  const amounts = fc.bigInt({ min: 1n, max: 100_000n })
  const rewardType = fc.constantFrom('CASHBACK_DOLLAR' as const, 'DISCOUNT_DOLLAR' as const)
  const drawn = fc.record({ rewardType, plain: amounts, amount: spend, terms: split })
  fc.assert(
    fc.property(drawn, fc.array(amounts), fc.array(fc.tuple(amounts, bound)), ({ plain, ...rest }, beyond, banded) => {
      const alone = played({ ...rest, groups: [dollars(plain)] })
      assert.deepEqual([alone.reward, alone.reward], [alone.customerOffer, alone.maxCustomerOffer])
      // Groups that do not apply to this purchase affect only the highest figure.
      const others = beyond.map((amount) => dollars(amount, { minAmount: rest.amount + 1n }))
      const beside = played({ ...rest, groups: [...others, dollars(plain)] })
      assert.deepEqual([beside.reward, beside.customerOffer], [alone.reward, alone.reward])
      // Each group pays what it displays.
      const groups = [dollars(plain), ...banded.map(([amount, bounds]) => dollars(amount, bounds))]
      const shown = groups.map((group) => played({ ...rest, groups: [group] }).maxCustomerOffer)
      assert(shown.includes(played({ ...rest, groups }).reward))
    }),
    RUNS,
  )
})

const percentage = fc.record({
  rewardType: fc.constantFrom('CASHBACK_PERCENTAGE' as const, 'DISCOUNT_PERCENTAGE' as const),
  plain: fc.integer({ min: 1, max: 1_000_000 }),
  more: fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), bound)),
  maxSpend: fc.option(spend),
  amount: spend,
  terms: split,
})
const toGroups = ({ plain, more }: { plain: number; more: [number, Partial<CommissionGroup>][] }) => [
  { ...rate(0), ratePpm: plain },
  ...more.map(([ratePpm, bounds]) => ({ ...rate(0, bounds), ratePpm })),
]

test('a percentage never pays less than the displayed rate, rounded down to a cent', () => {
  fc.assert(
    fc.property(percentage, (drawn) => {
      const { customerOffer, reward, eligible } = played({ ...drawn, groups: toGroups(drawn) })
      assert(reward >= (customerOffer * eligible) / PPM)
    }),
    RUNS,
  )
})

test('a percentage exceeds the highest displayed rate only through rounding of gross, fee and share', () => {
  fc.assert(
    fc.property(percentage, (drawn) => {
      const { maxCustomerOffer, reward, eligible } = played({ ...drawn, groups: toGroups(drawn) })
      const { feePpm, sharePpm } = drawn.terms
      const left = PPM - BigInt(feePpm) - BigInt(sharePpm)
      const floors = BigInt(Number(feePpm > 0) + Number(sharePpm > 0))
      // The displayed rate was rounded down to one part per million.
      const shown = (maxCustomerOffer + 1n) * eligible
      assert(2n * PPM * reward <= 2n * shown + left + 2n * PPM * floors)
    }),
    RUNS,
  )
})

test("fee and share can each round down by almost a cent in the user's favor", () => {
  const terms = { feePpm: 497_400, sharePpm: 497_400 }
  const groups = [{ ...rate(0), ratePpm: 500_000 }]
  const { reward, customerOffer } = played({ rewardType: 'CASHBACK_PERCENTAGE', groups, amount: 397n, terms })
  // At the displayed rate of 0.26%, 3.97 pays one cent. The gross is half of 3.97, rounded up to 1.99. Fee and share
  // each take 0.98 instead of 0.9898, so the user gets three cents.
  assert.deepEqual([customerOffer, (customerOffer * 397n) / PPM, reward], [2_600n, 1n, 3n])
})
