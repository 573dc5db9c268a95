import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '../../src/platform/ids.ts'
import type { Publisher } from '../../src/publishers/index.ts'
import { eventsOf } from './events.ts'
import type { StatementRow } from './read.ts'

// The two members that are read; a whole publisher would hide that.
const publisher = { id: newUuid<'publisher'>(), currency: 'USD', timeZone: 'UTC' } as Publisher
const row = (day: string, description: string, spent: bigint): StatementRow => ({ line: 1, day, description, spent })
const idsOf = (rows: readonly StatementRow[], user = 'ada') =>
  eventsOf(publisher, user, rows).map((event) => event.externalId)

test('the same row has the same id in every file that contains it', () => {
  const rows = [row('2026-03-01', 'SHELL', 100n), row('2026-03-01', 'SHELL', 100n), row('2026-03-02', 'KFC', 300n)]
  const ids = idsOf(rows)
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual(idsOf(rows), ids)
  assert.deepEqual(idsOf([row('2026-02-01', 'OTHER', 5n), ...rows]).slice(1), ids)
})

test('the same statement of another user has other ids', () => {
  const rows = [row('2026-03-01', 'SHELL', 100n)]
  assert.notDeepEqual(idsOf(rows, 'ada'), idsOf(rows, 'ben'))
})

test('a credit gives back the latest purchase before it of that merchant and amount, or nothing known', () => {
  const rows = [
    row('2026-03-05', 'SHELL', -100n),
    row('2026-03-01', 'SHELL', 100n),
    row('2026-03-03', 'SHELL', 100n),
    row('2026-03-06', 'SALARY', -900n),
    row('2026-03-01', 'KFC', -100n),
  ]
  const events = eventsOf(publisher, 'ada', rows)
  assert.equal(events[0]?.kind, 'REFUND')
  assert.equal(events[0]?.originalExternalId, events[2]?.externalId)
  assert.equal(events[3]?.originalExternalId, null)
  assert.equal(events[4]?.originalExternalId, null)
  assert.deepEqual(
    events.map((event) => event.amount),
    [100n, 100n, 100n, 900n, 100n],
  )
})
