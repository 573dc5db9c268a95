import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { Report, ReportSource } from './reports.ts'
import { findSamePurchases } from './same-purchases.ts'

const START_MS = Date.parse('2026-01-10T08:00:00Z')

/** Builds one of many reports of the same user, each a minute after the previous one. */
function report(source: ReportSource, nth: number, amount: bigint): Report {
  return {
    userId: 'user' as UserId,
    transactionId: `${source} ${nth}` as TransactionId,
    source,
    isByPublisher: true,
    rootId: `${source} ${nth}`,
    brandUid: 'brand',
    currency: 'USD',
    at: new Date(START_MS + nth * MINUTE_MS),
    day: '2026-01-10',
    dateOnly: false,
    isPosted: false,
    until: new Date(0),
    partialClearings: [],
    card: null,
    orderId: null,
    amount,
    totals: [amount],
    isAlive: true,
    hasMatured: false,
  }
}

function crowd(size: number, computeAmount: (nth: number) => bigint): Report[] {
  return Array.from({ length: size }, (_, nth) => [
    report('CARD', nth, computeAmount(nth)),
    report('AFFILIATE', nth, computeAmount(nth)),
  ]).flat()
}

const toNames = (reports: readonly Report[]): string[] =>
  findSamePurchases(reports, () => false)
    .map(({ cards, sales }) => `${cards[0]?.rootId}, ${sales[0]?.rootId}`)
    .sort()

test('reports with hundreds of corrected totals are compared by every total', () => {
  const totals = Array.from({ length: 600 }, (_, nth) => 1_000n + BigInt(nth))
  const reports = crowd(1, () => 1_000n).map((one) => ({ ...one, totals }))
  assert.deepEqual(toNames(reports), ['CARD 0, AFFILIATE 0'])
})

test('more than 200 competing reports are paired in chunks, in chronological order', () => {
  const reports = [report('CARD', -1, 1_000n), ...crowd(150, () => 1_000n)]
  const pairs = findSamePurchases(reports, () => false)
  const paired = new Set(pairs.flatMap(({ cards }) => cards))
  const alone = reports.filter((one) => one.source === 'CARD' && !paired.has(one))
  // The first chunk ends between the sale and the card of the same minute. In a single chunk, the first card would get
  // no partner.
  assert.deepEqual(
    alone.map(({ rootId }) => rootId),
    ['CARD 99'],
  )
})

test('500 purchases and 500 sales that all fit one another are paired, in any arrival order', () => {
  const reports = crowd(500, (nth) => BigInt(1_000 + ((nth * 31) % 7)))
  const pairs = toNames(reports)
  assert.equal(pairs.length, 500)
  assert.deepEqual(toNames(reports.toReversed()), pairs)
})

test('reports that do not compete are in separate groups, however many there are', () => {
  const reports = crowd(150, (nth) => 2n ** BigInt(nth))
  const expected = reports.filter(({ source }) => source === 'CARD').map(({ rootId }) => rootId)
  const pairs = findSamePurchases(reports, () => false)
  assert.deepEqual(pairs.map(({ cards }) => cards[0]?.rootId).sort(), expected.sort())
  for (const { cards, sales } of pairs) assert.equal(cards[0]?.at.getTime(), sales[0]?.at.getTime())
})
