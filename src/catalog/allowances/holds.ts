import type { Day } from '../../platform/calendar.ts'
import { toSeconds } from '../../platform/clock.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { Offer, UserLimit } from '../catalog/index.ts'
import {
  type Amounts,
  type Bound,
  type CodeState,
  capGross,
  computeRewardLeft,
  isLimited,
  type LimitFacts,
  noLimitFacts,
  parseUserLimits,
  type Terms,
} from '../offers/index.ts'
import type { Activation } from './activation-queries.ts'
import {
  type BudgetState,
  type Holder,
  nameBudget,
  type OfferBudget,
  openSpending,
  type Spending,
  type Take,
  toBudgets,
} from './budgets.ts'
import type { Code } from './code-queries.ts'
import { type Hold, type HoldIndex, indexHolds, isHeldBy } from './hold-index.ts'
import { LIFETIME_START } from './periods.ts'

/** A purchase being decided. */
export type Claimant = Holder & {
  /** When the purchase was made, and that day in the publisher's time zone. */
  readonly at: Date
  readonly day: Day
  /** The latest possible time of the purchase, in case only its day is known. */
  readonly latest: Date
  readonly voucherCode: string | null
  readonly voucherCodeId: string | null
  /** The commission posted before this decision, in minor units, and the offer it was posted for. */
  readonly posted: { readonly offerUid: string; readonly gross: bigint } | null
}

export type AllowanceState = {
  readonly publisher: Pick<Publisher, 'environment' | 'timeZone'>
  readonly holds: readonly Hold[]
  readonly budgets: readonly BudgetState[]
  readonly codes: readonly Code[]
  readonly activations: readonly Activation[]
  /** The current offers, which define the budgets. */
  readonly offers: { get(offerUid: string): Offer | undefined }
}

/** Tracks allowances while purchases are decided one by one. */
export type Allowances = {
  /** Gives back everything a purchase holds, or only what exceeds the reward it keeps. */
  release(holder: Holder, kept?: Kept): void
  isUsed(claimant: Claimant, offerUid: string): boolean
  factsFor(claimant: Claimant, offer: Offer): LimitFacts
  /**
   * Returns the bound that keeps the reward below what its terms provide; null if there is none.
   * @param target the commission under the terms, in minor units
   * @param most the cap set by an undo
   */
  boundFor(claimant: Claimant, terms: Terms, target: bigint, most: Most | null): Bound | null
  take(claimant: Claimant, earned: Earned): void
  /**
   * Releases the budget amounts that the user gave back and did not take again. Call it once all of the user's
   * purchases are decided.
   */
  endTurn(userId: UserId): void
  /** Returns the changes relative to the stored holds. */
  changes(): { readonly freed: readonly Hold[]; readonly taken: readonly Hold[] }
  takes(): Take[]
}
/** The maximum commission of a restored purchase, in minor units, and the reason for its former bound, if any. */
type Most = { readonly gross: bigint; readonly reason: Bound['reason'] | null }
/** The reward that a purchase keeps. */
type Kept = { readonly offerUid: string | undefined; readonly amounts: Amounts }
type Earned = { readonly terms: Terms; readonly amounts: Amounts; readonly bound: Bound | null }

export function openAllowances(state: AllowanceState): Allowances {
  const working: Working = {
    ...state,
    before: state.holds,
    held: indexHolds(state.holds),
    spending: openSpending(state.budgets),
    codes: new Map(state.codes.map((code) => [code.codeId, code])),
  }
  const { held, spending } = working
  return {
    release: (holder, kept) => {
      for (const hold of held.removeHolds(holder)) {
        const most = kept?.offerUid === hold.offerUid ? pickAmount(hold, kept.amounts) : 0n
        const amount = most < hold.amount ? most : hold.amount
        if (amount > 0n) held.add({ ...hold, amount })
        if (hold.kind === 'budget')
          spending.take(hold.userId, toBudget(state.publisher, hold, state.budgets), amount - hold.amount)
      }
    },
    isUsed: ({ userId }, offerUid) => held.findUse(userId, offerUid) !== undefined,
    factsFor: (claimant, offer) => factsFor(working, claimant, offer),
    boundFor: (claimant, terms, target, most) => boundFor(working, claimant, terms, target, most),
    take: (claimant, earned) => take(working, claimant, earned),
    endTurn: spending.endTurn,
    changes: () => held.changes(state.holds),
    takes: spending.takes,
  }
}

/** Returns how much a hold of this kind takes for a reward, in the unit of its amount. */
function pickAmount({ kind }: Hold, { gross, user, discount }: Amounts): bigint {
  if (kind === 'budget') return gross
  if (kind === 'user_limit') return user + discount
  return gross > 0n ? 1n : 0n
}

type Working = Omit<AllowanceState, 'codes'> & {
  readonly before: readonly Hold[]
  readonly held: HoldIndex
  readonly spending: Spending
  readonly codes: ReadonlyMap<string, Code>
}

function factsFor(working: Working, claimant: Claimant, offer: Offer): LimitFacts {
  if (!isLimited(offer)) return noLimitFacts
  const { offerUid, conditions } = offer
  const left = budgetLeft(working, claimant, offerUid)
  const { posted } = claimant
  // A reward that the budget already covers is never rejected, because its bound keeps it within the budget.
  const isPaid = posted?.offerUid === offerUid && posted.gross > 0n && (left ?? 0n) >= posted.gross
  return {
    isActivated: isActivated(working.activations, claimant, offerUid),
    taken: sumTaken(working, claimant, offerUid, conditions.userLimits),
    budgetLeft: isPaid ? null : left,
    code: deriveCodeState(working, claimant, offerUid),
  }
}

function boundFor(working: Working, claimant: Claimant, terms: Terms, target: bigint, most: Most | null): Bound | null {
  const { offerUid } = terms
  const limits = parseUserLimits(terms)
  const taken = sumTaken(working, claimant, offerUid, limits)
  const left = computeRewardLeft(limits, taken)
  const isFull = limits.some(({ period, uses }) => uses !== null && (taken.get(period)?.uses ?? 0) >= uses)
  const budget = budgetLeft(working, claimant, offerUid)
  const isCodeUsed = terms.uniqueCode === true && deriveCodeState(working, claimant, offerUid) === 'used'
  const bounds: (Bound | null)[] = [
    isCodeUsed ? { gross: 0n, reason: 'voucher_code_used' } : null,
    isFull ? { gross: 0n, reason: 'user_limit_reached' } : null,
    left === null ? null : { gross: capGross(terms, target, left), reason: 'user_limit_reached' },
    budget === null ? null : { gross: budget, reason: 'budget_exhausted' },
    most === null ? null : boundedBy(most, { hasLimits: limits.length > 0, hasBudgets: budget !== null }),
  ]
  const lowest = bounds.reduce((a, b) => (a === null || (b !== null && b.gross < a.gross) ? b : a), null)
  return lowest !== null && lowest.gross < target ? lowest : null
}

function take(working: Working, claimant: Claimant, { terms, amounts, bound }: Earned): void {
  const { held, spending } = working
  const { userId, transactionId, voucherCodeId, at, day } = claimant
  if (amounts.gross === 0n) return
  const { offerUid } = terms
  const hold = { userId, transactionId, offerUid, mostGross: null, codeId: null }
  const once = { ...hold, period: 'LIFETIME', startsOn: LIFETIME_START, amount: 1n } as const
  const mostGross = (reason: Bound['reason']) => (bound?.reason === reason ? bound.gross : null)
  if (terms.oneTimeUse) held.add({ ...once, kind: 'use' })
  if (terms.uniqueCode === true && voucherCodeId !== null) held.add({ ...once, kind: 'code', codeId: voucherCodeId })
  const reward = amounts.user + amounts.discount
  if (parseUserLimits(terms).length > 0 && reward > 0n)
    held.add({
      ...hold,
      kind: 'user_limit',
      period: 'DAY',
      startsOn: day,
      amount: reward,
      mostGross: mostGross('user_limit_reached'),
    })
  for (const budget of budgetsFor(working, offerUid, at)) {
    const amount = positive(amounts.gross - unbudgeted(working, claimant, budget))
    if (amount === 0n) continue
    const { period, startsOn } = budget
    held.add({ ...hold, kind: 'budget', period, startsOn, amount, mostGross: mostGross('budget_exhausted') })
    spending.take(userId, budget, amount)
  }
}

function budgetsFor({ publisher, offers }: Working, offerUid: string, at: Date): OfferBudget[] {
  const offer = offers.get(offerUid)
  return offer === undefined ? [] : toBudgets(publisher, offer, at)
}

/** Returns the highest commission that the budgets allow, in minor units; null if the offer has no budget. */
function budgetLeft(working: Working, claimant: Claimant, offerUid: string): bigint | null {
  const { spending } = working
  const left = budgetsFor(working, offerUid, claimant.at).map(
    (budget) =>
      unbudgeted(working, claimant, budget) +
      spending.givenBackBy(claimant.userId, budget) +
      spending.getUnspent(budget),
  )
  return left.length === 0 ? null : left.reduce((a, b) => (a < b ? a : b))
}

/**
 * Returns the part of the posted commission that no hold on this budget covers, because the budget did not exist yet.
 */
function unbudgeted({ before }: Working, { posted, ...holder }: Claimant, { offerUid, period }: OfferBudget): bigint {
  if (posted === null || posted.offerUid !== offerUid) return 0n
  const held = before.find((hold) => isHeldBy(hold, holder) && hold.kind === 'budget' && hold.period === period)
  return positive(posted.gross - (held?.amount ?? 0n))
}

function sumTaken({ held }: Working, { userId, day }: Claimant, offerUid: string, limits: readonly UserLimit[]) {
  return new Map(limits.map(({ period }) => [period, held.takenIn(userId, offerUid, period, day)]))
}

/**
 * Turns an undo's cap into a bound; null if the terms have no limit or budget, because bounds are stored with holds.
 */
function boundedBy(
  { gross, reason }: Most,
  { hasLimits, hasBudgets }: { readonly hasLimits: boolean; readonly hasBudgets: boolean },
): Bound | null {
  if (hasLimits && reason !== 'budget_exhausted') return { gross, reason: 'user_limit_reached' }
  return hasBudgets && reason !== 'user_limit_reached' ? { gross, reason: 'budget_exhausted' } : null
}

/** Returns the tightest bound stored with these holds. */
export function findBound(holds: readonly Hold[]): Bound | null {
  const bounds = holds.flatMap(({ kind, mostGross }): Bound[] =>
    mostGross === null
      ? []
      : [{ gross: mostGross, reason: kind === 'budget' ? 'budget_exhausted' : 'user_limit_reached' }],
  )
  return bounds.reduce<Bound | null>((a, b) => (a === null || b.gross < a.gross ? b : a), null)
}

/** Returns the budget that a hold was taken from. */
function toBudget(
  { environment }: Pick<Publisher, 'environment'>,
  { offerUid, period, startsOn }: Hold,
  states: readonly BudgetState[],
): OfferBudget {
  const key = { offerUid, environment, period, startsOn }
  const state = states.find((one) => nameBudget(one) === nameBudget(key))
  return { ...key, budget: state?.amount ?? 0n, offerVersion: state?.offerVersion ?? 0 }
}

/**
 * True if the user's activation was in effect at the time of the purchase. Compares whole seconds, the precision of
 * reported times.
 */
function isActivated(activations: readonly Activation[], { userId, latest }: Claimant, offerUid: string): boolean {
  const second = toSeconds(latest)
  return activations.some(
    (one) =>
      one.userId === userId &&
      one.offerUid === offerUid &&
      toSeconds(one.from) <= second &&
      (one.until === null || toSeconds(one.until) > second),
  )
}

function deriveCodeState({ codes, held }: Working, claimant: Claimant, offerUid: string): CodeState {
  const { userId, day, voucherCode, voucherCodeId } = claimant
  const code = codes.get(voucherCodeId ?? '')
  if (code === undefined) return voucherCode === null ? 'none' : 'not handed to this user'
  if (code.offerUid !== offerUid || code.userId !== userId) return 'not handed to this user'
  if (held.findCode(code.codeId) !== undefined) return 'used'
  return code.expiresOn !== 'infinity' && code.expiresOn < day ? 'expired' : 'own'
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
