import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Amounts, isNothing, minus, noAmounts, plus } from './amounts.ts'

const some: Amounts = { gross: 100n, user: 50n, publisher: 30n, fee: 13n, discount: 7n }
const less: Amounts = { gross: 10n, user: 5n, publisher: 3n, fee: 1n, discount: 1n }

test('amounts are added and subtracted part by part', () => {
  assert.deepEqual(plus(some, less), { gross: 110n, user: 55n, publisher: 33n, fee: 14n, discount: 8n })
  assert.deepEqual(minus(some, less), { gross: 90n, user: 45n, publisher: 27n, fee: 12n, discount: 6n })
  assert.deepEqual([plus(some, noAmounts), minus(some, some)], [some, noAmounts])
})

test('isNothing is true only if every part is zero', () => {
  assert.equal(isNothing(noAmounts), true)
  for (const part of ['gross', 'user', 'publisher', 'fee', 'discount'] as const) {
    assert.equal(isNothing({ ...noAmounts, [part]: 1n }), false, part)
    assert.equal(isNothing({ ...noAmounts, [part]: -1n }), false, part)
  }
})
