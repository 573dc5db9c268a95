import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay } from '../../platform/calendar.ts'
import { periodStart } from './periods.ts'

test('a period starts on its first day, and a week starts on Monday', () => {
  // A Sunday, then a Monday that is the last day of its month.
  for (const [day, week, month] of [
    ['2026-08-30', '2026-08-24', '2026-08-01'],
    ['2026-08-31', '2026-08-31', '2026-08-01'],
    ['2027-01-01', '2026-12-28', '2027-01-01'],
  ] as const) {
    assert.equal(periodStart('DAY', day), day)
    assert.equal(periodStart('WEEK', day), week)
    assert.equal(periodStart('MONTH', day), month)
  }
})

test('a lifetime is a single period', () => {
  const start = periodStart('LIFETIME', '2026-08-30')
  assert(isDay(start))
  assert.equal(periodStart('LIFETIME', addDays('2026-08-30', 10_000)), start)
})
