import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../platform/calendar.ts'
import { PERIOD_DAYS_MAX, resolvePeriod } from './rules.ts'

const TODAY = '2026-11-21'

test('by default, a period ends today and has the maximum length', () => {
  const table: [Parameters<typeof resolvePeriod>[0], { from: string; to: string }][] = [
    [
      { from: '2026-01-01', to: '2026-01-31' },
      { from: '2026-01-01', to: '2026-01-31' },
    ],
    [
      { from: '2026-01-01', to: '2026-01-01' },
      { from: '2026-01-01', to: '2026-01-01' },
    ],
    [{ from: '2026-01-01' }, { from: '2026-01-01', to: TODAY }],
    [{ to: '2020-02-29' }, { from: addDays('2020-02-29', 1 - PERIOD_DAYS_MAX), to: '2020-02-29' }],
    [{}, { from: addDays(TODAY, 1 - PERIOD_DAYS_MAX), to: TODAY }],
    [{ to: '1972-05-05' }, { from: '1970-01-01', to: '1972-05-05' }],
    [
      { from: '2020-01-01', to: '2029-12-31' },
      { from: '2020-01-01', to: '2029-12-31' },
    ],
  ]
  for (const [asked, period] of table) assert.deepEqual(resolvePeriod(asked, TODAY), { period })
})

test('a period that is reversed, overlong or out of bounds is rejected with an error for the field', () => {
  const table: [Parameters<typeof resolvePeriod>[0], 'from' | 'to'][] = [
    [{ from: '2026-02-01', to: '2026-01-31' }, 'from'],
    [{ from: '2026-11-22' }, 'from'],
    [{ from: '2010-01-01', to: '2026-01-01' }, 'from'],
    [{ from: '0000-01-01', to: '2026-01-01' }, 'from'],
    [{ to: '9999-12-31' }, 'to'],
    [{ from: '9999-01-01', to: '2026-01-01' }, 'from'],
  ]
  for (const [asked, field] of table) {
    const answer = resolvePeriod(asked, TODAY)
    assert('fault' in answer, JSON.stringify(asked))
    assert.equal(answer.fault.field, field, JSON.stringify(asked))
  }
})
