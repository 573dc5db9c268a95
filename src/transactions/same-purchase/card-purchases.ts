import { DAY_MS, HOUR_MS } from '../../platform/calendar.ts'
import { AUTHORIZATION_DAYS } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import type { PairRules } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase that the publisher reports and the feed of the linked card brings. */

// A feed dates most purchases by the bank's day. The publisher's time zone may be half a day from the bank's.
const TIME_ZONES_MS = 12 * HOUR_MS
/** Further apart, two reports cannot be of the same day. */
export const SAME_DAY_MS = DAY_MS + TIME_ZONES_MS
// Banks post most purchases within these days, over a weekend, too.
const POSTED_AFTER_MS = 4 * DAY_MS
// As long as an authorization lasts.
const PARTS_WITHIN_MS = AUTHORIZATION_DAYS * DAY_MS
/** A row can be this much later than the report. */
export const ROW_AFTER_MS = PARTS_WITHIN_MS + POSTED_AFTER_MS + SAME_DAY_MS

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

/**
 * A time of day and the bank's day, or two times, may be of one day in another time zone. A row that gives only the day
 * of posting may be of a day before it.
 */
function isSameDay(feed: Report, reported: Report): boolean {
  if (feed.day === reported.day) return true
  const areDays = feed.dateOnly && reported.dateOnly
  const lasts = ({ dateOnly }: Report): number => (areDays ? HOUR_MS : TIME_ZONES_MS + (dateOnly ? DAY_MS : 0))
  const [rowAt, reportedAt] = [feed.at.getTime(), reported.at.getTime()]
  const from = rowAt - (feed.isPosted ? POSTED_AFTER_MS : 0)
  return reportedAt <= rowAt + lasts(feed) && from <= reported.until.getTime() + lasts(reported)
}

export function canBeOneCardPurchase(a: Report, b: Report): boolean {
  const [feed, reported] = a.isByPublisher ? [b, a] : [a, b]
  return (
    !feed.isByPublisher &&
    reported.isByPublisher &&
    [reported, ...reported.parts].some((one) => isOnePurchase(feed, one))
  )
}

/** What a publisher's report cleared in, if in several parts. A part is dated like the purchase or by its clearing. */
export function partsOf(report: Report, events: readonly SourceEvent[]): Report[] {
  const cleared = events.filter(({ kind, currency }) => kind === 'CLEARING' && currency === report.currency)
  if (cleared.length < 2 || !report.isByPublisher || report.source !== 'CARD') return []
  return cleared
    .filter(({ occurredAt }) => occurredAt.getTime() <= report.at.getTime() + PARTS_WITHIN_MS)
    .map(({ amount, occurredAt: until }) => ({ ...report, totals: [amount], until }))
}

// More than the squared minutes between any two reports of one purchase.
const OTHER_AMOUNT = 1_000_000_000

export const CARD_REPORTS: PairRules<Report, Report> = {
  matcherOf: (reported) => (feed) => isOnePurchase(feed, reported),
  // As many pairs as possible would pair neighbouring days where one side lacks a report.
  isSurer: (feed, reported) => feed.day === reported.day,
  costOf: (feed, reported) => {
    const apartMinutes = Math.round(Math.abs(feed.at.getTime() - reported.at.getTime()) / 60_000)
    return (feed.amount === reported.amount ? 0 : OTHER_AMOUNT) + apartMinutes ** 2
  },
}
