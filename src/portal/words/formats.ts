import { DAY_MS, type Day, toDay } from '../../platform/calendar.ts'
import { formatDecimal } from '../../platform/money.ts'
import type { PortalWords } from './words.ts'

/** @param amount decimal text in major units */
export function formatMoney({ locale }: PortalWords, amount: string, currency: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
}

export function formatMinorMoney(words: PortalWords, minor: bigint, currency: string): string {
  return formatMoney(words, formatDecimal(minor, currency), currency)
}

export function formatPercent({ locale }: PortalWords, percent: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100)
}

export function formatCount({ locale }: PortalWords, count: number): string {
  return new Intl.NumberFormat(locale).format(count)
}

/** Formats a number of days, such as `1 day` or `30 days`. */
export function formatDays({ locale }: PortalWords, days: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** Formats a day, with the year unless it is the current one. */
export function formatDay({ locale }: PortalWords, day: Day, today: Day): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  const parts = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, isThisYear ? parts : { ...parts, year: 'numeric' }).format(new Date(day))
}

type Viewer = {
  readonly words: PortalWords
  readonly publisher: { readonly timeZone: string }
  readonly today: Day
}

/** Formats the day of an instant in the publisher's time zone. */
export function formatInstant({ words, publisher, today }: Viewer, at: Date): string {
  return formatDay(words, toDay(at, publisher.timeZone), today)
}

// A Monday, used to format the names of weekdays.
const MONDAY = Date.UTC(2024, 0, 1)
const WEEK: readonly string[] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** @param days in catalog notation, such as `MON` */
export function formatWeekdays(words: PortalWords, days: readonly string[], last: 'and' | 'or'): string {
  const format = new Intl.DateTimeFormat(words.locale, { weekday: 'long', timeZone: 'UTC' })
  const names = days.map((day) => format.format(new Date(MONDAY + Math.max(0, WEEK.indexOf(day)) * DAY_MS)))
  return formatList(words, names, last)
}

export function formatList({ locale }: PortalWords, texts: readonly string[], last: 'and' | 'or'): string {
  return new Intl.ListFormat(locale, { type: last === 'and' ? 'conjunction' : 'disjunction' }).format(texts)
}

/** @param time HH:MM */
export function formatTime({ locale }: PortalWords, time: string): string {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  return format.format(new Date(`2024-01-01T${time}:00Z`))
}

/** Formats a change with its sign. */
export function formatSignedMoney({ locale }: PortalWords, minor: bigint, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, signDisplay: 'exceptZero' })
  return format.format(formatDecimal(minor, currency) as Intl.StringNumericLiteral)
}

/** @param month yyyy-MM */
export function formatMonth({ locale }: PortalWords, month: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )
}

/**
 * Formats a category for display. Names in capitals, such as `HEALTH_AND_BEAUTY`, become words. Other names stay
 * unchanged.
 */
export function formatCategory(category: string): string {
  if (!/^[A-Z0-9_]+$/.test(category)) return category
  return category.slice(0, 1) + category.slice(1).replaceAll('_', ' ').toLowerCase()
}
