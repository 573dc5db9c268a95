import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOffer } from '../../../test/offers/row.ts'
import type { OfferConditions, Period, UserLimit } from '../catalog/index.ts'
import { checkBudget, computeRewardLeft, isLimited, type Taken } from './limits.ts'

// The rule book (test/offers) covers refusals. These tests cover which offers are limited and how much reward is left.

const aDay = { period: 'DAY', uses: null, reward: 1_000n } as const
const aMonth = { period: 'MONTH', uses: null, reward: 2_000n } as const

test('only offers with allowances or required activation are limited', () => {
  const limiting: readonly Partial<OfferConditions>[] = [
    { activationRequired: true },
    { uniqueCodes: true },
    { userLimits: [aDay] },
    { budgets: [{ period: 'DAY', amount: 1n }] },
  ]
  for (const conditions of limiting)
    assert.equal(isLimited(makeOffer({ conditions })), true, Object.keys(conditions)[0])
  assert.equal(isLimited(makeOffer({})), false)
  assert.equal(isLimited(makeOffer({ conditions: { days: ['MON'], lapsedCustomerOnly: true } })), false)
})

const LEFT: readonly {
  readonly title: string
  readonly limits: readonly UserLimit[]
  readonly taken?: readonly [Period, Taken][]
  readonly left: bigint | null
}[] = [
  { title: 'without limits, the terms decide', limits: [], left: null },
  { title: 'a limit on uses does not cap the reward', limits: [{ ...aDay, uses: 3, reward: null }], left: null },
  { title: 'nothing used yet', limits: [aDay], left: 1_000n },
  {
    title: 'the remainder of a partly used limit',
    limits: [aDay],
    taken: [['DAY', { uses: 1, reward: 999n }]],
    left: 1n,
  },
  {
    title: 'nothing is left of a fully used limit',
    limits: [aDay],
    taken: [['DAY', { uses: 1, reward: 1_000n }]],
    left: 0n,
  },
  {
    title: 'nothing is left when a lowered limit is already exceeded',
    limits: [aDay],
    taken: [['DAY', { uses: 1, reward: 1_400n }]],
    left: 0n,
  },
  {
    title: 'use in other periods does not count',
    limits: [aDay],
    taken: [['MONTH', { uses: 1, reward: 9n }]],
    left: 1_000n,
  },
  { title: 'the smallest of several limits, here the first', limits: [aDay, aMonth], left: 1_000n },
  {
    title: 'the smallest of several limits, here the last',
    limits: [aDay, aMonth],
    taken: [['MONTH', { uses: 1, reward: 1_500n }]],
    left: 500n,
  },
]

for (const { title, limits, taken, left } of LEFT) {
  test(`reward left for a user: ${title}`, () => {
    assert.equal(computeRewardLeft(limits, new Map(taken)), left)
  })
}

test('a budget covers the whole reward or none of it, to the cent', () => {
  const line = (left: bigint) => checkBudget(makeOffer({}), 250n, left)
  assert.deepEqual(line(250n), {
    rule: 'budget',
    value: '2.50',
    bound: 'at most what is left',
    passed: true,
    reason: 'budget_exhausted',
  })
  assert.deepEqual([line(251n).passed, line(249n).passed], [true, false])
})
