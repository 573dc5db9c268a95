import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay } from '../../platform/calendar.ts'
import { findPeriodStart } from './periods.ts'

test('the start of a period is found from any of its days, and weeks start on Monday', () => {
  // A Sunday, then a Monday that is the last day of its month.
  for (const [day, week, month] of [
    ['2026-08-30', '2026-08-24', '2026-08-01'],
    ['2026-08-31', '2026-08-31', '2026-08-01'],
    ['2027-01-01', '2026-12-28', '2027-01-01'],
  ] as const) {
    assert.equal(findPeriodStart('DAY', day), day)
    assert.equal(findPeriodStart('WEEK', day), week)
    assert.equal(findPeriodStart('MONTH', day), month)
  }
})

test('a lifetime is a single period', () => {
  const start = findPeriodStart('LIFETIME', '2026-08-30')
  assert(isDay(start))
  assert.equal(findPeriodStart('LIFETIME', addDays('2026-08-30', 10_000)), start)
})
