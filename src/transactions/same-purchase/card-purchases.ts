import { DAY_MS, HOUR_MS } from '../../platform/calendar.ts'
import { type PairRules, pairsOf, type Side } from './pairs.ts'
import type { Report } from './reports.ts'

/** A card purchase, reported by the publisher, by the feed of the linked card, or by both. */
export type CardPurchase = Side & {
  /** The publisher's report first. */
  readonly reports: readonly Report[]
  readonly hasMatured: boolean
}

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
  return a.isFeed !== b.isFeed && isOnePurchase(a, b)
}

// More than the squared minutes of SAME_DAY_MS.
const OTHER_AMOUNT = 10_000_000

const CARD_REPORTS: PairRules<Report, Report> = {
  matcherOf: (reported) => (feed) => isOnePurchase(feed, reported),
  // As many pairs as possible would pair neighbouring days where one side lacks a report.
  isSurer: (feed, reported) => feed.day === reported.day,
  costOf: (feed, reported) => {
    const apartMinutes = Math.round(Math.abs(feed.at.getTime() - reported.at.getTime()) / 60_000)
    return (feed.amount === reported.amount ? 0 : OTHER_AMOUNT) + apartMinutes ** 2
  },
}

/** The purchases that these reports tell of. */
export function cardPurchasesOf(
  cards: readonly Report[],
  isSettled: (a: Report, b: Report) => boolean,
): CardPurchase[] {
  const [feed, reported] = [cards.filter(({ isFeed }) => isFeed), cards.filter(({ isFeed }) => !isFeed)]
  const pairs = pairsOf(feed, reported, CARD_REPORTS, isSettled)
  const paired = new Set(pairs.flat())
  return [
    ...pairs.map(([ofFeed, ofPublisher]) => purchaseOf(ofPublisher, ofFeed)),
    ...cards.filter((card) => !paired.has(card)).map((card) => purchaseOf(card)),
  ]
}

function purchaseOf(first: Report, ...others: readonly Report[]): CardPurchase {
  const reports = [first, ...others]
  return {
    reports,
    at: first.at,
    rootId: first.rootId,
    isAlive: reports.some(({ isAlive }) => isAlive),
    hasMatured: reports.some(({ hasMatured }) => hasMatured),
  }
}
