import { type Allowances, type Claimant, openAllowances } from '../../../catalog/allowances/index.ts'
import {
  type Circumstances,
  computeTarget,
  needsHistory,
  reevaluateTerms,
  type Terms,
} from '../../../catalog/offers/index.ts'
import { toDay } from '../../../platform/calendar.ts'
import type { TransactionId } from '../../../platform/ids.ts'
import { isEmptyReason } from '../fold/fold.ts'
import { compareChronologically, toReplayOrder } from '../load/history.ts'
import type { LoadedPurchase, Restored } from '../load/load.ts'
import { computeOwed, type Ruling } from '../rewards/settle.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import type { PairRows } from '../same-purchase/pair-queries.ts'
import { mapRivals, sortPreferredFirst, toPairRows } from '../same-purchase/policy.ts'
import type { Judgement } from '../trace/trace.ts'
import { computeLatestTime, findCardState, toPurchase } from './circumstances.ts'
import { decide } from './decide.ts'
import { findPromisedOffer, type ReplayInput } from './replay-input.ts'

export type DecidedPurchase = {
  readonly purchase: LoadedPurchase
  readonly ruling: Ruling
  /** The amount owed for the purchase, including adjustments, in minor units of its currency. */
  readonly owed: ReturnType<typeof computeOwed>
  /** Null if the purchase is not judged, because its terms are fixed or there is no purchase. */
  readonly judgement: Judgement | null
}
export type ReplayResult = {
  readonly outcomes: readonly DecidedPurchase[]
  readonly pairs: PairRows
  readonly allowances: Pick<Allowances, 'changes' | 'takes'>
}

// No earlier purchase of a user loses anything from one pass to the next, so the passes terminate, nearly always after
// the second. The limit is only a safeguard.
const PASSES_MAX = 100

/**
 * Decides purchases one by one in the order they were made, so that an allowance taken by one purchase is not available
 * to the next. Everything that is not fixed is decided from scratch, so the result does not depend on arrival order.
 *
 * Until a matured purchase is decided, it keeps what it holds, so that no other purchase can take it. If a re-match
 * then takes some of it away, all purchases are decided again with that part available, until no reward changes. A
 * second re-match then changes no reward.
 *
 * Yields after each purchase so that the caller can pause, because a user may have thousands of purchases.
 */
export function* replay(input: ReplayInput): Generator<undefined, ReplayResult> {
  let result = yield* replayInOrder(input, [])
  if (!input.purchases.some(({ redecided }) => redecided === 'rematch')) return result
  for (let passes = 1; passes < PASSES_MAX; passes++) {
    const before = result.outcomes
    result = yield* replayInOrder(input, before)
    if (result.outcomes.every((one, index) => isSameReward(one, before[index]))) break
  }
  return result
}

function isSameReward(a: DecidedPurchase, b: DecidedPurchase | undefined): boolean {
  return a.owed.amounts.gross === b?.owed.amounts.gross && a.ruling.terms?.offerUid === b.ruling.terms?.offerUid
}

/** @param before the outcomes of the previous pass; empty for the first */
function* replayInOrder(input: ReplayInput, before: readonly DecidedPurchase[]): Generator<undefined, ReplayResult> {
  const allowances = openAllowances(input.allowances)
  const ordered = input.purchases.toSorted((a, b) => compareChronologically(toReplayOrder(a), toReplayOrder(b)))
  const outcomesBefore = new Map(before.map((outcome) => [outcome.purchase, outcome]))
  const rivals = mapRivals(input.same)
  const paid = new Set<TransactionId>()
  const refused = new Set<TransactionId>()
  const stacked = new Set<TransactionId>()
  const outcomes: DecidedPurchase[] = []
  const release = (one: LoadedPurchase) => {
    const { root } = one.group
    allowances.release(root, root.status === 'EARNED' ? keptUntilTurn(one, outcomesBefore.get(one)) : undefined)
  }
  // An undo may take a reward from one user to restore another user's.
  const undone = ordered.filter(({ redecided }) => typeof redecided === 'object')
  for (const one of undone) release(one)
  for (const { group } of undone) allowances.endTurn(group.root.userId)
  for (const [userId, own] of Map.groupBy(ordered, ({ group }) => group.root.userId)) {
    for (const one of own) release(one)
    for (const purchase of sortPreferredFirst(own, input.same)) {
      const { transactionId } = purchase.group.root
      allowances.release(purchase.group.root)
      const others = rivals.get(transactionId) ?? []
      const isStacked = others.some((one) => paid.has(one) || (isOfFeed(purchase) && refused.has(one)))
      const outcome = decideOutcome(input, purchase, allowances, isStacked)
      if (isStacked) stacked.add(transactionId)
      if (outcome.owed.amounts.gross > 0n) paid.add(transactionId)
      if (isRefused(outcome)) refused.add(transactionId)
      outcomes.push(outcome)
      yield
    }
    allowances.endTurn(userId)
  }
  return { outcomes, pairs: toPairRows(input.same, stacked), allowances }
}

function isOfFeed({ group, isByPublisher }: LoadedPurchase): boolean {
  return group.root.source === 'CARD' && !isByPublisher
}

// Reasons for refusal that depend on what was bought, where, or for how much.
const REFUSED_AS_BOUGHT: ReadonlySet<StatusReason | null> = new Set<StatusReason>([
  ...(['below_min_spend', 'channel_not_eligible', 'store_not_participating', 'no_commission_group'] as const),
])

/**
 * True if the publisher's own report is refused. The publisher knows more than a feed row shows, so in that case the
 * feed's report of the purchase is not paid either.
 */
function isRefused({ purchase: { group, isByPublisher }, owed }: DecidedPurchase): boolean {
  return group.root.source === 'CARD' && isByPublisher && REFUSED_AS_BOUGHT.has(owed.reason)
}

/**
 * Returns the reward for which a matured purchase keeps its holds: the most it can still earn, or its reward in the
 * previous pass.
 */
function keptUntilTurn({ group, folded, redecided }: LoadedPurchase, before: DecidedPurchase | undefined) {
  if (before !== undefined) return { offerUid: before.ruling.terms?.offerUid, amounts: before.owed.amounts }
  const { root, former = root } = group
  // A re-match may replace the terms behind a purchase's holds. An undo never restores more than the purchase had.
  const { terms } = redecided === 'rematch' ? former : root
  const bound = typeof redecided === 'object' ? ({ gross: redecided.gross, reason: 'budget_exhausted' } as const) : null
  const { amounts } = computeOwed(folded, { terms, reason: null, bound })
  return { offerUid: terms?.offerUid, amounts }
}

function decideOutcome(
  input: ReplayInput,
  purchase: LoadedPurchase,
  allowances: Allowances,
  isStacked: boolean,
): DecidedPurchase {
  const { folded, isFixed } = purchase
  if (!folded.isPurchase) {
    const ruling: Ruling = { terms: purchase.group.root.terms, reason: null }
    return { purchase, ruling, owed: computeOwed(folded, ruling), judgement: null }
  }
  const turn: Turn = { input, purchase, claimant: toClaimant(input, purchase), allowances }
  const restored = stateToRestore(input, purchase, isStacked)
  const { ruling: judged, judgement } =
    restored !== null
      ? { ruling: restoredRuling(turn, restored), judgement: null }
      : isFixed
        ? { ruling: fixedRuling(turn), judgement: null }
        : judge(turn)
  const ruling: Ruling = folded.isHistory
    ? { terms: null, reason: 'before_card_linked' }
    : isStacked && (restored === null || restored.reason === null)
      ? { terms: judged.terms, reason: 'stacked' }
      : withinAllowances(turn, judged, restored)
  const owed = computeOwed(folded, ruling)
  const { terms, bound = null } = ruling
  if (terms !== null) allowances.take(turn.claimant, { terms, amounts: owed.amounts, bound })
  return { purchase, ruling, owed, judgement }
}

/**
 * Returns the state that an undo restores. Returns null for a purchase that was empty then but no longer is, or that
 * was the unpaid report of a pair that no longer exists. Such a purchase is decided under its former terms, because it
 * may earn something now even though it earned nothing then.
 */
function stateToRestore(input: ReplayInput, purchase: LoadedPurchase, isStacked: boolean): Restored | null {
  const restored = input.findRestored(purchase)
  if (restored === null) return null
  const hasComeBack = isEmptyReason(restored.reason) && purchase.folded.emptyReason === null
  return hasComeBack || (restored.reason === 'stacked' && !isStacked) ? null : restored
}

/** A purchase while it is being decided. */
type Turn = {
  readonly input: ReplayInput
  readonly purchase: LoadedPurchase
  readonly claimant: Claimant
  readonly allowances: Allowances
}

function withinAllowances({ purchase, claimant, allowances }: Turn, ruling: Ruling, restored: Restored | null): Ruling {
  const { terms } = ruling
  if (terms === null) return ruling
  const most = restored === null ? null : (restored.bound ?? { gross: restored.gross, reason: null })
  const target = computeTarget(terms, purchase.folded).amounts.gross
  const bound = allowances.boundFor(claimant, terms, target, most)
  return bound === null ? ruling : { ...ruling, bound }
}

/**
 * Judges a purchase against the offers of its catalog version. Keeps the frozen terms if they come from the chosen
 * offer.
 */
function judge({ input, purchase, claimant, allowances }: Turn) {
  const { publisher, assortment, history } = input
  const { group, folded, match, redecided } = purchase
  const { root } = group
  const { terms: frozen } = root
  const promisedUid = redecided === 'rematch' ? null : findPromisedOffer(root, folded.facts)
  const decision = decide({
    purchase: toPurchase(publisher, root.source, folded),
    match,
    offers: input.offersFor(purchase).filter((offer) => offer.offerUid === promisedUid || assortment.carries(offer)),
    getSplit: (offer) => (isFrozenFrom(frozen, offer) ? frozen : assortment.getSplit(offer)),
    getCircumstances: (offer): Circumstances => ({
      standing: input.statuses.at(root.userId, claimant.latest),
      card: findCardState(
        publisher,
        root.source,
        input.cards.get(root.userId) ?? [],
        folded.facts.accountId,
        claimant.latest,
      ),
      previousPurchaseAt: history.previousPurchaseAt(purchase, offer.brandUid),
      used: allowances.isUsed(claimant, offer.offerUid),
      limits: allowances.factsFor(claimant, offer),
    }),
  })
  const { terms } = decision.ruling
  if (terms === null || !isFrozenFrom(frozen, { offerUid: terms.offerUid, version: terms.offerVersion }))
    return decision
  const { customer } = terms
  return { ...decision, ruling: { terms: customer === undefined ? frozen : { ...frozen, customer }, reason: null } }
}

/** True if these terms were frozen from this version of the offer. */
function isFrozenFrom(
  terms: Terms | null,
  { offerUid, version }: { readonly offerUid: string; readonly version: number | undefined },
): terms is Terms {
  return terms !== null && terms.offerUid === offerUid && terms.offerVersion === version
}

/** Keeps the terms. Until the reward has matured, checks that the customer still qualifies. */
function fixedRuling({ input: { history }, purchase, claimant, allowances }: Turn): Ruling {
  const { root } = purchase.group
  const { terms } = root
  if (terms === null) return { terms, reason: root.statusReason }
  const isTaken = terms.oneTimeUse && allowances.isUsed(claimant, terms.offerUid)
  if (isTaken) return { terms, reason: 'offer_already_used' }
  if (root.status === 'EARNED' || !needsHistory(terms)) return { terms, reason: null }
  return reevaluateTerms(terms, claimant.at, history.previousPurchaseAt(purchase, terms.brandUid))
}

/** Returns the ruling of an undo. A purchase that earned nothing before earns nothing once restored. */
function restoredRuling(turn: Turn, { terms, reason, gross }: Restored): Ruling {
  const isEmpty = gross === 0n && turn.purchase.folded.emptyReason === null
  return terms === null || isEmpty ? { terms, reason: reason ?? 'adjusted' } : fixedRuling(turn)
}

function toClaimant({ publisher }: ReplayInput, { group, folded }: LoadedPurchase): Claimant {
  const { root, former = root, adjustments } = group
  const { userId, transactionId } = root
  const gross = [former, ...adjustments].reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  return {
    userId,
    transactionId,
    at: folded.authorizedAt,
    day: toDay(folded.authorizedAt, publisher.timeZone),
    latest: computeLatestTime(publisher, folded, root.createdAt),
    voucherCode: folded.facts.voucherCode ?? null,
    voucherCodeId: folded.facts.voucherCodeId ?? null,
    posted: former.offerUid === null ? null : { offerUid: former.offerUid, gross },
  }
}
