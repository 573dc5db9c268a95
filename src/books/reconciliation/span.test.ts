import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../platform/calendar.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { toComparedSpan } from './span.ts'

test('a day with a clock change has 23 or 25 hours and begins where the previous one ends', () => {
  const publisher = { timeZone: 'America/New_York' } as Publisher
  const makeSpan = (day: string) => toComparedSpan(publisher, { from: day, to: day }, new Date(0))
  const hours = (day: string) => (makeSpan(day).until.getTime() - makeSpan(day).from.getTime()) / HOUR_MS
  assert.deepEqual(
    [hours('2026-03-07'), hours('2026-03-08'), hours('2026-11-01'), hours('2026-11-02')],
    [24, 23, 25, 24],
  )
  assert.deepEqual(makeSpan('2026-11-01').until, makeSpan('2026-11-02').from)
  assert.deepEqual(makeSpan('2026-03-07').until, makeSpan('2026-03-08').from)
})
