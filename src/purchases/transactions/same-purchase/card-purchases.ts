import { DAY_MS, HOUR_MS } from '../../../platform/calendar.ts'
import type { SourceEvent } from '../event.ts'
import { AUTHORIZATION_DAYS } from '../fold/fold.ts'
import { computeSquaredMinutes, type PairRules } from './pairs.ts'
import type { Report } from './reports.ts'

/** Finds card purchases that both the publisher and the feed of a linked card report. */

// A feed dates most purchases by the bank's date. The publisher's time zone may be half a day away from the bank's.
const TIME_ZONES_MS = 12 * HOUR_MS
/** The longest possible time between two reports of the same day. */
export const SAME_DAY_MS = DAY_MS + TIME_ZONES_MS
// Banks post most purchases within this time, even over a weekend.
const POSTED_AFTER_MS = 4 * DAY_MS
// The time for which an authorization remains valid.
const PARTIAL_WITHIN_MS = AUTHORIZATION_DAYS * DAY_MS
/** The longest time by which a row's date can be later than that of the report. */
export const ROW_AFTER_MS = PARTIAL_WITHIN_MS + POSTED_AFTER_MS + SAME_DAY_MS

/**
 * True if the publisher and the feed report the same purchase. User, brand, currency and day must match, and so must
 * the card if both reports state one. They must also share a total. All totals are compared, because a hold and its
 * clearing reach the publisher and the feed at different times.
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
 * True if two reports have the same day. If either has a time, time zones may shift the day. A row with only a posting
 * date may be for a purchase a few days earlier.
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
    [reported, ...reported.partialClearings].some((one) => isOnePurchase(feed, one))
  )
}

/**
 * Returns the clearings of a publisher's report if there are several. A row may be dated by the purchase or by its
 * clearing.
 */
export function findPartialClearings(report: Report, events: readonly SourceEvent[]): Report[] {
  const cleared = events.filter(({ kind, currency }) => kind === 'CLEARING' && currency === report.currency)
  if (cleared.length < 2 || !report.isByPublisher || report.source !== 'CARD') return []
  return cleared
    .filter(({ occurredAt }) => occurredAt.getTime() <= report.at.getTime() + PARTIAL_WITHIN_MS)
    .map(({ amount, occurredAt: until }) => ({ ...report, totals: [amount], until }))
}

// Exceeds computeSquaredMinutes of any two reports of one purchase.
const OTHER_AMOUNT = 1_000_000_000

export const CARD_REPORTS: PairRules<Report, Report> = {
  createMatcher: (reported) => (feed) => isOnePurchase(feed, reported),
  // Without this, maximizing the number of pairs would pair neighboring days where one side lacks a report.
  isSurer: (feed, reported) => !feed.isPosted && feed.day === reported.day,
  computeCost: (feed, reported) =>
    (feed.amount === reported.amount ? 0 : OTHER_AMOUNT) + computeSquaredMinutes(toMidday(feed), toMidday(reported)),
}

/** Uses midday if only the date is known. */
function toMidday({ at, dateOnly }: Report): { readonly at: Date } {
  return { at: new Date(at.getTime() + (dateOnly ? TIME_ZONES_MS : 0)) }
}
