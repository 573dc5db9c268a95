import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitIntoPages } from './report-source.ts'

test('pages cover all days, and each page begins on the last day of the previous one', () => {
  assert.deepEqual(splitIntoPages('2026-03-31', 75, 30), [
    { from: '2026-01-15', to: '2026-02-14' },
    { from: '2026-02-14', to: '2026-03-16' },
    { from: '2026-03-16', to: '2026-03-31' },
  ])
  assert.deepEqual(splitIntoPages('2026-03-31', 30, 30), [{ from: '2026-03-01', to: '2026-03-31' }])
  assert.deepEqual(splitIntoPages('2026-03-31', 1, 30), [{ from: '2026-03-30', to: '2026-03-31' }])
})
