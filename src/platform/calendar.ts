/** A calendar day as yyyy-MM-dd. Sorts chronologically as text. */
export type Day = string

/** Durations in milliseconds. A day is always 24 hours. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const formats = new Map<string, Intl.DateTimeFormat>()
const clocks = new Map<string, Intl.DateTimeFormat>()

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns true for an RFC 3339 timestamp with seconds and a zone. Rejects nonexistent days and hours. */
export function isInstant(text: string): boolean {
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      text,
    )
  return match !== null && isDay(match[1] ?? '')
}

/** Returns the calendar day of an instant in a time zone. */
export function toDay(instant: Date, timeZone: string): Day {
  if (timeZone === 'UTC') return toUtcDay(instant)
  return getFormat(timeZone).format(instant).slice(0, 10)
}

let newest: { readonly number: number; readonly day: Day } = { number: 0, day: '1970-01-01' }

/**
 * Returns the UTC day of an instant. Caches the latest day, because nearly all calls are for the same day and
 * formatting takes a microsecond.
 */
function toUtcDay(instant: Date): Day {
  const number = Math.floor(instant.getTime() / DAY_MS)
  if (number !== newest.number) newest = { number, day: instant.toISOString().slice(0, 10) }
  return newest.day
}

/** Returns the local time of an instant in a time zone as HH:MM. Times on the same day sort as text. */
export function toTime(instant: Date, timeZone: string): string {
  if (timeZone === 'UTC') return instant.toISOString().slice(11, 16)
  const known = clocks.get(timeZone)
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (known === undefined) clocks.set(timeZone, clock)
  return clock.format(instant)
}

/** Returns the day of the week, 0 for Monday. */
export function toWeekday(day: Day): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Returns the first instant of a day in a time zone, which is later than midnight if a clock change skips midnight.
 * Zone offsets range from -12 h to +14 h, so a binary search between those bounds finds the instant.
 */
export function startOfDay(day: Day, timeZone: string): Date {
  const utcMidnight = Date.parse(`${day}T00:00:00Z`)
  if (timeZone === 'UTC') return new Date(utcMidnight)
  let before = utcMidnight - 15 * HOUR_MS
  let within = utcMidnight + 13 * HOUR_MS
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (toDay(new Date(middle), timeZone) >= day) within = middle
    else before = middle
  }
  return new Date(within)
}

export function isTimeZone(name: string): boolean {
  try {
    getFormat(name)
    return true
  } catch {
    return false
  }
}

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  // The Swedish locale formats dates as yyyy-MM-dd.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, format)
  return format
}

/** A range of days: `from` is inclusive, `until` exclusive. */
export type WholeDays = { readonly from: Day; readonly until: Day }
export type TimeSpan = readonly [start: Date, end: Date]

// Every instant we handle falls between these.
const [EARLIEST, LATEST] = [new Date('1900-01-01'), new Date('9999-01-01')]

/** Splits a time span into whole UTC days and the remainders at either end. */
export function splitIntoWholeDays(
  from: Date | null,
  until: Date | null,
): { readonly days: WholeDays; readonly rest: readonly TimeSpan[] } {
  const first = from === null ? EARLIEST : new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const end = until === null ? LATEST : new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)
  const days = { from: toDay(first, 'UTC'), until: toDay(end, 'UTC') }
  if (from !== null && until !== null && first > end) return { days, rest: from < until ? [[from, until]] : [] }
  const rest: TimeSpan[] = [
    [from ?? first, first],
    [end, until ?? end],
  ]
  return { days, rest: rest.filter(([start, stop]) => start < stop) }
}
