import { type Day, isDay } from '../../src/platform/calendar.ts'

/** The order of day and month in dates such as 03/04/2026, shared by all dates in a file. */
export type DayOrder = 'day-first' | 'month-first'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?=$|[ T])/
// 2026-11-03, 20261103, 2026/11/3, Hungarian 2026.11.03. and Japanese 2026年11月3日.
const YEAR_FIRST = /^(\d{4})(?:[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})[.日]?|(\d{2})(\d{2}))(?=$|[ T])/
const DAY_NAMED_MONTH = /^(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ ,-]+(\d{4}|\d{2})(?=$|[ T])/i
const NAMED_MONTH_DAY = /^([a-z]{3})[a-z]*\.?[ -](\d{1,2})[ ,-]+(\d{4}|\d{2})(?=$|[ T])/i

/**
 * Returns the order proven by a file's dates; null if no date proves one. Dates with dots are day-first in every
 * country that uses them.
 */
export function findProvenOrder(texts: readonly string[]): DayOrder | null {
  for (const text of texts) {
    const match = NUMBERS.exec(text.trim())
    if (match === null) continue
    if (Number(match[1]) > 12 || text.includes('.')) return 'day-first'
    if (Number(match[2]) > 12) return 'month-first'
  }
  return null
}

/** True if the meaning of any date depends on the order. */
export function needsOrder(texts: readonly string[]): boolean {
  return texts.some((text) => NUMBERS.test(text.trim()))
}

/**
 * Parses a calendar day; null if the text is not a date. A time of day is ignored, because banks write it without a
 * time zone.
 */
export function readDay(text: string, order: DayOrder): Day | null {
  const trimmed = text.trim()
  const yearFirst = YEAR_FIRST.exec(trimmed)
  if (yearFirst !== null) {
    const [, year, month, day, monthOfEight, dayOfEight] = yearFirst
    return parseDayParts(year, month ?? monthOfEight, day ?? dayOfEight)
  }
  const numbers = NUMBERS.exec(trimmed)
  if (numbers !== null) {
    const [, first, second, year] = numbers
    return order === 'day-first' ? parseDayParts(year, second, first) : parseDayParts(year, first, second)
  }
  const dayFirst = DAY_NAMED_MONTH.exec(trimmed)
  if (dayFirst !== null) return parseDayParts(dayFirst[3], toMonth(dayFirst[2]), dayFirst[1])
  const monthFirst = NAMED_MONTH_DAY.exec(trimmed)
  return monthFirst === null ? null : parseDayParts(monthFirst[3], toMonth(monthFirst[1]), monthFirst[2])
}

/** True if the text is a calendar day in either order. */
export function isDate(text: string): boolean {
  return readDay(text, 'day-first') !== null || readDay(text, 'month-first') !== null
}

function toMonth(name: string | undefined): string {
  return String(MONTHS.indexOf((name ?? '').toLowerCase()) + 1)
}

function parseDayParts(year = '', month = '', day = ''): Day | null {
  const written = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : null
}
