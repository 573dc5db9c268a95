import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Day, toDay } from '../../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { Report } from './reports.ts'
import { findSamePurchases } from './same-purchases.ts'

const POSTED: Partial<Report> = { isPosted: true }

/** A card purchase on January 10 in UTC, the publisher's time zone. */
function card(name: string, { day, ...more }: Partial<Report> = {}): Report {
  const at = more.at ?? new Date(day === undefined ? '2026-01-10T15:00:00Z' : `${day}T00:00:00Z`)
  return {
    userId: 'user' as UserId,
    transactionId: name as TransactionId,
    source: 'CARD',
    isByPublisher: !name.startsWith('feed'),
    rootId: name,
    brandUid: 'brand',
    currency: 'USD',
    at,
    day: toDay(at, 'UTC'),
    dateOnly: day !== undefined,
    isPosted: false,
    until: at,
    partialClearings: [],
    card: 'checking',
    orderId: null,
    amount: 5_000n,
    totals: [5_000n],
    isAlive: true,
    hasMatured: false,
    ...more,
  }
}

const found = (...reports: readonly Report[]): string[] =>
  findSamePurchases(reports, () => false)
    .map(({ cards }) => cards.map(({ rootId }) => rootId).join(', '))
    .sort()
const areOne = (one: Partial<Report>, other: Partial<Report> = {}): boolean =>
  found(card('reported', other), card('feed', one)).length === 1

test('two reports are of the same purchase only if user, card, amount, day, brand and currency match', () => {
  assert.equal(areOne({}), true)
  for (const other of [
    { card: 'savings' },
    { amount: 5_001n, totals: [5_001n] },
    { at: new Date('2026-01-11T15:00:00Z') },
    { brandUid: 'other' },
    { currency: 'EUR' },
    { userId: 'other' as UserId },
  ])
    assert.equal(areOne(other), false, Object.keys(other).join())
})

test('a report without an account matches any card', () => {
  assert.equal(areOne({}, { card: null }), true)
})

test('a report with either of the two amounts matches a hold and its clearing', () => {
  assert.equal(areOne({ amount: 6_250n, totals: [6_250n, 5_000n] }), true)
})

test("a purchase time may fall a day before or after the bank's date, because of time zones", () => {
  const of = (day: Day, at: string): boolean => areOne({ day }, { at: new Date(at) })
  assert.equal(of('2026-01-10', '2026-01-10T23:59:00Z'), true)
  assert.equal(of('2026-01-10', '2026-01-11T08:00:00Z'), true)
  assert.equal(of('2026-01-10', '2026-01-09T16:00:00Z'), true)
  assert.equal(of('2026-01-10', '2026-01-11T12:01:00Z'), false)
  assert.equal(of('2026-01-10', '2026-01-09T11:59:00Z'), false)
  assert.equal(areOne({ day: '2026-01-10' }, { day: '2026-01-11' }), false)
  assert.equal(areOne({ at: new Date('2026-01-10T23:58:00Z') }, { at: new Date('2026-01-11T00:03:00Z') }), true)
})

test('a row with only a posting date matches purchases made up to four days earlier, but no later ones', () => {
  const of = (day: Day, at: string): boolean => areOne({ day, isPosted: true }, { at: new Date(at) })
  assert.equal(of('2026-01-14', '2026-01-10T15:00:00Z'), true)
  assert.equal(of('2026-01-15', '2026-01-10T11:59:00Z'), false)
  assert.equal(of('2026-01-10', '2026-01-11T12:01:00Z'), false)
  const days = (posted: Day, reported: Day): boolean => areOne({ day: posted, isPosted: true }, { day: reported })
  assert.deepEqual(
    ['2026-01-08', '2026-01-09', '2026-01-13', '2026-01-14'].map((day) => days('2026-01-13', day)),
    [false, true, true, false],
  )
})

const parted = (of: Report, ...days: readonly [amount: bigint, day: Day][]): Report => ({
  ...of,
  amount: days.reduce((sum, [amount]) => sum + amount, 0n),
  totals: [days.reduce((sum, [amount]) => sum + amount, 0n)],
  partialClearings: days.map(([amount, day]) => ({ ...of, totals: [amount], until: new Date(`${day}T15:00:00Z`) })),
})
const row = (name: string, amount: bigint, day: Day = '2026-01-10'): Report =>
  card(`feed ${name}`, { amount, totals: [amount], day })

test('rows for partial clearings match their report by either purchase date or clearing date', () => {
  const reported = parted(card('reported'), [3_000n, '2026-01-12'], [7_000n, '2026-01-15'])
  const rows = [row('small', 3_000n), row('large', 7_000n, '2026-01-15')]
  assert.deepEqual(found(reported, ...rows), ['reported, feed small, feed large'])
  assert.deepEqual(found(reported, row('late', 7_000n, '2026-01-18')), [])
  assert.deepEqual(found(reported, row('early', 7_000n, '2026-01-08')), [])
  assert.deepEqual(found(reported, ...rows, row('another', 3_000n)), ['reported, feed another, feed large'])
  assert.deepEqual(found(reported, row('whole', 10_000n)), ['reported, feed whole'])
})

test("a row matches part of a report only if no report has exactly the row's amount", () => {
  const reported = parted(card('reported'), [3_000n, '2026-01-10'], [7_000n, '2026-01-10'])
  const small = card('small', { amount: 3_000n, totals: [3_000n], at: new Date('2026-01-10T18:00:00Z') })
  assert.deepEqual(found(reported, small, row('small', 3_000n)), ['small, feed small'])
  const both = found(reported, small, row('one', 3_000n), row('two', 3_000n), row('large', 7_000n))
  assert.deepEqual(both.flatMap((one) => one.split(', ')).toSorted(), [
    ...['feed large', 'feed one', 'feed two', 'reported', 'small'],
  ])
})

test('a posted row is preferably paired with a purchase made on its posting date', () => {
  const noon = (day: Day): Report => card(`reported ${day}`, { at: new Date(`${day}T12:00:00Z`) })
  const posted = card('feed', { day: '2026-01-13', isPosted: true })
  for (const days of [
    ['10', '13'],
    ['12', '13'],
    ['13', '14'],
  ])
    assert.deepEqual(found(...days.map((day) => noon(`2026-01-${day}`)), posted), ['reported 2026-01-13, feed'])
})

test('purchases of the same amount on consecutive days are each paired once, even if posted late', () => {
  const on = (date: number): Partial<Report> => ({ at: new Date(Date.UTC(2026, 0, date, 9)) })
  for (const later of [1, 2, 3])
    for (const days of [2, 3, 5, 10]) {
      const dates = Array.from({ length: days }, (_, nth) => nth + 5)
      const rows = dates.map((date) =>
        card(`feed${date}`, { ...POSTED, day: toDay(new Date(Date.UTC(2026, 0, date + later)), 'UTC') }),
      )
      const reports = [...dates.map((date) => card(`reported${date}`, on(date))), ...rows]
      assert.equal(found(...reports).length, days, `${days} days, posted ${later} later`)
    }
})

test('same-day reports are paired before those from neighboring days', () => {
  const morning = (day: Day): Report => card(`reported ${day}`, { at: new Date(`${day}T08:00:00Z`) })
  const known = [card('feed 10', { day: '2026-01-10' }), card('feed 11', { day: '2026-01-11' })]
  assert.deepEqual(found(morning('2026-01-11'), morning('2026-01-12'), ...known), ['reported 2026-01-11, feed 11'])
})

test('hundreds of purchases of the same amount are paired by day, even if one side lacks some of them', () => {
  const days = Array.from({ length: 26 }, (_, nth): Day => `2026-01-${String(nth + 1).padStart(2, '0')}`)
  const rides = days.flatMap((day) =>
    ['08:00', '09:00', '17:00', '18:00'].flatMap((time) => [
      card(`reported ${day} ${time}`, { at: new Date(`${day}T${time}:00Z`) }),
      card(`feed ${day} ${time}`, { day }),
    ]),
  )
  for (const lacking of [0, 1, 2, 4]) {
    const more = Array.from({ length: lacking }, (_, nth) => card(`feed more ${nth}`, { day: '2026-01-01' }))
    assert.equal(found(...more, ...rides).length, 104, `${lacking} more`)
  }
})

test('reports from one side belong to separate purchases, and each is paired once', () => {
  const noon = { at: new Date('2026-01-10T12:00:00Z') }
  assert.deepEqual(found(card('one'), card('two', noon)), [])
  assert.deepEqual(found(card('feed one'), card('feed two', noon)), [])
  assert.deepEqual(found(card('one'), card('two', noon), card('feed')), ['one, feed'])
  const both = [card('one'), card('two', noon), card('feed 1'), card('feed 2', noon)]
  assert.deepEqual(found(...both), ['one, feed 1', 'two, feed 2'])
  assert.deepEqual(found(...both.toReversed()), ['one, feed 1', 'two, feed 2'])
})

test('a matching current amount takes precedence over a matching time', () => {
  const held = { totals: [5_000n, 6_000n], amount: 6_000n, at: new Date('2026-01-10T09:00:00Z') }
  const small = { at: new Date('2026-01-10T10:00:00Z') }
  const feed = [
    card('feed large', { ...held, at: small.at }),
    card('feed small', { totals: [5_000n, 6_000n], at: held.at }),
  ]
  assert.deepEqual(found(card('large', held), card('small', { ...small, totals: [5_000n, 6_000n] }), ...feed), [
    'large, feed large',
    'small, feed small',
  ])
})

test('a purchase with two card reports matches a sale that fits either report', () => {
  const sale = (more: Partial<Report>): Report => card('sale', { source: 'AFFILIATE', ...more })
  const reported = { orderId: 'A-1' }
  const toNames = (one: Report): (string | undefined)[] =>
    findSamePurchases([card('reported', reported), card('feed'), one], () => false).map(
      ({ sales: [sale] }) => sale?.rootId,
    )
  assert.deepEqual(toNames(sale({ totals: [4_000n] })), ['sale'])
  assert.deepEqual(toNames(sale({ totals: [1_000n], orderId: 'A 1' })), ['sale'])
  assert.deepEqual(toNames(sale({ orderId: 'B-2' })), [undefined])
})
