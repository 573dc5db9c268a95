import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, makeEvent, permutations, toNoon } from '../../../../test/support/folding.ts'
import { foldEvents } from './fold.ts'

/** `left` is what remains of the purchase, in minor units. */
const CASES: readonly { readonly name: string; readonly events: readonly Line[]; readonly left: bigint }[] = [
  {
    name: 'an amount taken back through a referenced clearing is not taken back a second time',
    events: [
      [1, 'a', 'CLEARING', 100n],
      [2, 'b', 'CLEARING', 50n, 'a'],
      [3, 'c', 'CLEARING', 100n, 'b'],
      [4, 'v', 'REVERSAL', 150n, 'b'],
      [5, 'w', 'REVERSAL', 100n, 'c'],
    ],
    left: 100n,
  },
  {
    name: 'reversals of one of two holds take back at most that hold',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'b', 'AUTHORIZATION', 50n, 'a'],
      [3, 'v', 'REVERSAL', 100n, 'b'],
      [4, 'w', 'REVERSAL', 10n, 'b'],
    ],
    left: 100n,
  },
  {
    name: 'a reversal of a hold that was raised by another takes back both',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'b', 'AUTHORIZATION', 50n, 'a'],
      [3, 'v', 'REVERSAL', 150n, 'a'],
    ],
    left: 0n,
  },
  {
    name: 'the uncleared part of an authorization can be released in two steps',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [3, 'v', 'REVERSAL', 20n, 'a'],
      [4, 'w', 'REVERSAL', 20n, 'a'],
    ],
    left: 60n,
  },
  {
    name: 'after the uncleared part is released, a further reversal of the hold takes back cleared amounts',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 60n, 'a'],
      [3, 'v', 'REVERSAL', 40n, 'a'],
      [4, 'w', 'REVERSAL', 10n, 'a'],
    ],
    left: 50n,
  },
  {
    name: 'a reversal of the hold for exactly the cleared amount takes back the purchase',
    events: [
      [1, 'a', 'AUTHORIZATION', 100n],
      [2, 'c', 'CLEARING', 30n, 'a'],
      [3, 'v', 'REVERSAL', 30n, 'a'],
    ],
    left: 0n,
  },
]

for (const { name, events, left } of CASES) {
  test(`${name}, in any arrival order`, () => {
    for (const order of permutations(events)) {
      const { amount, refunded } = foldEvents(
        order.map((line) => makeEvent(line)),
        'UTC',
        toNoon(6),
      )
      assert.equal(amount - refunded, left)
    }
  })
}
