import { addDays, DAY_MS, type Day } from '../../../../platform/calendar.ts'
import type { CardId } from '../../../../sources/cards/index.ts'
import type { FeedRow } from '../rows.ts'
import { isOtherMerchant, isSameMerchant } from './merchant-keys.ts'
import type { ParsedRow } from './parse-row.ts'
import { isWithinTolerance } from './tolerance.ts'

/** A row that does not reference the earlier row it may continue. */
export type Arrival = {
  readonly row: ParsedRow
  readonly cardId: CardId
  /**
   * The last replacement of this row, or of the hold it references. This row continues that replacement if the bank no
   * longer shows it.
   */
  readonly formerId: string | null
}

/**
 * The state at the bank of a stored row that an arrival may continue:
 *
 * - gone: it vanished in this update
 * - waiting: it vanished in an earlier update, and no row has replaced it
 * - elsewhere: it has ids that the login no longer uses
 * - live: the bank still shows it, so only the posting of a hold under the same name can continue it
 * - removed: its event was reversed
 */
export type Vacancy = 'gone' | 'waiting' | 'elsewhere' | 'live' | 'removed'
export type RowCandidate = { readonly row: FeedRow; readonly vacancy: Vacancy }

// Banks post a hold within two weeks.
const POSTS_WITHIN_DAYS = 14
const RANK: Readonly<Record<Vacancy, number>> = { gone: 0, waiting: 1, elsewhere: 2, live: 3, removed: 4 }

type Fit = { readonly arrival: Arrival; readonly candidate: RowCandidate; readonly order: readonly (number | string)[] }

/**
 * Pairs arrivals with the stored rows they continue, as a map of row ids. Each row has at most one partner. The best
 * fits are paired first: the same row under another id, then a row that returns after its replacement vanished, then a
 * vanished posting whose amount was corrected, then the posting of a hold. Ties go to rows that vanished in this update,
 * then to the closest amount, the vacancy (see RANK), the closest day and the older row. Which hold is chosen matters
 * little, because the posted amount counts and a leftover hold lapses. A leftover posting, by contrast, would count for
 * three more days. A posting under a different name than its hold comes last, and only if the hold is no longer shown
 * and the two have no other candidates.
 */
export function pairRows(arrivals: readonly Arrival[], candidates: readonly RowCandidate[]): Map<string, string> {
  const byId = new Map(candidates.map((candidate) => [candidate.row.rowId, candidate]))
  const byMerchant = new Map<string, Set<RowCandidate>>()
  for (const candidate of candidates)
    for (const key of candidate.row.merchantKeys) byMerchant.set(key, (byMerchant.get(key) ?? new Set()).add(candidate))
  const alone = aloneTogether(arrivals, candidates)
  const fits = arrivals.flatMap((arrival) => {
    const near = new Set(arrival.row.merchantKeys.flatMap((key) => [...(byMerchant.get(key) ?? [])]))
    const former = byId.get(arrival.formerId ?? '')
    if (former !== undefined) near.add(former)
    const only = alone.get(arrival)
    if (only !== undefined) near.add(only)
    return [...near].flatMap((candidate) => rateFit(arrival, candidate, candidate === only) ?? [])
  })
  const pairs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { arrival, candidate } of fits.toSorted(byOrder)) {
    if (pairs.has(arrival.row.rowId) || taken.has(candidate.row.rowId)) continue
    pairs.set(arrival.row.rowId, candidate.row.rowId)
    taken.add(candidate.row.rowId)
  }
  return pairs
}

/**
 * Pairs each posting with the only vanished hold on its card for the same day and amount, provided it is also that
 * hold's only posting. Some banks name the merchant differently in the two rows. Skips pairs known to be from different
 * merchants. Holds that the bank still shows are excluded, because their own posting is yet to come and would then
 * count as a second purchase.
 */
function aloneTogether(arrivals: readonly Arrival[], candidates: readonly RowCandidate[]): Map<Arrival, RowCandidate> {
  const toPlace = (
    cardId: CardId | null,
    { currency, amount, boughtOn }: Pick<FeedRow, 'currency' | 'amount' | 'boughtOn'>,
  ) => `${cardId} ${currency} ${amount} ${boughtOn}`
  const isVanishedHold = ({ row, vacancy }: RowCandidate) =>
    row.handedAs === 'AUTHORIZATION' && vacancy !== 'live' && vacancy !== 'removed'
  const holds = Map.groupBy(candidates.filter(isVanishedHold), ({ row }) => toPlace(row.cardId, row))
  const postings = arrivals.filter(({ row }) => row.kind === 'CLEARING')
  const alone = new Map<Arrival, RowCandidate>()
  for (const [place, arrived] of Map.groupBy(postings, ({ cardId, row }) => toPlace(cardId, row))) {
    const [[hold, ...otherHolds], [posting, ...otherPostings]] = [holds.get(place) ?? [], arrived]
    if (hold === undefined || posting === undefined || otherHolds.length + otherPostings.length > 0) continue
    if (!isOtherMerchant(hold.row.merchantKeys, posting.row.merchantKeys)) alone.set(posting, hold)
  }
  return alone
}

/** @param isAlone true if the two are the only candidates on their card, day and amount */
function rateFit(arrival: Arrival, candidate: RowCandidate, isAlone: boolean): Fit | null {
  const parsed = arrival.row
  const { row, vacancy } = candidate
  if (row.rowId === arrival.row.rowId || row.cardId !== arrival.cardId || row.currency !== parsed.currency) return null
  const isSame = isSameMerchant(row.merchantKeys, parsed.merchantKeys)
  const isGone = vacancy !== 'live' && vacancy !== 'elsewhere'
  const repeats = isSame && vacancy !== 'live' && isRepeat(row, parsed, vacancy)
  const returns = isGone && row.rowId === arrival.formerId && row.handedAs === parsed.kind
  const corrects = isGone && isSame && isCorrection(parsed, row)
  const posts = (isSame || isAlone) && isPosting(parsed, row)
  if (!repeats && !returns && !corrects && !posts) return null
  const order = [
    repeats ? 0 : returns ? 1 : corrects ? 2 : isSame ? 3 : 4,
    vacancy === 'gone' ? 0 : 1,
    Number(distance(row.amount, parsed.amount)),
    RANK[vacancy],
    // The posting day does not indicate the day of the hold.
    parsed.authorizedDate === null ? 0 : Math.abs(daysBetween(row.boughtOn, parsed.boughtOn)),
    row.boughtOn,
    row.occurredAt.toISOString(),
    row.rowId,
    arrival.row.rowId,
  ]
  return { arrival, candidate, order }
}

/** Returns true if this is the same row under another id: equal in everything a bank does not change. */
function isRepeat(row: FeedRow, parsed: ParsedRow, vacancy: Vacancy): boolean {
  return (
    row.handedAs === parsed.kind &&
    !(vacancy === 'removed' && row.handedAs === 'AUTHORIZATION') &&
    row.amount === parsed.amount &&
    row.boughtOn === parsed.boughtOn
  )
}

/**
 * Returns true if a posting corrects the amount of a vanished one from the same day. It then continues that purchase,
 * including its refunds.
 */
function isCorrection(row: ParsedRow, former: FeedRow): boolean {
  return (
    former.handedAs === 'CLEARING' &&
    row.kind === 'CLEARING' &&
    former.boughtOn === row.boughtOn &&
    isWithinTolerance(row.category, row.facts.mcc ?? null, former.amount, row.amount, row.currency)
  )
}

function isPosting(row: ParsedRow, hold: FeedRow): boolean {
  if (hold.handedAs !== 'AUTHORIZATION' || row.kind !== 'CLEARING') return false
  const isInTime = hold.boughtOn <= row.postedOn && hold.boughtOn >= addDays(row.postedOn, -POSTS_WITHIN_DAYS)
  // The authorization date is the hold's date, give or take a day for time zones.
  const isOfThatDay = row.authorizedDate === null || Math.abs(daysBetween(hold.boughtOn, row.boughtOn)) <= 1
  return (
    isInTime &&
    isOfThatDay &&
    isWithinTolerance(row.category, row.facts.mcc ?? null, hold.amount, row.amount, row.currency)
  )
}

function byOrder(a: Fit, b: Fit): number {
  for (const [index, value] of a.order.entries()) {
    const other = b.order[index] ?? value
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

function daysBetween(a: Day, b: Day): number {
  return Math.round((Date.parse(a) - Date.parse(b)) / DAY_MS)
}
