import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeEnd, listPeriodsDue, toFirstDay } from './rules.ts'

const NEW_YORK = 'America/New_York'

test("a period is due once it ends in the publisher's time zone, even across clock changes", () => {
  const table: [every: 'day' | 'month', first: string, zone: string, end: string][] = [
    ['day', '2026-03-07', NEW_YORK, '2026-03-08T05:00:00.000Z'],
    ['day', '2026-03-08', NEW_YORK, '2026-03-09T04:00:00.000Z'],
    ['day', '2026-11-01', NEW_YORK, '2026-11-02T05:00:00.000Z'],
    ['month', '2026-03-01', NEW_YORK, '2026-04-01T04:00:00.000Z'],
    ['month', '2026-12-01', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['month', '2028-02-01', 'Asia/Kolkata', '2028-02-29T18:30:00.000Z'],
  ]
  for (const [every, first, zone, end] of table) {
    assert.equal(computeEnd(every, first, zone).toISOString(), end, first)
    const before = new Date(Date.parse(end) - 1)
    assert.deepEqual(listPeriodsDue(every, first, before, zone), { due: [], next: first })
    assert.equal(listPeriodsDue(every, first, new Date(end), zone).due.length, 1)
  }
})

test('periods have no gaps, and only the latest missed periods are ordered', () => {
  const now = new Date('2027-01-15T12:00:00Z')
  const months = listPeriodsDue('month', '2025-06-01', now, 'UTC')
  assert.equal(months.next, '2027-01-01')
  assert.equal(months.due.length, 12)
  assert.deepEqual(months.due[0], { from: '2026-01-01', to: '2026-01-31' })
  assert.deepEqual(months.due[1], { from: '2026-02-01', to: '2026-02-28' })
  const days = listPeriodsDue('day', '2026-03-01', now, 'UTC')
  assert.deepEqual([days.next, days.due.length], ['2027-01-15', 31])
  assert.deepEqual(days.due.at(-1), { from: '2027-01-14', to: '2027-01-14' })
  assert.deepEqual([toFirstDay('month', '2026-02-28'), toFirstDay('day', '2026-02-28')], ['2026-02-01', '2026-02-28'])
})
