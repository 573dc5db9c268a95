import { createMatcher, SALES } from './card-and-sale.ts'
import { CARD_REPORTS, canBeOneCardPurchase } from './card-purchases.ts'
import { canBeOneSale, SALE_REPORTS } from './network-sales.ts'
import { findPairs } from './pairs.ts'
import type { Report } from './reports.ts'
import { groupSourcePurchases, type SourcePurchase } from './source-purchases.ts'

/** A purchase with several reports. */
export type SamePurchase = {
  /** The publisher's report first, then the feed's. Partial clearings may have several feed reports. */
  readonly cards: readonly Report[]
  /** The network's report first, then the publisher's. */
  readonly sales: readonly Report[]
}

/**
 * Finds purchases that were reported more than once: card purchases by the publisher and the feed, then sales by the
 * network and the publisher, and finally purchases reported both by card and as a sale. A stored pair with a matured
 * side is kept, because later reports must not take back a paid reward.
 */
export function findSamePurchases(
  reports: readonly Report[],
  isStored: (a: Report, b: Report) => boolean,
): SamePurchase[] {
  const isSettled = (a: Report, b: Report): boolean => (a.hasMatured || b.hasMatured) && isStored(a, b)
  const [byPublisher, byOthers] = [
    reports.filter(({ isByPublisher }) => isByPublisher),
    reports.filter(({ isByPublisher }) => !isByPublisher),
  ]
  const cards = groupSourcePurchases(byPublisher.filter(isCard), byOthers.filter(isCard), CARD_REPORTS, isSettled)
  const sales = groupSourcePurchases(byOthers.filter(isSale), byPublisher.filter(isSale), SALE_REPORTS, isSettled)
  const isSettledSale = (card: SourcePurchase, sale: SourcePurchase): boolean =>
    (card.hasMatured || sale.hasMatured) && card.reports.some((a) => sale.reports.some((b) => isStored(a, b)))
  const salesByCard = new Map(findPairs(cards, sales, SALES, isSettledSale))
  const paired = new Set(salesByCard.values())
  return [
    ...cards.map((card) => ({ cards: card.reports, sales: salesByCard.get(card)?.reports ?? [] })),
    ...sales.filter((sale) => !paired.has(sale)).map((sale) => ({ cards: [], sales: sale.reports })),
  ].filter((same) => getReports(same).length > 1)
}

export function getReports({ cards, sales }: SamePurchase): readonly Report[] {
  return [...cards, ...sales]
}

/** Returns the time of the purchase, according to its earliest report. */
export function getPurchaseTime(same: SamePurchase): Date {
  return new Date(Math.min(...getReports(same).map(({ at }) => at.getTime())))
}

/** True if the reports of a stored pair can still be of one purchase and both can still earn something. */
export function isStanding(a: Report, b: Report): boolean {
  return a.isAlive && b.isAlive && canBeOne(a)(b)
}

/** Returns a predicate for reports that may be of the same purchase. */
export function canBeOne(one: Report): (other: Report) => boolean {
  if (isCard(one)) return (other) => (isCard(other) ? canBeOneCardPurchase(one, other) : createMatcher(other)(one))
  const matches = createMatcher(one)
  return (other) => (isCard(other) ? matches(other) : canBeOneSale(one, other))
}

export function isCard({ source }: Report): boolean {
  return source === 'CARD'
}

function isSale(report: Report): boolean {
  return !isCard(report)
}
