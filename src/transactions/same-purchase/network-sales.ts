import type { PairRules } from './pairs.ts'
import type { Report } from './reports.ts'
import { plainNumber, SAME_ORDER_MS } from './sales.ts'

/** A sale that a network reports for a click and the publisher posts. */

/** Tells whether they have one order number. Nothing else shows it: a user may buy twice for one amount on one day. */
function isOneSale(posted: Report, network: Report): boolean {
  const number = plainNumber(network.orderId)
  return (
    number !== '' &&
    number === plainNumber(posted.orderId) &&
    posted.userId === network.userId &&
    posted.brandUid === network.brandUid &&
    posted.currency === network.currency &&
    Math.abs(posted.at.getTime() - network.at.getTime()) <= SAME_ORDER_MS
  )
}

export function canBeOneSale(a: Report, b: Report): boolean {
  return a.isByPublisher !== b.isByPublisher && isOneSale(a, b)
}

// More than the squared minutes of SAME_ORDER_MS.
const OTHER_AMOUNT = 10_000_000_000

export const SALE_REPORTS: PairRules<Report, Report> = {
  matcherOf: (network) => (posted) => isOneSale(posted, network),
  isSurer: () => true,
  costOf: (posted, network) => {
    const apartMinutes = Math.round(Math.abs(posted.at.getTime() - network.at.getTime()) / 60_000)
    return (posted.amount === network.amount ? 0 : OTHER_AMOUNT) + apartMinutes ** 2
  },
}
