import type { TransactionId, UserId } from '../../platform/ids.ts'
import { type Cost, pairUp } from './assignment.ts'

/** A purchase as a card or an affiliate network reports it, as far as that says whether two reports are of one purchase. */
export type Report = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly source: ReportSource
  readonly rootId: string
  readonly brandUid: string
  readonly currency: string
  readonly at: Date
  /** The day is known, the time of day is not. */
  readonly dateOnly: boolean
  readonly orderId: string | null
  /** Every total that was ever reported for it: a hold, its clearing, a corrected amount, what is left of it. */
  readonly totals: readonly bigint[]
  /** Something of it is left to be rewarded. */
  readonly isAlive: boolean
  /** What it has earned has matured, and is not taken back. */
  readonly hasMatured: boolean
}
export type ReportSource = 'CARD' | 'AFFILIATE'
export type Policy = ReportSource | 'BOTH'
export type Pair<T = Report> = { readonly card: T; readonly affiliate: T }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// A network may date a sale by when it heard of it, which is up to a day after the card was asked.
export const CARD_BEFORE_SALE_MS = DAY_MS
// Shops that charge when they send the goods mostly do so within these days.
export const CARD_AFTER_SALE_MS = 4 * DAY_MS
// One order number at one shop is one order, also where a pre-order is charged weeks later.
export const SAME_ORDER_MS = 60 * DAY_MS
// Networks report what commission is paid for: mostly before tax and shipping, seldom a little more than is charged.
const CARD_LEAST_PERCENT = 95n
const CARD_MOST_PERCENT = 135n

/**
 * Whether a purchase by card and a reported sale can be one: the same user, brand and currency, and either one order number,
 * or, unless both have a number, a card that was charged from a day before the sale to four days after it with 0.95 to 1.35
 * times its amount. Amounts are held against each other as they ever were, for refunds and corrections reach the two sources
 * at different times, or only one of them.
 */
export function canBeOne({ card, affiliate }: Pair): boolean {
  const isSameCustomer =
    card.userId === affiliate.userId && card.brandUid === affiliate.brandUid && card.currency === affiliate.currency
  if (!isSameCustomer) return false
  if (plainNumber(card.orderId) !== '' && plainNumber(affiliate.orderId) !== '')
    return isSameOrder({ card, affiliate }) && Math.abs(card.at.getTime() - affiliate.at.getTime()) <= SAME_ORDER_MS
  return isInTime({ card, affiliate }) && misfitOf({ card, affiliate }) !== null
}

/**
 * Which purchases are one, each in one pair at most: a function of all that is known of them, whatever came first. What one
 * order number joins goes before what only fits; then as many pairs as possible, of these the ones whose amounts, and after them times, fit
 * best in all. What earns nothing any more takes no partner from what does. A pair of which a side has matured stays as it
 * is: what was paid is not put in question by what is reported later.
 */
export function pairsOf(reports: readonly Report[], settled: (pair: Pair) => boolean): Pair[] {
  const sorted = reports.toSorted(inOrder)
  const pairs: Pair[] = []
  const stages: readonly ((pair: Pair) => boolean)[] = [
    (pair) => settled(pair) && areAlive(pair),
    (pair) => areAlive(pair) && isSameOrder(pair),
    areAlive,
    () => true,
  ]
  for (const isMeant of stages) {
    const paired = new Set(pairs.flatMap(({ card, affiliate }) => [card, affiliate]))
    const free = (source: ReportSource): Report[] => sorted.filter((one) => one.source === source && !paired.has(one))
    const costOf = (card: Report, affiliate: Report): Cost =>
      canBeOne({ card, affiliate }) && isMeant({ card, affiliate }) ? costOfPair({ card, affiliate }) : null
    const found = pairUp(free('CARD'), free('AFFILIATE'), costOf)
    pairs.push(...found.map(([card, affiliate]) => ({ card, affiliate })))
  }
  return pairs
}

/**
 * Whose reward a pair is first: what has matured stays with its user; else the policy says. It is that side's only while
 * it earns something, otherwise the other's. Both have matured only if they turned out to be one purchase too late.
 */
export function preferredOf({ card, affiliate }: Pair, policy: ReportSource): Report {
  if (card.hasMatured !== affiliate.hasMatured) return card.hasMatured ? card : affiliate
  return policy === 'CARD' ? card : affiliate
}

/** When the purchase was made that both report. */
export function madeAt({ card, affiliate }: Pair): Date {
  return card.at.getTime() < affiliate.at.getTime() ? card.at : affiliate.at
}

function areAlive({ card, affiliate }: Pair): boolean {
  return card.isAlive && affiliate.isAlive
}

function isSameOrder({ card, affiliate }: Pair): boolean {
  const [one, other] = [card.orderId, affiliate.orderId].map(plainNumber)
  return one !== '' && one === other
}

/** Shops, networks and publishers write one order number with or without signs; signs alone are none. */
function plainNumber(orderId: string | null): string {
  return (orderId ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isInTime({ card, affiliate }: Pair): boolean {
  const lasts = ({ dateOnly }: Report): number => (dateOnly ? DAY_MS : 0)
  const [cardFrom, saleFrom] = [card.at.getTime(), affiliate.at.getTime()]
  return (
    cardFrom + lasts(card) >= saleFrom - CARD_BEFORE_SALE_MS &&
    cardFrom <= saleFrom + lasts(affiliate) + CARD_AFTER_SALE_MS
  )
}

/** How far apart the amounts are where they are nearest, in thousandths of the sale; null: too far to be one. */
function misfitOf({ card, affiliate }: Pair): number | null {
  const misfits = affiliate.totals.flatMap((sale) =>
    card.totals
      .filter((paid) => paid * 100n >= sale * CARD_LEAST_PERCENT && paid * 100n <= sale * CARD_MOST_PERCENT)
      .map((paid) => Number(((paid > sale ? paid - sale : sale - paid) * 1_000n) / sale)),
  )
  return misfits.length === 0 ? null : Math.min(...misfits)
}

// More than any that fits by its amount; one order number joins amounts that do not.
const MISFIT_MAX = 999
// Times count only between equal amounts: more than the squared minutes of SAME_ORDER_MS.
const THOUSANDTH = 10_000_000_000

/** Squared, so that of two equal purchases in a row the first goes with the first. */
function costOfPair(pair: Pair): number {
  const apartMinutes = Math.round(Math.abs(pair.card.at.getTime() - pair.affiliate.at.getTime()) / 60_000)
  return (misfitOf(pair) ?? MISFIT_MAX) * THOUSANDTH + apartMinutes ** 2
}

function inOrder(a: Report, b: Report): number {
  return a.at.getTime() - b.at.getTime() || (a.rootId < b.rootId ? -1 : 1)
}
