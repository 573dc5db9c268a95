import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findClosedReason, nextBusinessDay } from './business-days.ts'

test('weekends and clearing system holidays are not business days', () => {
  const closed: readonly (readonly [currency: string, day: string, why: string])[] = [
    ['EUR', '2026-11-28', 'a Saturday'],
    ['JPY', '2026-11-29', 'a Sunday'],
    ['EUR', '2024-03-29', 'Good Friday'],
    ['EUR', '2025-04-21', 'Easter Monday'],
    ['EUR', '2027-03-29', 'Easter Monday'],
    ['EUR', '2038-04-26', 'Easter Monday'],
    ['EUR', '2026-05-01', 'Labour Day'],
    ['EUR', '2025-12-26', 'the day after Christmas'],
    ['USD', '2026-01-19', 'Martin Luther King Day'],
    ['USD', '2026-05-25', 'Memorial Day'],
    ['USD', '2026-11-26', 'Thanksgiving Day'],
    ['USD', '2027-07-05', 'Independence Day'],
    ['USD', '2028-01-01', 'a Saturday'],
  ]
  for (const [currency, day, why] of closed) assert.equal(findClosedReason(day, currency), why, `${day} in ${currency}`)
  const open = [
    ['EUR', '2026-11-26'],
    ['USD', '2026-04-03'],
    ['USD', '2026-07-03'],
    ['GBP', '2025-12-26'],
  ] as const
  for (const [currency, day] of open) assert.equal(findClosedReason(day, currency), null, `${day} in ${currency}`)
})

test('the next business day skips weekends and holidays', () => {
  assert.equal(nextBusinessDay('2026-11-26', 'EUR'), '2026-11-27')
  assert.equal(nextBusinessDay('2026-11-27', 'EUR'), '2026-11-30')
  assert.equal(nextBusinessDay('2026-04-02', 'EUR'), '2026-04-07')
  assert.equal(nextBusinessDay('2026-11-25', 'USD'), '2026-11-27')
})
