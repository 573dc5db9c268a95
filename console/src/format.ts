const LOCALE = 'en-US'

const formats = new Map<string, Intl.NumberFormat>()
function numbers(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(LOCALE, options)
  formats.set(key, made)
  return made
}

/** Formats an amount in major units, as the API returns it. */
export function money(amount: number, currency: string): string {
  return moneyFormat(currency).format(amount)
}

/** Rounds an amount in major units to the decimals of its currency, which removes floating-point noise. */
export function roundMoney(amount: number, currency: string): number {
  return Number(amount.toFixed(moneyFormat(currency).resolvedOptions().maximumFractionDigits))
}

function moneyFormat(currency: string): Intl.NumberFormat {
  return numbers(`money ${currency}`, { style: 'currency', currency, signDisplay: 'negative' })
}

export function moneyShort(amount: number, currency: string): string {
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const
  return numbers(`short ${currency}`, options).format(amount)
}

export function count(value: number): string {
  return numbers('count', {}).format(value)
}

export function percent(part: number): string {
  return numbers('percent', { style: 'percent', maximumFractionDigits: 1 }).format(part)
}

const DAY = { month: 'short', day: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const thisYear = new Date().getFullYear()
const dayInYear = new Intl.DateTimeFormat(LOCALE, DAY)
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { ...DAY, year: 'numeric' })
const timeInYear = new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME })
const timeOfYear = new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME, year: 'numeric' })

/** Formats a calendar day such as 2026-11-22, regardless of the reader's time zone. */
export function day(text: string): string {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T12:00:00` : text)
  return (date.getFullYear() === thisYear ? dayInYear : dayOfYear).format(date)
}

const monthOfYear = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' })

/** Formats a month: 2026-11 becomes `November 2026`. */
export function month(text: string): string {
  return monthOfYear.format(new Date(`${text}-15T12:00:00`))
}

/** Returns the calendar day of an instant in a time zone, such as `2026-11-22`. */
export function dayIn(instant: string, timeZone: string): string {
  // Of the locales that write days in this format, this one has had browser support the longest.
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant))
}

/** Formats an instant in the reader's time zone. */
export function dateTime(instant: string): string {
  const date = new Date(instant)
  return (date.getFullYear() === thisYear ? timeInYear : timeOfYear).format(date)
}

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// The clock skew tolerated between two machines.
const SKEW_SECONDS = 60

/**
 * Formats the time since an instant, such as `2 days ago` or `just now`. Because a sandbox's clock may be ahead of the
 * reader's, an instant in the reader's future is formatted as a date and time.
 */
export function ago(instant: string, now = Date.now()): string {
  const seconds = (now - new Date(instant).getTime()) / 1000
  if (seconds < -SKEW_SECONDS) return dateTime(instant)
  for (const [unit, length] of UNITS) if (seconds >= length) return relative.format(-Math.floor(seconds / length), unit)
  return 'just now'
}

/** Formats a count with its noun: `1 review`, `3 reviews`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Turns an API code into words: `below_min_spend` and `belowMinSpend` both become `Below min spend`. */
export function words(code: string): string {
  const text = code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
