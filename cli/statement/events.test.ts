import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '../../src/platform/ids.ts'
import { buildEvents } from './events.ts'
import type { StatementRow } from './statement.ts'

const ada = {
  publisher: { id: newUuid<'publisher'>(), timeZone: 'UTC' },
  publisherUserId: 'ada',
  currency: 'USD',
} as const
const row = (day: string, description: string, spent: bigint): StatementRow => ({ line: 1, day, description, spent })
const toIds = (rows: readonly StatementRow[], publisherUserId = 'ada') =>
  buildEvents({ ...ada, publisherUserId }, rows, () => false).map((event) => event.externalId)

test('a row gets the same id in every file that contains it', () => {
  const rows = [row('2026-03-01', 'SHELL', 100n), row('2026-03-01', 'SHELL', 100n), row('2026-03-02', 'KFC', 300n)]
  const ids = toIds(rows)
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual(toIds(rows), ids)
  assert.deepEqual(toIds([row('2026-02-01', 'OTHER', 5n), ...rows]).slice(1), ids)
})

test('rows that differ only in letter case get the same ids as identical rows', () => {
  const upper = [row('2026-03-01', 'SHELL OIL', 100n), row('2026-03-01', 'SHELL OIL', 100n)]
  assert.deepEqual(toIds([row('2026-03-01', 'Shell Oil', 100n), row('2026-03-01', 'shell oil', 100n)]), toIds(upper))
})

test('a row already stored with different letter case keeps its stored id and text', () => {
  const stored = [100n, 100n].map((amount, at) => ({
    externalId: `statement:of-before-${at}`,
    kind: 'CLEARING' as const,
    amount,
    currency: 'USD',
    occurredAt: new Date('2026-03-01T00:00:00Z'),
    merchantDescriptor: 'Shell Oil',
  }))
  const rows = [1, 2, 3].map(() => row('2026-03-01', 'SHELL OIL', 100n))
  const events = buildEvents(ada, rows, () => false, stored)
  assert.deepEqual(
    events.map(({ externalId, facts }) => [externalId, facts.merchantDescriptor]),
    [
      ['statement:of-before-0', 'Shell Oil'],
      ['statement:of-before-1', 'Shell Oil'],
      [toIds(rows)[2], 'SHELL OIL'],
    ],
  )
})

test("another user's identical statement gets different ids", () => {
  const rows = [row('2026-03-01', 'SHELL', 100n)]
  assert.notDeepEqual(toIds(rows, 'ada'), toIds(rows, 'ben'))
})

test('a credit is the same event whether or not its purchase is in the file', () => {
  const [bought, credit] = [row('2026-03-01', 'SHELL', 100n), row('2026-03-05', 'SHELL', -100n)]
  const isBrand = () => true
  const [alone] = buildEvents(ada, [credit], isBrand)
  assert.equal(alone?.kind, 'REFUND')
  assert.equal(alone?.amount, 100n)
  assert.deepEqual(buildEvents(ada, [credit, bought], isBrand).at(-1), alone)
})

test('purchases precede the credits that might refund them, regardless of their order in the file', () => {
  const rows = [
    row('2026-03-05', 'SHELL', -100n),
    row('2026-03-05', 'SHELL', 300n),
    row('2026-03-03', 'SHELL', 100n),
    row('2026-03-04', 'SHELL', -300n),
  ]
  const events = buildEvents(ada, rows, () => false)
  assert.deepEqual(
    events.map(({ kind, amount }) => `${kind} ${amount}`),
    ['CLEARING 100', 'REFUND 300', 'CLEARING 300', 'REFUND 100'],
  )
})

test('a credit is a refund if its text says so or it is from a known shop or brand; wages are not', () => {
  const bought = row('2026-03-01', 'CORNER CAFE 0012', 500n)
  const isEvent = (description: string) =>
    buildEvents(ada, [bought, row('2026-03-02', description, -100n)], (text) => text.includes('KETTLE')).length === 2
  for (const refund of ['CORNER CAFE 0077', 'BLUE KETTLE', 'SOME SHOP REFUND']) assert(isEvent(refund), refund)
  for (const other of [
    'ACME INC',
    'ACME PAYROLL',
    'KETTLE DIRECT DEP',
    'KETTLE DIR DEP',
    'KETTLE DIRDEP 0301',
    'KETTLE PYRL',
    'KETTLE PAYRLL',
    'KETTLE PPD ID 123',
    'KETTLE ACH CREDIT',
    'PAYMENT THANK YOU',
    'ZELLE FROM BEN',
    'IRS TAX REFUND',
  ])
    assert(!isEvent(other), other)
})
