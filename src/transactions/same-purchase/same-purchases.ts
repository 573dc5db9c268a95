import { type CardPurchase, canBeOneCardPurchase, cardPurchasesOf } from './card-purchases.ts'
import { pairsOf } from './pairs.ts'
import type { Report } from './reports.ts'
import { matcherOf, SALES } from './sales.ts'

/** One purchase with two reports or three. */
export type SamePurchase = {
  /** The publisher's report first, then that of the feed. */
  readonly cards: readonly Report[]
  readonly sale: Report | null
}

/**
 * Finds what was reported more than once: first by publisher and feed, then by card and network. A stored pair with a
 * matured side stays, because later reports do not call a paid reward into question.
 */
export function samePurchasesOf(
  reports: readonly Report[],
  isStored: (a: Report, b: Report) => boolean,
): SamePurchase[] {
  const [cards, sales] = [reports.filter(isCard), reports.filter((report) => !isCard(report))]
  const isSettled = (a: Report, b: Report): boolean => (a.hasMatured || b.hasMatured) && isStored(a, b)
  const purchases = cardPurchasesOf(cards, isSettled)
  const isSettledSale = (purchase: CardPurchase, sale: Report): boolean =>
    (purchase.hasMatured || sale.hasMatured) && purchase.reports.some((card) => isStored(card, sale))
  const saleOf = new Map(pairsOf(purchases, sales, SALES, isSettledSale))
  return purchases
    .map((purchase) => ({ cards: purchase.reports, sale: saleOf.get(purchase) ?? null }))
    .filter((same) => reportsOf(same).length > 1)
}

export function reportsOf({ cards, sale }: SamePurchase): readonly Report[] {
  return sale === null ? cards : [...cards, sale]
}

/** When the purchase was made. */
export function madeAt(same: SamePurchase): Date {
  return new Date(Math.min(...reportsOf(same).map(({ at }) => at.getTime())))
}

/** Whether a stored pair can still be one purchase of which either report earns something. */
export function isStanding(a: Report, b: Report): boolean {
  return a.isAlive && b.isAlive && canBeOne(a)(b)
}

/** Tells which other reports can be of the same purchase. */
export function canBeOne(one: Report): (other: Report) => boolean {
  if (!isCard(one)) {
    const matches = matcherOf(one)
    return (other) => isCard(other) && matches(other)
  }
  return (other) => (isCard(other) ? canBeOneCardPurchase(one, other) : matcherOf(other)(one))
}

export function isCard({ source }: Report): boolean {
  return source === 'CARD'
}
