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
  ['more than a tip', 'FOOD_AND_DRINK', null, 1000n, 1301n, false],
  ['less than was held at a bar', null, '5813', 1000n, 950n, true],
  ['much less than was held at a bar', null, '5813', 1000n, 949n, false],
  ['a shop, exactly', 'GENERAL_MERCHANDISE', null, 1000n, 1000n, true],
  ['a shop, nearly', 'GENERAL_MERCHANDISE', null, 1000n, 1020n, true],
  ['a shop, not nearly', 'GENERAL_MERCHANDISE', null, 1000n, 1021n, false],
  ['nothing known', null, null, 1000n, 1021n, false],
  ['a pump that held one', 'TRANSPORTATION', null, 100n, 6423n, true],
  ['a pump that held a hundred', null, '5542', 10_000n, 3210n, true],
  ['a pump that held what was paid', null, '5542', 5000n, 3210n, false],
  ['a code beats a category', 'TRANSPORTATION', '4111', 100n, 6423n, false],
  ['a hotel, nights added', null, '7011', 20_000n, 30_000n, true],
  ['a hotel, deposit given back', 'TRAVEL', null, 20_000n, 10_000n, true],
  ['a hotel, another stay', 'TRAVEL', null, 20_000n, 30_001n, false],
  ['groceries that were out of stock', null, '5411', 10_000n, 8000n, true],
  ['other groceries', null, '5411', 10_000n, 7999n, false],
]

for (const [what, category, mcc, held, posted, fits] of cases)
  test(`a posting fits its hold within the merchant's tolerance: ${what}`, () => {
    assert.equal(isWithinTolerance(category, mcc, held, posted, 'USD'), fits)
  })

test('a token hold is exactly one unit of its currency', () => {
  assert.equal(isWithinTolerance(null, '5541', 1n, 640n, 'JPY'), true)
  assert.equal(isWithinTolerance(null, '5541', 50n, 640n, 'JPY'), false)
})
