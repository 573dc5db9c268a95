import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Postback } from '../affiliate/index.ts'
import { derivedUuid } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import type { SourceEvent } from './event.ts'
import { foldEvents } from './fold.ts'
import { sourceEventOf } from './reported-sales.ts'

const publisher = { id: derivedUuid<'publisher'>('p'), timeZone: 'America/New_York', clockOffsetMs: 0 } as Publisher
const click = { publisherId: publisher.id, userId: derivedUuid<'user'>('u'), offerUid: 'off_1' }
const START = Date.parse('2026-11-01T12:00:00Z')

type Told = readonly [
  status: Postback['status'],
  amount: number | null,
  item?: string | undefined,
  changes?: Partial<Postback>,
]

/** One report an hour. */
const reportsOf = (told: readonly Told[]): Postback[] =>
  told.map(([status, amount, item, changes], index) => ({
    postbackId: `pb${index}`,
    network: 'net',
    content: {},
    subId: 'sub',
    click,
    status,
    orderId: '1001',
    transactionId: item ?? null,
    amount: amount === null ? null : BigInt(amount),
    currency: 'USD',
    soldAt: null,
    dateOnly: false,
    receivedAt: new Date(START + index * 3_600_000),
    ...changes,
  }))

const eventsOf = (reports: readonly Postback[]) =>
  reports.map((_, index) => sourceEventOf(reports.slice(0, index + 1), publisher))

/** What the purchase comes to when all reports are taken up. */
function purchaseOf(told: readonly Told[]) {
  const inputs = eventsOf(reportsOf(told)).filter((input) => input !== null)
  const events = inputs.map(
    (input, index) => ({ ...input, eventId: String(index), receivedAt: input.occurredAt }) as SourceEvent,
  )
  const folded = foldEvents(events, 'UTC', new Date(START + 86_400_000))
  return { left: folded.amount - folded.refunded, cleared: folded.clearedOn !== null }
}

test('an order is one purchase, however its items and changes are reported', () => {
  const cases: [string, readonly Told[], { left: bigint; cleared: boolean }][] = [
    ['pending', [['pending', 100]], { left: 100n, cleared: false }],
    [
      'pending, approved',
      [
        ['pending', 100],
        ['approved', 100],
      ],
      { left: 100n, cleared: true },
    ],
    [
      'approved with another amount',
      [
        ['pending', 100],
        ['approved', 80],
      ],
      { left: 80n, cleared: true },
    ],
    [
      'pending changed, then approved',
      [
        ['pending', 100],
        ['pending', 120],
        ['approved', 110],
      ],
      { left: 110n, cleared: true },
    ],
    [
      'approved corrected',
      [
        ['approved', 100],
        ['approved', 70],
      ],
      { left: 70n, cleared: true },
    ],
    [
      'rejected while pending',
      [
        ['pending', 100],
        ['rejected', 100],
      ],
      { left: 0n, cleared: false },
    ],
    [
      'rejected without an amount',
      [
        ['pending', 100],
        ['rejected', null],
      ],
      { left: 0n, cleared: false },
    ],
    [
      'rejected after approval',
      [
        ['pending', 100],
        ['approved', 90],
        ['rejected', null],
      ],
      { left: 0n, cleared: true },
    ],
    [
      'rejected in part',
      [
        ['approved', 100],
        ['rejected', 30],
      ],
      { left: 70n, cleared: true },
    ],
    [
      'pending comes late',
      [
        ['approved', 90],
        ['pending', 100],
      ],
      { left: 90n, cleared: true },
    ],
    [
      'items add up',
      [
        ['pending', 60, 'a'],
        ['pending', 40, 'b'],
        ['approved', 60, 'a'],
        ['approved', 40, 'b'],
      ],
      { left: 100n, cleared: true },
    ],
    [
      'an item corrected',
      [
        ['approved', 60, 'a'],
        ['approved', 40, 'b'],
        ['approved', 10, 'b'],
      ],
      { left: 70n, cleared: true },
    ],
    [
      'a pending item rejected',
      [
        ['pending', 60, 'a'],
        ['pending', 40, 'b'],
        ['rejected', 40, 'b'],
        ['approved', 60, 'a'],
      ],
      { left: 60n, cleared: true },
    ],
    [
      'a pending item rejected after the rest was approved',
      [
        ['pending', 60, 'a'],
        ['pending', 40, 'b'],
        ['approved', 60, 'a'],
        ['rejected', null, 'b'],
      ],
      { left: 60n, cleared: true },
    ],
    [
      'an approved item rejected',
      [
        ['approved', 60, 'a'],
        ['approved', 40, 'b'],
        ['rejected', null, 'b'],
      ],
      { left: 60n, cleared: true },
    ],
  ]
  for (const [name, told, expected] of cases) assert.deepEqual(purchaseOf(told), expected, name)
})

test('what says nothing new is no event', () => {
  const quiet: [string, readonly Told[]][] = [
    [
      'the same again',
      [
        ['approved', 100],
        ['approved', 100],
      ],
    ],
    [
      'a pending that changes after the approval',
      [
        ['pending', 100],
        ['approved', 100],
        ['pending', 90],
      ],
    ],
    ['a rejection of what was never reported', [['rejected', null]]],
  ]
  for (const [name, told] of quiet) assert.equal(eventsOf(reportsOf(told)).at(-1), null, name)
  assert.equal(sourceEventOf(reportsOf([['approved', 1, undefined, { click: null }]]), publisher), null)
})

test('every event has a name of its own and leads to the purchase', () => {
  const reports = reportsOf([
    ['pending', 60, 'a'],
    ['pending', 40, 'b'],
    ['pending', 50, 'b'],
    ['approved', 60, 'a'],
    ['rejected', 5, 'a'],
    ['rejected', 7, 'a'],
  ])
  const events = eventsOf(reports).filter((event) => event !== null)
  assert.equal(new Set(events.map((event) => event.externalId)).size, 6)
  assert.equal(events[0]?.externalId, 'net:off_1:1001:a:authorization')
  for (const event of events) {
    assert.equal(event.originalExternalId, 'net:off_1:1001')
    assert.equal(event.source, 'AFFILIATE')
    assert.deepEqual(event.facts, { offerUid: 'off_1', isFromClick: true, orderId: '1001' })
  }
})

test("orders of other advertisers, and a network's numbers without an order, are purchases of their own", () => {
  const [here, there, numbered] = reportsOf([
    ['approved', 1],
    ['approved', 1, undefined, { click: { ...click, offerUid: 'off_2' } }],
    ['approved', 1, 't-9', { orderId: null }],
  ]).map((report) => sourceEventOf([report], publisher))
  assert.equal(here?.externalId, 'net:off_1:1001:clearing')
  assert.equal(there?.externalId, 'net:off_2:1001:clearing')
  assert.equal(numbered?.externalId, 'net:t-9:clearing')
})

test("the sale's date dates the first report; what follows happens when it is told", () => {
  const soldAt = new Date('2026-10-30T00:00:00Z')
  const day = { soldAt, dateOnly: true }
  const [first, second] = eventsOf(
    reportsOf([
      ['pending', 1, undefined, day],
      ['approved', 1, undefined, day],
    ]),
  )
  // Midnight in New York, which keeps daylight saving time until November.
  assert.equal(first?.occurredAt?.toISOString(), '2026-10-30T04:00:00.000Z')
  assert.equal(first?.dateOnly, true)
  assert.equal(second?.occurredAt?.getTime(), START + 3_600_000)
  assert.equal(second?.dateOnly, false)
})

test("without a date a sale happens when it is told, in the sandbox's present", () => {
  const ahead = { ...publisher, clockOffsetMs: 86_400_000 }
  const told = sourceEventOf(reportsOf([['pending', 1]]), ahead)
  assert.equal(told?.occurredAt?.getTime(), START + 86_400_000)
})
