import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundMoney } from '../console/src/format.ts'

test('the console rounds an amount to the decimals of its currency', () => {
  for (const [amount, currency, rounded] of [
    [2.5 - 1.2, 'USD', 1.3],
    [0.756 - 0.35, 'BHD', 0.406],
    [300.4, 'JPY', 300],
  ] as const)
    assert.equal(roundMoney(amount, currency), rounded)
})
