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
  eventsOf(publisher, user, rows, () => false).map((event) => event.externalId)

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

test('a credit gives back the latest purchase before it of that merchant and amount', () => {
  const rows = [
    row('2026-03-05', 'SHELL', -100n),
    row('2026-03-01', 'SHELL', 100n),
    row('2026-03-03', 'SHELL', 100n),
    row('2026-03-01', 'KFC', -100n),
  ]
  const events = eventsOf(publisher, 'ada', rows, (description) => description === 'KFC')
  assert.equal(events[0]?.kind, 'REFUND')
  assert.equal(events[0]?.originalExternalId, events[2]?.externalId)
  assert.equal(events[3]?.originalExternalId, null)
  assert.deepEqual(
    events.map((event) => event.amount),
    [100n, 100n, 100n, 100n],
  )
})

test('a credit is a refund if it says so or comes from a shop of the file or a brand; pay is none', () => {
  const bought = row('2026-03-01', 'CORNER CAFE 0012', 500n)
  const isEvent = (description: string) =>
    eventsOf(publisher, 'ada', [bought, row('2026-03-02', description, -100n)], (text) => text.includes('KETTLE'))
      .length === 2
  for (const refund of ['CORNER CAFE 0077', 'BLUE KETTLE', 'SOME SHOP REFUND']) assert(isEvent(refund), refund)
  for (const other of [
    'ACME INC',
    'ACME PAYROLL',
    'KETTLE DIRECT DEP',
    'PAYMENT THANK YOU',
    'ZELLE FROM BEN',
    'IRS TAX REFUND',
  ])
    assert(!isEvent(other), other)
})
