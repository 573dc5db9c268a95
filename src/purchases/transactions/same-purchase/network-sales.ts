import { normalizeOrderId, SAME_ORDER_MS } from './card-and-sale.ts'
import { computeSquaredMinutes, type PairRules } from './pairs.ts'
import type { Report } from './reports.ts'

/** Finds sales that a network reports for a click and that the publisher posts as well. */

/**
 * True if both have the same order number. Nothing else is proof, because a user may buy twice for the same amount in
 * one day.
 */
function isOneSale(posted: Report, network: Report): boolean {
  const number = normalizeOrderId(network.orderId)
  return (
    number !== '' &&
    number === normalizeOrderId(posted.orderId) &&
    posted.userId === network.userId &&
    posted.brandUid === network.brandUid &&
    posted.currency === network.currency &&
    Math.abs(posted.at.getTime() - network.at.getTime()) <= SAME_ORDER_MS
  )
}

export function canBeOneSale(a: Report, b: Report): boolean {
  return a.isByPublisher !== b.isByPublisher && isOneSale(a, b)
}

// Exceeds computeSquaredMinutes of two reports within SAME_ORDER_MS.
const OTHER_AMOUNT = 10_000_000_000

export const SALE_REPORTS: PairRules<Report, Report> = {
  createMatcher: (network) => (posted) => isOneSale(posted, network),
  isSurer: () => true,
  computeCost: (posted, network) =>
    (posted.amount === network.amount ? 0 : OTHER_AMOUNT) + computeSquaredMinutes(posted, network),
}
