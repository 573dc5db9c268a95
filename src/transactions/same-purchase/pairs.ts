import { DAY_MS } from '../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'
import { type Edge, pairUp } from './assignment.ts'

/** A card purchase or an affiliate sale, with all that shows whether two reports are of one purchase. */
export type Report = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly source: ReportSource
  readonly rootId: string
  readonly brandUid: string
  readonly currency: string
  readonly at: Date
  /** Only the day is known. */
  readonly dateOnly: boolean
  readonly orderId: string | null
  /** Every total ever reported, in minor units: a hold, its clearing, a corrected amount, the rest after refunds. */
  readonly totals: readonly bigint[]
  /** Something is left to reward. */
  readonly isAlive: boolean
  /** Its reward has matured and was not taken back. */
  readonly hasMatured: boolean
}
export type ReportSource = 'CARD' | 'AFFILIATE'
export type Policy = ReportSource | 'BOTH'
export type Pair<T = Report> = { readonly card: T; readonly affiliate: T }

// A network may date a sale by its own receipt, up to a day after the card was charged.
export const CARD_BEFORE_SALE_MS = DAY_MS
// Shops that charge when they ship mostly do so within these days.
export const CARD_AFTER_SALE_MS = 4 * DAY_MS
// One order number at one shop is one order, even if a pre-order is charged weeks later.
export const SAME_ORDER_MS = 60 * DAY_MS
// Of one user at one brand. The work grows with the cube of this number.
const PART_MAX = 200
// Networks report the amount on which commission is paid: mostly without tax and shipping, rarely a little more than
// the charge.
const CARD_LEAST_PERCENT = 95n
const CARD_MOST_PERCENT = 135n

/**
 * Tells whether a card purchase can be one purchase with the sale: the same user, brand and currency, and either the
 * same order number or, unless both have a number, a card charge from a day before the sale to four days after it with
 * 0.95 to 1.35 times its amount. All totals ever reported are compared, because refunds and corrections reach the two
 * sources at different times, or only one of them.
 */
export function matcherOf(affiliate: Report): (card: Report) => boolean {
  const number = plainNumber(affiliate.orderId)
  const fitting = affiliate.totals.map((sale) => ({
    least: (sale * CARD_LEAST_PERCENT + 99n) / 100n,
    most: (sale * CARD_MOST_PERCENT) / 100n,
  }))
  return (card) => {
    if (Math.abs(card.at.getTime() - affiliate.at.getTime()) > SAME_ORDER_MS) return false
    if (card.userId !== affiliate.userId || card.brandUid !== affiliate.brandUid) return false
    if (card.currency !== affiliate.currency) return false
    const other = number === '' ? '' : plainNumber(card.orderId)
    if (other !== '') return number === other
    const fits = (paid: bigint): boolean => fitting.some(({ least, most }) => paid >= least && paid <= most)
    return isInTime({ card, affiliate }) && card.totals.some(fits)
  }
}

/**
 * Pairs the reports, each at most once, independent of their order of arrival. Reports with the same order number are
 * paired first; then as many pairs as possible, with the best fit of amounts, then of times, over all pairs. A report
 * that can earn nothing takes no partner from one that can. A stored pair with a matured side stays, because later
 * reports do not call a paid reward into question.
 */
export function pairsOf(reports: readonly Report[], settled: (pair: Pair) => boolean): Pair[] {
  const sorted = reports.toSorted(chronologically)
  const stays = (pair: Pair): boolean => settled(pair) && isStanding(pair)
  const [cards, sales] = bySource(sorted)
  const pairs = sales.flatMap((affiliate) => cards.map((card) => ({ card, affiliate })).filter(stays))
  const paired = new Set(pairs.flatMap(({ card, affiliate }) => [card, affiliate]))
  const stages = [(pair: Pair) => areAlive(pair) && isSameOrder(pair), areAlive, () => true]
  for (const part of partsOf(sorted.filter((report) => !paired.has(report)))) {
    const possible = possiblePairs(part)
    for (const isMeant of stages) {
      const open = possible.filter((pair) => !paired.has(pair.card) && !paired.has(pair.affiliate) && isMeant(pair))
      for (const { card, affiliate } of pairUp(open)) {
        paired.add(card).add(affiliate)
        pairs.push({ card, affiliate })
      }
    }
  }
  return pairs
}

/** Whether a stored pair can still be one purchase of which either report earns something. */
export function isStanding(pair: Pair): boolean {
  return areAlive(pair) && matcherOf(pair.affiliate)(pair.card)
}

/** The reports that compete for partners. More than PART_MAX of these are cut in the order of time. */
function partsOf(sorted: readonly Report[]): (readonly Report[])[] {
  const linked = new Map(sorted.map((report) => [report, report]))
  const firstOf = (report: Report): Report => {
    let first = report
    for (let next = linked.get(first) ?? first; next !== first; next = linked.get(first) ?? first) {
      linked.set(first, linked.get(next) ?? next)
      first = next
    }
    return first
  }
  const [cards, sales] = bySource(sorted)
  for (const affiliate of sales) {
    const [matches, first] = [matcherOf(affiliate), firstOf(affiliate)]
    for (const card of cards) if (firstOf(card) !== first && matches(card)) linked.set(firstOf(card), first)
  }
  return [...Map.groupBy(sorted, firstOf).values()].flatMap((part) =>
    Array.from({ length: Math.ceil(part.length / PART_MAX) }, (_, nth) =>
      part.slice(nth * PART_MAX, (nth + 1) * PART_MAX),
    ),
  )
}

function possiblePairs(part: readonly Report[]): (Pair & Edge<Report>)[] {
  const [cards, sales] = bySource(part)
  return sales.flatMap((affiliate) =>
    cards
      .filter(matcherOf(affiliate))
      .map((card) => ({ card, affiliate, left: card, right: affiliate, cost: costOfPair({ card, affiliate }) })),
  )
}

function bySource(reports: readonly Report[]): [cards: Report[], sales: Report[]] {
  return [reports.filter(({ source }) => source === 'CARD'), reports.filter(({ source }) => source === 'AFFILIATE')]
}

/**
 * The report that is rewarded as long as it earns anything: a matured one, otherwise the one that the policy names.
 * Both have matured only if they turned out to be one purchase too late.
 */
export function preferredOf({ card, affiliate }: Pair, policy: ReportSource): Report {
  if (card.hasMatured !== affiliate.hasMatured) return card.hasMatured ? card : affiliate
  return policy === 'CARD' ? card : affiliate
}

/** When the purchase was made. */
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

/** Order numbers are written with or without punctuation; punctuation alone is no number. */
function plainNumber(orderId: string | null): string {
  return orderId === null ? '' : orderId.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isInTime({ card, affiliate }: Pair): boolean {
  const lasts = ({ dateOnly }: Report): number => (dateOnly ? DAY_MS : 0)
  const [cardFrom, saleFrom] = [card.at.getTime(), affiliate.at.getTime()]
  return (
    cardFrom + lasts(card) >= saleFrom - CARD_BEFORE_SALE_MS &&
    cardFrom <= saleFrom + lasts(affiliate) + CARD_AFTER_SALE_MS
  )
}

/** The least difference of the amounts in thousandths of the sale; null: too different. */
function misfitOf({ card, affiliate }: Pair): number | null {
  const misfits = affiliate.totals.flatMap((sale) =>
    card.totals
      .filter((paid) => paid * 100n >= sale * CARD_LEAST_PERCENT && paid * 100n <= sale * CARD_MOST_PERCENT)
      .map((paid) => Number(((paid > sale ? paid - sale : sale - paid) * 1_000n) / sale)),
  )
  return misfits.reduce<number | null>((least, one) => (least === null || one < least ? one : least), null)
}

// More than that of any fitting amount, for pairs by order number with other amounts.
const MISFIT_MAX = 999
// More than the squared minutes of SAME_ORDER_MS, so that times count only between equal amounts.
const THOUSANDTH = 10_000_000_000

/** The time is squared, so that of two equal purchases in a row the first is paired with the first. */
function costOfPair(pair: Pair): number {
  const apartMinutes = Math.round(Math.abs(pair.card.at.getTime() - pair.affiliate.at.getTime()) / 60_000)
  return (misfitOf(pair) ?? MISFIT_MAX) * THOUSANDTH + apartMinutes ** 2
}

function chronologically(a: Report, b: Report): number {
  return a.at.getTime() - b.at.getTime() || (a.rootId < b.rootId ? -1 : 1)
}
