import { DAY_MS } from '../../../platform/calendar.ts'
import { computeSquaredMinutes, type PairRules } from './pairs.ts'
import type { Report } from './reports.ts'
import type { SourcePurchase } from './source-purchases.ts'

/** Finds card purchases and affiliate sales that are the same purchase. */

// A network may date a sale by when it received it, up to a day after the card was charged.
export const CARD_BEFORE_SALE_MS = DAY_MS
// Most shops that charge when they ship do so within this period.
export const CARD_AFTER_SALE_MS = 4 * DAY_MS
// An order number identifies a single order at a shop, even if a pre-order is charged weeks later.
export const SAME_ORDER_MS = 60 * DAY_MS
// Networks report the commissionable amount, which usually excludes tax and shipping and rarely exceeds the charge, and
// then only slightly.
const CARD_LEAST_PERCENT = 95n
const CARD_MOST_PERCENT = 135n

/**
 * Returns a predicate for card purchases that may be the same purchase as the sale. User, brand and currency must
 * match. If both have an order number, the numbers must match and the dates must be within 60 days of each other.
 * Otherwise, the card must be charged between one day before the sale and four days after it, for 0.95 to 1.35 times
 * its amount. All totals ever reported are compared, because refunds and corrections may reach the two sources at
 * different times or reach only one of them.
 */
export function createMatcher(affiliate: Report): (card: Report) => boolean {
  const number = normalizeOrderId(affiliate.orderId)
  const fitting = affiliate.totals.map((sale) => ({
    least: (sale * CARD_LEAST_PERCENT + 99n) / 100n,
    most: (sale * CARD_MOST_PERCENT) / 100n,
  }))
  return (card) => {
    if (Math.abs(card.at.getTime() - affiliate.at.getTime()) > SAME_ORDER_MS) return false
    if (card.userId !== affiliate.userId || card.brandUid !== affiliate.brandUid) return false
    if (card.currency !== affiliate.currency) return false
    const other = number === '' ? '' : normalizeOrderId(card.orderId)
    if (other !== '') return number === other
    const fits = (paid: bigint): boolean => fitting.some(({ least, most }) => paid >= least && paid <= most)
    return isInTime(card, affiliate) && card.totals.some(fits)
  }
}

/**
 * If a side has several reports, the best-fitting one is used. An order number on one report applies to all of them.
 */
export const SALES: PairRules<SourcePurchase, SourcePurchase> = {
  createMatcher: (sale) => {
    const matchers = sale.reports.map(createMatcher)
    return (purchase) => pickWholeReports(purchase).some((card) => matchers.some((matches) => matches(card)))
  },
  isSurer: (purchase, { reports: [sale] }) => {
    const number = normalizeOrderId(sale?.orderId ?? null)
    return number !== '' && pickWholeReports(purchase).some(({ orderId }) => normalizeOrderId(orderId) === number)
  },
  computeCost: (purchase, { reports }) => {
    const cards = pickWholeReports(purchase)
    const isOnlyOne = cards.length * reports.length === 1
    const costs = reports.flatMap((sale) =>
      (isOnlyOne ? cards : cards.filter(createMatcher(sale))).map((card) => costOfPair(card, sale)),
    )
    return Math.min(...costs)
  },
}

/**
 * Excludes feed rows for partial clearings, which lack the amount of the purchase, and prefers reports with an order
 * number.
 */
function pickWholeReports({ reports }: SourcePurchase): readonly Report[] {
  const [first] = reports
  if (first === undefined || reports.length < 2) return reports
  const wholes = reports.filter(({ totals }) => totals.some((total) => first.totals.includes(total)))
  const numbered = wholes.filter(({ orderId }) => normalizeOrderId(orderId) !== '')
  return numbered.length > 0 ? numbered : wholes
}

/**
 * Normalizes an order number, which may be written with or without punctuation. Text consisting only of punctuation
 * becomes empty.
 */
export function normalizeOrderId(orderId: string | null): string {
  return orderId === null
    ? ''
    : orderId
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isInTime(card: Report, affiliate: Report): boolean {
  const lasts = ({ dateOnly }: Report): number => (dateOnly ? DAY_MS : 0)
  const [cardFrom, saleFrom] = [card.at.getTime(), affiliate.at.getTime()]
  return (
    cardFrom + lasts(card) >= saleFrom - CARD_BEFORE_SALE_MS &&
    cardFrom <= saleFrom + lasts(affiliate) + CARD_AFTER_SALE_MS
  )
}

/** Returns the smallest difference between the amounts, in thousandths of the sale; null if they differ too much. */
function computeMisfit(card: Report, affiliate: Report): number | null {
  const misfits = affiliate.totals.flatMap((sale) =>
    card.totals
      .filter((paid) => paid * 100n >= sale * CARD_LEAST_PERCENT && paid * 100n <= sale * CARD_MOST_PERCENT)
      .map((paid) => Number(((paid > sale ? paid - sale : sale - paid) * 1_000n) / sale)),
  )
  return misfits.reduce<number | null>((least, one) => (least === null || one < least ? one : least), null)
}

// Exceeds the misfit of any fitting amount. Used for pairs that share an order number but not an amount.
const MISFIT_MAX = 999
// Exceeds computeSquaredMinutes of two reports within SAME_ORDER_MS, so that times only break ties between amounts.
const THOUSANDTH = 10_000_000_000

function costOfPair(card: Report, affiliate: Report): number {
  return (computeMisfit(card, affiliate) ?? MISFIT_MAX) * THOUSANDTH + computeSquaredMinutes(card, affiliate)
}
