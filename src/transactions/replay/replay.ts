import { type Allowances, type Claimant, openAllowances } from '../../allowances/index.ts'
import {
  type Amounts,
  type Circumstances,
  type Terms,
  targetOf,
  termsAsKnown,
  termsAskForHistory,
} from '../../offers/index.ts'
import { dayOf } from '../../platform/calendar.ts'
import type { TransactionId } from '../../platform/ids.ts'
import { owedFor, type Ruling } from '../../rewards/index.ts'
import type { Folded } from '../fold/fold.ts'
import type { PairRow } from '../same-purchase/pair-queries.ts'
import { type DecidedPair, inTurn, pairRowsOf } from '../same-purchase/policy.ts'
import type { Judgement } from '../trace/trace.ts'
import { cardAt, latestTimeOf, purchaseOf } from './circumstances.ts'
import { decide } from './decide.ts'
import { inOrder, orderOf } from './history.ts'
import { type LoadedPurchase, mergedAway, type Restored } from './load.ts'
import { promisedOffer, type Scene } from './scene.ts'

export type Outcome = {
  readonly purchase: LoadedPurchase
  readonly state: Folded
  readonly ruling: Ruling
  /** What is owed for the purchase, adjustments included, in minor units of its currency. */
  readonly owed: ReturnType<typeof owedFor>
  /** Null: not judged, because the terms are fixed or there is no purchase. */
  readonly judgement: Judgement | null
}
export type Replayed = {
  readonly outcomes: readonly Outcome[]
  readonly pairs: readonly PairRow[]
  readonly allowances: Pick<Allowances, 'changes' | 'takes'>
}

/**
 * Decides purchases one after the other, in the order in which they were made: an allowance that one takes is taken for the
 * next. Everything that is not fixed is decided from the beginning, so the result does not depend on the order of arrival.
 */
export function replay(scene: Scene): Replayed {
  const allowances = openAllowances(scene.allowances)
  const ordered = scene.purchases.toSorted((a, b) => inOrder(orderOf(a), orderOf(b)))
  const pairs = openPairs(scene.pairs)
  const outcomes: Outcome[] = []
  for (const [userId, own] of Map.groupBy(ordered, ({ group }) => group.root.userId)) {
    // A matured purchase keeps the holds of what it still earns until its own turn, so that no other can take them.
    for (const one of own) allowances.release(one.group.root, hasMatured(one) ? stillEarnedBy(one) : undefined)
    for (const purchase of inTurn(own, scene.pairs)) {
      allowances.release(purchase.group.root)
      const outcome = outcomeOf(scene, purchase, allowances, pairs.isPaidElsewhere(purchase.group.root.transactionId))
      pairs.decided(purchase.group.root.transactionId, outcome.owed.amounts)
      outcomes.push(outcome)
    }
    allowances.endTurn(userId)
  }
  return { outcomes, pairs: pairRowsOf(scene.pairs, pairs.losers), allowances }
}

function hasMatured({ isFixed, group: { root } }: LoadedPurchase): boolean {
  return isFixed && root.status === 'EARNED'
}

/** What its terms give today, before any limit. */
function stillEarnedBy({ group: { root }, folded }: LoadedPurchase) {
  const { amounts } = owedFor(folded ?? mergedAway(root), { terms: root.terms, reason: null })
  return { offerUid: root.terms?.offerUid, amounts }
}

/** Tracks which report of each pair is paid: the preferred one, which is decided first, if it earns anything. */
function openPairs(pairs: readonly DecidedPair[]) {
  const others = new Map(
    pairs
      .filter(({ policy }) => policy !== 'BOTH')
      .flatMap(({ card, affiliate }) => [
        [card.transactionId, affiliate.transactionId] as const,
        [affiliate.transactionId, card.transactionId] as const,
      ]),
  )
  const earning = new Set<TransactionId>()
  const losers = new Set<TransactionId>()
  return {
    losers,
    isPaidElsewhere: (id: TransactionId): boolean => {
      const other = others.get(id)
      if (other === undefined || !earning.has(other)) return false
      losers.add(id)
      return true
    },
    decided: (id: TransactionId, { gross }: Amounts): void => {
      if (gross > 0n) earning.add(id)
    },
  }
}

function outcomeOf(scene: Scene, purchase: LoadedPurchase, allowances: Allowances, isPaidElsewhere: boolean): Outcome {
  const { root } = purchase.group
  const state = purchase.folded ?? mergedAway(root)
  if (!state.isPurchase) {
    const ruling: Ruling = { terms: root.terms, reason: null }
    return { purchase, state, ruling, owed: owedFor(state, ruling), judgement: null }
  }
  const claimant = claimantOf(scene, purchase, state)
  const restored = scene.restoredOf(purchase)
  const judged =
    restored !== null
      ? { ruling: restoredRuling(scene, purchase, state, claimant, allowances, restored), judgement: null }
      : purchase.isFixed
        ? { ruling: fixedRuling(scene, purchase, state, claimant, allowances), judgement: null }
        : judge(scene, purchase, state, claimant, allowances)
  const ruling: Ruling = state.isHistory
    ? { terms: null, reason: 'before_card_linked' }
    : isPaidElsewhere && (restored === null || judged.ruling.reason === null)
      ? { terms: judged.ruling.terms, reason: 'stacked' }
      : withinAllowances(judged.ruling, state, claimant, allowances, restored)
  const owed = owedFor(state, ruling)
  const { terms, bound = null } = ruling
  if (terms !== null) allowances.take(claimant, { terms, amounts: owed.amounts, bound })
  return { purchase, state, ruling, owed, judgement: judged.judgement }
}

function withinAllowances(
  ruling: Ruling,
  state: Folded,
  claimant: Claimant,
  allowances: Allowances,
  restored: Restored | null,
): Ruling {
  const { terms } = ruling
  if (terms === null) return ruling
  const most = restored === null ? null : (restored.bound ?? { gross: restored.gross, reason: null })
  const target = targetOf(terms, state).amounts.gross
  const bound = allowances.boundFor(claimant, terms, target, most)
  return bound === null ? ruling : { ...ruling, bound }
}

/** Judges a purchase by the offers of its catalog version. Frozen terms of the chosen offer stay. */
function judge(scene: Scene, purchase: LoadedPurchase, state: Folded, claimant: Claimant, allowances: Allowances) {
  const { publisher, assortment, history } = scene
  const { group, match, redecided } = purchase
  const { root } = group
  const { terms: frozen } = root
  const promisedUid = redecided === 'rematch' ? null : promisedOffer(root, state.facts)
  const decision = decide({
    purchase: purchaseOf(publisher, root.source, state),
    match,
    offers: scene.offersFor(purchase).filter((offer) => offer.offerUid === promisedUid || assortment.carries(offer)),
    splitOf: (offer) => (isOf(frozen, offer) ? frozen : assortment.splitOf(offer)),
    circumstancesOf: (offer): Circumstances => ({
      standing: scene.statuses.at(root.userId, claimant.latest),
      card: cardAt(publisher, root.source, scene.cards.get(root.userId) ?? [], state.facts.accountId, claimant.latest),
      previousPurchaseAt: history.previousPurchaseAt(purchase, offer.brandUid),
      used: allowances.isUsed(claimant, offer.offerUid),
      limits: allowances.factsFor(claimant, offer),
    }),
  })
  const { terms } = decision.ruling
  if (terms === null || !isOf(frozen, { offerUid: terms.offerUid, version: terms.offerVersion })) return decision
  const { customer } = terms
  return { ...decision, ruling: { terms: customer === undefined ? frozen : { ...frozen, customer }, reason: null } }
}

/** Whether these terms were frozen from this version of the offer. */
function isOf(
  terms: Terms | null,
  { offerUid, version }: { readonly offerUid: string; readonly version: number | undefined },
): terms is Terms {
  return terms !== null && terms.offerUid === offerUid && terms.offerVersion === version
}

/** Keeps the terms. The kind of customer that they ask for is checked until the reward has matured. */
function fixedRuling(
  { history }: Scene,
  purchase: LoadedPurchase,
  state: Folded,
  claimant: Claimant,
  allowances: Allowances,
): Ruling {
  const { root } = purchase.group
  const { terms } = root
  if (terms === null) return { terms, reason: root.statusReason }
  const isTaken = terms.oneTimeUse && allowances.isUsed(claimant, terms.offerUid)
  if (isTaken) return { terms, reason: 'offer_already_used' }
  if (root.status === 'EARNED' || !termsAskForHistory(terms)) return { terms, reason: null }
  const previous = history.previousPurchaseAt(purchase, terms.brandUid)
  return termsAsKnown(terms, state.authorizedAt, previous)
}

/** The ruling of an undo: what earned nothing before earns nothing now. */
function restoredRuling(
  scene: Scene,
  purchase: LoadedPurchase,
  state: Folded,
  claimant: Claimant,
  allowances: Allowances,
  { terms, reason, gross }: Restored,
): Ruling {
  if (terms === null || (gross === 0n && state.emptyReason === null && reason !== 'stacked')) return { terms, reason }
  return fixedRuling(scene, purchase, state, claimant, allowances)
}

function claimantOf({ publisher }: Scene, { group }: LoadedPurchase, state: Folded): Claimant {
  const { root, former = root, adjustments } = group
  const { userId, transactionId } = root
  const gross = [former, ...adjustments].reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  return {
    ...{ userId, transactionId },
    at: state.authorizedAt,
    day: dayOf(state.authorizedAt, publisher.timeZone),
    latest: latestTimeOf(publisher, state, root.createdAt),
    voucherCode: state.facts.voucherCode ?? null,
    voucherCodeId: state.facts.voucherCodeId ?? null,
    posted: former.offerUid === null ? null : { offerUid: former.offerUid, gross },
  }
}
