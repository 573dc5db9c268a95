import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, type Line, noonOf, permutations } from '../../../test/support/folding.ts'
import { beforeRefunds, foldEvents } from './fold.ts'

const NOW = noonOf(9)
const fold = (lines: readonly Line[]) =>
  foldEvents(
    lines.map((line) => eventOf(line)),
    'UTC',
    NOW,
  )

type Case = {
  readonly name: string
  readonly events: readonly Line[]
  readonly reason: string | null
  readonly wasMade: boolean
}

/** Why nothing is left to reward, and whether the customer bought something. */
const CASES: readonly Case[] = [
  {
    name: 'a hold that was reversed is no purchase',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'v', 'REVERSAL', 100n, 'a'],
    ],
    reason: 'reversed',
    wasMade: false,
  },
  {
    name: 'a hold that was refunded was a purchase',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'r', 'REFUND', 100n, 'a'],
    ],
    reason: 'refunded',
    wasMade: true,
  },
  {
    name: 'a clearing that was reversed was a purchase',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 100n, 'c'],
    ],
    reason: 'reversed',
    wasMade: true,
  },
  {
    name: 'a refund after a reversal is the reason',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'v', 'REVERSAL', 60n, 'c'],
      [3, 'r', 'REFUND', 40n, 'c'],
    ],
    reason: 'refunded',
    wasMade: true,
  },
  {
    name: 'a reversal after a refund is the reason',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 40n, 'c'],
      [3, 'v', 'REVERSAL', 60n, 'c'],
    ],
    reason: 'reversed',
    wasMade: true,
  },
  {
    name: 'a reversal of a part of a refund is not the reason',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 150n, 'c'],
      [3, 'v', 'REVERSAL', 50n, 'r'],
    ],
    reason: 'refunded',
    wasMade: true,
  },
  {
    name: 'a reversal that was undone is not the reason',
    events: [
      [1, 'c', 'CLEARING', 100n],
      [2, 'r', 'REFUND', 100n, 'c'],
      [3, 'v', 'REVERSAL', 10n, 'c'],
      [4, 'w', 'REVERSAL', 10n, 'v'],
    ],
    reason: 'refunded',
    wasMade: true,
  },
  {
    name: 'a declined hold is no purchase',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'd', 'DECLINE', 100n, 'a'],
    ],
    reason: 'declined',
    wasMade: false,
  },
  {
    name: 'a clearing counts even if its hold was declined',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'd', 'DECLINE', 100n, 'a'],
      [3, 'c', 'CLEARING', 100n, 'a'],
    ],
    reason: null,
    wasMade: true,
  },
  {
    name: 'a decline alone is declined',
    events: [[2, 'd', 'DECLINE', 100n, 'a']],
    reason: 'declined',
    wasMade: false,
  },
  {
    name: 'a refund alone has no purchase',
    events: [[2, 'r', 'REFUND', 100n, 'c']],
    reason: 'original_unknown',
    wasMade: false,
  },
]

for (const { name, events, reason, wasMade } of CASES) {
  test(`fold: ${name}, in any order of arrival`, () => {
    for (const order of permutations(events)) {
      const folded = fold(order)
      assert.deepEqual([folded.emptyReason, folded.wasMade], [reason, wasMade])
    }
  })
}

test('totals are the holds, the clearings, each new total, and the rest after refunds', () => {
  const cleared: readonly Line[] = [
    [1, 'a', 'AUTHORIZATION', 100n],
    [2, 'c', 'CLEARING', 60n, 'a'],
    [3, 'd', 'CLEARING', 30n, 'a'],
    [4, 'r', 'REFUND', 20n, 'c'],
  ]
  assert.deepEqual(fold(cleared).totals, [90n, 70n, 100n])
  const amended: readonly Line[] = [
    [1, 'a', 'AUTHORIZATION', 100n],
    [2, 'm', 'AMENDMENT', 120n, 'a'],
    [3, 'c', 'CLEARING', 110n, 'a'],
  ]
  assert.deepEqual(fold(amended).totals, [110n, 100n, 120n])
  const refunded: readonly Line[] = [
    [1, 'c', 'CLEARING', 50n],
    [2, 'r', 'REFUND', 50n, 'c'],
  ]
  assert.deepEqual(fold(refunded).totals, [50n])
})

test('a purchase changed when its newest event happened, and is dated by its first', () => {
  const { authorizedAt, changedAt } = fold([
    [5, 'r', 'REFUND', 10n, 'c'],
    [1, 'c', 'CLEARING', 100n],
  ])
  assert.deepEqual([authorizedAt, changedAt], [noonOf(1), noonOf(5)])
})

test('of events at one instant the one with the least id is the first', () => {
  const events = ['a', 'b', 'c'].map((id) => eventOf([1, id, 'CLEARING', 10n], { merchantName: id }))
  for (const order of permutations(events)) assert.equal(foldEvents(order, 'UTC', NOW).facts.merchantName, 'a')
})

test('an amendment describes the merchant, a refund does not', () => {
  const cleared = eventOf([1, 'c', 'CLEARING', 100n])
  const named = { merchantName: 'Shop' }
  const amended = foldEvents([cleared, eventOf([2, 'm', 'AMENDMENT', 100n, 'c'], named)], 'UTC', NOW)
  const refunded = foldEvents([cleared, eventOf([2, 'r', 'REFUND', 10n, 'c'], named)], 'UTC', NOW)
  assert.deepEqual([amended.facts.merchantName, refunded.facts.merchantName], ['Shop', undefined])
})

test('before refunds nothing of an item was refunded', () => {
  const bought = eventOf([1, 'c', 'CLEARING', 100n], { items: [{ productGroup: 'hats', amount: '100' }] })
  const folded = foldEvents([bought, eventOf([2, 'r', 'REFUND', 30n, 'c'])], 'UTC', NOW)
  assert.deepEqual(
    [folded, beforeRefunds(folded)].map(({ refunded, items }) => [refunded, items.map((item) => item.refunded)]),
    [
      [30n, [30n]],
      [0n, [0n]],
    ],
  )
})
