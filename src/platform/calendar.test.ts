import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/support/runs.ts'
import {
  addDays,
  DAY_MS,
  isDay,
  isTimeZone,
  splitIntoWholeDays,
  startOfDay,
  toDay,
  toTime,
  toWeekday,
} from './calendar.ts'

test('isDay accepts only real dates in the form yyyy-MM-dd', () => {
  for (const day of ['2026-01-01', '2024-02-29', '2000-02-29', '9999-12-31']) assert.equal(isDay(day), true, day)
  for (const day of [
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    ' 2026-01-01',
    '26-01-01',
    '',
  ])
    assert.equal(isDay(day), false, day)
})

test('addDays handles month ends, year ends and leap days', () => {
  const rows: [day: string, days: number, then: string][] = [
    ['2026-12-31', 1, '2027-01-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-02-28', 1, '2025-03-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-01-01', 365, '2027-01-01'],
    ['2026-06-15', 0, '2026-06-15'],
  ]
  for (const [day, days, then] of rows) assert.equal(addDays(day, days), then)
})

test('toDay returns the calendar day in the given time zone', () => {
  const instant = new Date('2026-03-01T01:30:00Z')
  const rows: [zone: string, day: string][] = [
    ['UTC', '2026-03-01'],
    ['America/New_York', '2026-02-28'],
    ['Asia/Tokyo', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-03-01'],
    ['Pacific/Pago_Pago', '2026-02-28'],
  ]
  for (const [zone, day] of rows) assert.equal(toDay(instant, zone), day, zone)
})

test('toDay does not reuse the cached day for an instant on another day', () => {
  const [evening, morning] = [new Date('2026-02-28T23:59:59.999Z'), new Date('2026-03-01T00:00:00.000Z')]
  for (const [instant, day] of [
    [evening, '2026-02-28'],
    [morning, '2026-03-01'],
    [evening, '2026-02-28'],
    [new Date('1969-12-31T23:59:59.999Z'), '1969-12-31'],
    [new Date(0), '1970-01-01'],
  ] as const)
    assert.equal(toDay(instant, 'UTC'), day)
  assert.throws(() => toDay(new Date(Number.NaN), 'UTC'), RangeError)
})

test('startOfDay follows the time zone, even when a clock change skips midnight', () => {
  const rows: [day: string, zone: string, start: string][] = [
    ['2026-06-01', 'UTC', '2026-06-01T00:00:00.000Z'],
    ['2026-06-01', 'America/New_York', '2026-06-01T04:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z'],
    ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
    ['2026-06-01', 'Pacific/Pago_Pago', '2026-06-01T11:00:00.000Z'],
    // Clocks jumped from 23:59:59 to 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ]
  for (const [day, zone, start] of rows) assert.equal(startOfDay(day, zone).toISOString(), start, `${day} ${zone}`)
})

test('startOfDay returns the first millisecond of the day in every time zone', () => {
  const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns']
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(...zones), (days, zone) => {
      const day = addDays('2000-01-01', days)
      const start = startOfDay(day, zone)
      assert.equal(toDay(start, zone), day)
      assert.ok(toDay(new Date(start.getTime() - 1), zone) < day)
    }),
    { numRuns: runs(300) },
  )
})

test('toTime follows the time zone across clock changes', () => {
  const rows: [instant: string, zone: string, time: string][] = [
    ['2026-06-01T00:00:00Z', 'UTC', '00:00'],
    ['2026-06-01T23:59:59.999Z', 'UTC', '23:59'],
    ['2026-06-01T04:00:00Z', 'America/New_York', '00:00'],
    ['2026-06-01T20:30:00Z', 'Asia/Kathmandu', '02:15'],
    ['2026-03-08T06:59:00Z', 'America/New_York', '01:59'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '03:00'],
    ['2026-11-01T05:30:00Z', 'America/New_York', '01:30'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '01:30'],
  ]
  for (const [instant, zone, time] of rows) assert.equal(toTime(new Date(instant), zone), time, `${instant} ${zone}`)
})

test('toWeekday counts from Monday', () => {
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']
  assert.deepEqual(days.map(toWeekday), [0, 1, 2, 3, 4, 5, 6])
  assert.equal(toWeekday('1970-01-01'), 3)
})

test('isTimeZone recognizes time zones by name', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'Mars/Olympus', '', 'utc; drop'].map(isTimeZone), [
    true,
    true,
    false,
    false,
    false,
  ])
})

// Half days around the start of a month.
const halfDay = (count: number): Date => new Date(Date.parse('2026-03-01') + (count * DAY_MS) / 2)
const bound = fc.option(fc.integer({ min: -6, max: 6 }).map(halfDay))

test('splitIntoWholeDays covers every instant of the span exactly once, and nothing outside it', () => {
  const check = (from: Date | null, until: Date | null): void => {
    const { days, rest } = splitIntoWholeDays(from, until)
    for (let quarter = -13; quarter <= 13; quarter++) {
      const instant = halfDay(quarter / 2)
      const day = toDay(instant, 'UTC')
      const inDays = day >= days.from && day < days.until ? 1 : 0
      const inRest = rest.filter(([start, end]) => instant >= start && instant < end).length
      const isInside = (from === null || instant >= from) && (until === null || instant < until)
      assert.equal(inDays + inRest, isInside ? 1 : 0, instant.toISOString())
    }
  }
  fc.assert(fc.property(bound, bound, check), { numRuns: runs(200) })
})
