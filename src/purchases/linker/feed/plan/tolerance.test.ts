import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithinTolerance } from './tolerance.ts'

const cases: readonly [
  what: string,
  category: string | null,
  mcc: string | null,
  held: bigint,
  posted: bigint,
  fits: boolean,
][] = [
  ['a tip', 'FOOD_AND_DRINK', null, 1000n, 1300n, true],
  ['too much for a tip', 'FOOD_AND_DRINK', null, 1000n, 1301n, false],
  ['slightly less than a bar held', null, '5813', 1000n, 950n, true],
  ['much less than a bar held', null, '5813', 1000n, 949n, false],
  ['exactly what a shop held', 'GENERAL_MERCHANDISE', null, 1000n, 1000n, true],
  ['2% more than a shop held', 'GENERAL_MERCHANDISE', null, 1000n, 1020n, true],
  ['over 2% more than a shop held', 'GENERAL_MERCHANDISE', null, 1000n, 1021n, false],
  ['no category and no code', null, null, 1000n, 1021n, false],
  ['a fuel pump that held 1.00', 'TRANSPORTATION', null, 100n, 6423n, true],
  ['a fuel pump that held 100.00', null, '5542', 10_000n, 3210n, true],
  ['a fuel pump that held a real amount', null, '5542', 5000n, 3210n, false],
  ['the code overrides the category', 'TRANSPORTATION', '4111', 100n, 6423n, false],
  ['nights added at a hotel', null, '7011', 20_000n, 30_000n, true],
  ['a hotel deposit returned', 'TRAVEL', null, 20_000n, 10_000n, true],
  ['too much for the same hotel stay', 'TRAVEL', null, 20_000n, 30_001n, false],
  ['groceries partly out of stock', null, '5411', 10_000n, 8000n, true],
  ['too little for the same groceries', null, '5411', 10_000n, 7999n, false],
]

for (const [what, category, mcc, held, posted, fits] of cases)
  test(`a posting fits its hold only within the merchant's tolerance: ${what}`, () => {
    assert.equal(isWithinTolerance(category, mcc, held, posted, 'USD'), fits)
  })

test('a token hold is exactly one unit of its currency', () => {
  assert.equal(isWithinTolerance(null, '5541', 1n, 640n, 'JPY'), true)
  assert.equal(isWithinTolerance(null, '5541', 50n, 640n, 'JPY'), false)
})
