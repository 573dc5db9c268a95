import { DAY_MS, HOUR_MS } from '../../platform/calendar.ts'
import type { PairRules } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase that the publisher reports and the feed of the linked card brings. */

// A feed dates most purchases by the bank's day. The publisher's time zone may be half a day from the bank's.
const TIME_ZONES_MS = 12 * HOUR_MS
/** Further apart, two reports cannot be of the same day. */
export const SAME_DAY_MS = DAY_MS + TIME_ZONES_MS

/**
 * Tells whether the publisher and the feed report one purchase: the same user, brand, card (unless one report names
 * none), currency and day, and a total in common, because a hold and its clearing reach the two at different times.
 */
function isOnePurchase(feed: Report, reported: Report): boolean {
  return (
    feed.userId === reported.userId &&
    feed.brandUid === reported.brandUid &&
    feed.currency === reported.currency &&
    (feed.card === null || reported.card === null || feed.card === reported.card) &&
    isSameDay(feed, reported) &&
    feed.totals.some((total) => reported.totals.includes(total))
  )
}

/** A time of day and the bank's day, or two times, may be of one day in another time zone. */
function isSameDay(a: Report, b: Report): boolean {
  if (a.day === b.day) return true
  if (a.dateOnly && b.dateOnly) return false
  const [first, last] = a.at < b.at ? [a, b] : [b, a]
  return last.at.getTime() - first.at.getTime() <= TIME_ZONES_MS + (first.dateOnly ? DAY_MS : 0)
}

export function canBeOneCardPurchase(a: Report, b: Report): boolean {
  return a.isByPublisher !== b.isByPublisher && isOnePurchase(a, b)
}

// More than the squared minutes of SAME_DAY_MS.
const OTHER_AMOUNT = 10_000_000

export const CARD_REPORTS: PairRules<Report, Report> = {
  matcherOf: (reported) => (feed) => isOnePurchase(feed, reported),
  // As many pairs as possible would pair neighbouring days where one side lacks a report.
  isSurer: (feed, reported) => feed.day === reported.day,
  costOf: (feed, reported) => {
    const apartMinutes = Math.round(Math.abs(feed.at.getTime() - reported.at.getTime()) / 60_000)
    return (feed.amount === reported.amount ? 0 : OTHER_AMOUNT) + apartMinutes ** 2
  },
}
