import { isDay, isInstant } from '../../../platform/calendar.ts'
import type { DateForm } from '../formats/format.ts'

type ReadDate = { readonly at: Date; readonly dateOnly: boolean }

/** The parsers for each date form. Each returns the instant or the day; null for text in any other form. */
const FORMS: Readonly<Record<DateForm, (text: string) => ReadDate | null>> = {
  day: (text) => (isDay(text) ? { at: new Date(`${text}T00:00:00Z`), dateOnly: true } : null),
  instant: (text) => parseInstant(text.replace(' ', 'T')),
  utc: (text) => parseInstant(`${text.replace(' ', 'T')}Z`),
  // The format that JavaScript prints: Wed Apr 30 2014 02:18:36 GMT+0000 (UTC)
  javascript: (text) => {
    const match = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-]\d\d)(\d\d)\b/.exec(text)
    if (match === null) return null
    const [, month = '', day = '', year = '', time = '', hours = '', minutes = ''] = match
    const number = MONTHS.indexOf(month) + 1
    return parseInstant(`${year}-${String(number).padStart(2, '0')}-${day}T${time}${hours}:${minutes}`)
  },
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function readDate(text: string, forms: readonly DateForm[]): ReadDate | null {
  for (const form of forms) {
    const read = FORMS[form](text)
    if (read !== null) return read
  }
  return null
}

function parseInstant(text: string): ReadDate | null {
  return isInstant(text) ? { at: new Date(text), dateOnly: false } : null
}
