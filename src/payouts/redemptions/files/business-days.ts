import { addDays, type Day, toWeekday } from '../../../platform/calendar.ts'

type Holidays = (year: number) => ReadonlyMap<Day, string>

/** The holidays of each currency's clearing system. For other currencies, only weekends are skipped. */
const HOLIDAYS: Readonly<Partial<Record<string, Holidays>>> = { EUR: closedInTarget, USD: closedAtTheFed }

/**
 * Returns the reason why banks make no payments in the currency on a day, such as a holiday; null on a business day.
 */
export function findClosedReason(day: Day, currency: string): string | null {
  const weekday = toWeekday(day)
  if (weekday >= SATURDAY) return weekday === SATURDAY ? 'a Saturday' : 'a Sunday'
  return HOLIDAYS[currency]?.(Number(day.slice(0, 4))).get(day) ?? null
}

export function nextBusinessDay(after: Day, currency: string): Day {
  const day = addDays(after, 1)
  return findClosedReason(day, currency) === null ? day : nextBusinessDay(day, currency)
}

const [MONDAY, THURSDAY, SATURDAY, SUNDAY] = [0, 3, 5, 6]

/** Returns the TARGET closing days, as listed in the Eurosystem's long-term calendar. */
function closedInTarget(year: number): ReadonlyMap<Day, string> {
  const easter = computeEaster(year)
  return new Map([
    [`${year}-01-01`, "New Year's Day"],
    [addDays(easter, -2), 'Good Friday'],
    [addDays(easter, 1), 'Easter Monday'],
    [`${year}-05-01`, 'Labour Day'],
    [`${year}-12-25`, 'Christmas Day'],
    [`${year}-12-26`, 'the day after Christmas'],
  ])
}

/**
 * Returns the holidays of the Federal Reserve Banks. A holiday on a Sunday is observed on Monday, but one on a Saturday
 * is not moved.
 */
function closedAtTheFed(year: number): ReadonlyMap<Day, string> {
  const kept = (day: Day): Day => (toWeekday(day) === SUNDAY ? addDays(day, 1) : day)
  return new Map([
    [kept(`${year}-01-01`), "New Year's Day"],
    [nth(3, MONDAY, `${year}-01-01`), 'Martin Luther King Day'],
    [nth(3, MONDAY, `${year}-02-01`), "Washington's Birthday"],
    [nth(1, MONDAY, `${year}-05-25`), 'Memorial Day'],
    [kept(`${year}-06-19`), 'Juneteenth'],
    [kept(`${year}-07-04`), 'Independence Day'],
    [nth(1, MONDAY, `${year}-09-01`), 'Labor Day'],
    [nth(2, MONDAY, `${year}-10-01`), 'Columbus Day'],
    [kept(`${year}-11-11`), 'Veterans Day'],
    [nth(4, THURSDAY, `${year}-11-01`), 'Thanksgiving Day'],
    [kept(`${year}-12-25`), 'Christmas Day'],
  ])
}

/** Returns the nth occurrence of a weekday on or after a day. */
function nth(number: number, weekday: number, from: Day): Day {
  return addDays(from, ((weekday - toWeekday(from) + 7) % 7) + 7 * (number - 1))
}

/** Returns Easter Sunday in the Gregorian calendar, using the Meeus/Jones/Butcher algorithm. */
function computeEaster(year: number): Day {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100]
  const correction = Math.floor((8 * century + 13) / 25)
  const moon = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - moon - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * sunday) / 451)
  return addDays(`${year}-03-22`, moon + sunday - 7 * late)
}
