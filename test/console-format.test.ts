import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, dateTime, roundMoney } from '../console/src/format.ts'

test("the console rounds an amount to its currency's decimal places", () => {
  for (const [amount, currency, rounded] of [
    [2.5 - 1.2, 'USD', 1.3],
    [0.756 - 0.35, 'BHD', 0.406],
    [300.4, 'JPY', 300],
  ] as const)
    assert.equal(roundMoney(amount, currency), rounded)
})

test('past times are shown as ages and future times as dates, with tolerance for clock skew', () => {
  const now = Date.parse('2026-11-28T12:00:00Z')
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const
  for (const [age, text] of [
    [59 * second, 'just now'],
    [minute, '1 minute ago'],
    [3 * hour, '3 hours ago'],
    [day, 'yesterday'],
    [40 * day, '40 days ago'],
    [-30 * second, 'just now'],
    [-2 * minute, dateTime('2026-11-28T12:02:00Z')],
    [-31 * day, dateTime('2026-12-29T12:00:00Z')],
  ] as const)
    assert.equal(ago(new Date(now - age).toISOString(), now), text)
})
