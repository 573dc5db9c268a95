import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, makeEvent, permutations, toNoon } from '../../../../test/support/folding.ts'
import { foldEvents, removeRefunds } from './fold.ts'

const NOW = toNoon(9)
const fold = (lines: readonly Line[]) =>
  foldEvents(
    lines.map((line) => makeEvent(line)),
    'UTC',
    NOW,
  )

type Case = readonly [name: string, events: readonly Line[], reason: string | null, wasMade: boolean]

const hold: Line = [1, 'a', 'AUTHORIZATION', 100n]
const cleared: Line = [1, 'c', 'CLEARING', 100n]
const declined: Line = [2, 'd', 'DECLINE', 100n, 'a']
const refund = (day: number, amount: bigint, of: string): Line => [day, 'r', 'REFUND', amount, of]
const reversal = (day: number, amount: bigint, of: string, id = 'v'): Line => [day, id, 'REVERSAL', amount, of]

/** The reason why nothing is left to reward, and whether the customer bought something. */
const CASES: readonly Case[] = [
  ['a hold that was reversed was not a purchase', [hold, reversal(2, 100n, 'a')], 'reversed', false],
  ['a hold that was refunded was a purchase', [hold, refund(2, 100n, 'a')], 'refunded', true],
  ['a clearing that was reversed was a purchase', [cleared, reversal(2, 100n, 'c')], 'reversed', true],
  ['a refund after a reversal is the reason', [cleared, reversal(2, 60n, 'c'), refund(3, 40n, 'c')], 'refunded', true],
  ['a reversal after a refund is the reason', [cleared, refund(2, 40n, 'c'), reversal(3, 60n, 'c')], 'reversed', true],
  [
    'the reversal of part of a refund is not the reason',
    [cleared, refund(2, 150n, 'c'), reversal(3, 50n, 'r')],
    'refunded',
    true,
  ],
  [
    'a reversal that was undone is not the reason',
    [cleared, refund(2, 100n, 'c'), reversal(3, 10n, 'c'), reversal(4, 10n, 'v', 'w')],
    'refunded',
    true,
  ],
  ['a declined hold was not a purchase', [hold, declined], 'declined', false],
  ['a clearing stands even if its hold was declined', [hold, declined, [3, 'c', 'CLEARING', 100n, 'a']], null, true],
  ['a decline without a hold counts as declined', [declined], 'declined', false],
  ['a refund without a purchase has an unknown original', [refund(2, 100n, 'c')], 'original_unknown', false],
]

for (const [name, events, reason, wasMade] of CASES) {
  test(`fold: ${name}, in any arrival order`, () => {
    for (const order of permutations(events)) {
      const folded = fold(order)
      assert.deepEqual([folded.emptyReason, folded.wasMade], [reason, wasMade])
    }
  })
}

test("a purchase's totals cover its holds, clearings, amendments and what remains after refunds", () => {
  const inParts: readonly Line[] = [hold, [2, 'c', 'CLEARING', 60n, 'a'], [3, 'd', 'CLEARING', 30n, 'a']]
  assert.deepEqual(fold([...inParts, refund(4, 20n, 'c')]).totals, [90n, 70n, 100n])
  const amended: readonly Line[] = [hold, [2, 'm', 'AMENDMENT', 120n, 'a'], [3, 'c', 'CLEARING', 110n, 'a']]
  assert.deepEqual(fold(amended).totals, [110n, 100n, 120n])
  assert.deepEqual(fold([cleared, refund(2, 100n, 'c')]).totals, [100n])
})

test('a purchase is dated by its first event, and its last change by its latest event', () => {
  const { authorizedAt, changedAt } = fold([refund(5, 10n, 'c'), cleared])
  assert.deepEqual([authorizedAt, changedAt], [toNoon(1), toNoon(5)])
})

test('of simultaneous events, the event with the lowest id comes first', () => {
  const events = ['a', 'b', 'c'].map((id) => makeEvent([1, id, 'CLEARING', 10n], { merchantName: id }))
  for (const order of permutations(events)) assert.equal(foldEvents(order, 'UTC', NOW).facts.merchantName, 'a')
})

test('an amendment can describe the merchant, but a refund cannot', () => {
  const bought = makeEvent(cleared)
  const named = { merchantName: 'Shop' }
  const amended = foldEvents([bought, makeEvent([2, 'm', 'AMENDMENT', 100n, 'c'], named)], 'UTC', NOW)
  const refunded = foldEvents([bought, makeEvent(refund(2, 10n, 'c'), named)], 'UTC', NOW)
  assert.deepEqual([amended.facts.merchantName, refunded.facts.merchantName], ['Shop', undefined])
})

test('the state before refunds has no refunded items', () => {
  const bought = makeEvent(cleared, { items: [{ productGroup: 'hats', amount: '100' }] })
  const folded = foldEvents([bought, makeEvent(refund(2, 30n, 'c'))], 'UTC', NOW)
  assert.deepEqual(
    [folded, removeRefunds(folded)].map(({ refunded, items }) => [refunded, items.map((item) => item.refunded)]),
    [
      [30n, [30n]],
      [0n, [0n]],
    ],
  )
})

test('refunds from the feed and refunds from other reporters overlap, so only the larger sum is deducted', () => {
  const lines: readonly Line[] = [
    cleared,
    refund(2, 30n, 'c'),
    [3, 's', 'REFUND', 40n, 'c'],
    [4, 'f', 'REFUND', 50n, 'c'],
  ]
  const events = lines.map((line) => ({ ...makeEvent(line), isFeed: line[1] === 'f' }))
  for (const order of permutations(events)) assert.equal(foldEvents(order, 'UTC', NOW).refunded, 70n)
  const reversed = [...events, makeEvent(reversal(5, 30n, 'r'))]
  for (const order of permutations(reversed)) assert.equal(foldEvents(order, 'UTC', NOW).refunded, 50n)
})

test('refunds in another report are deducted only if higher, only once, and up to the purchase amount', () => {
  const refunded = (elsewhere: bigint) =>
    foldEvents([makeEvent(cleared), makeEvent(refund(2, 30n, 'c'))], 'UTC', NOW, elsewhere)
  assert.deepEqual(
    [20n, 30n, 50n, 100n, 150n].map((sum) => refunded(sum).refunded),
    [30n, 30n, 50n, 100n, 100n],
  )
  assert.deepEqual([refunded(50n).emptyReason, refunded(100n).emptyReason], [null, 'refunded'])
})
