import type { Hold } from '../../src/catalog/allowances/index.ts'
import type { Assortment, CommissionGroup, Offer } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import { freezeTerms, noAmounts, noLimitFacts, splitGross, type Terms } from '../../src/catalog/offers/index.ts'
import { HOUR_MS } from '../../src/platform/calendar.ts'
import type { TransactionId, UserId } from '../../src/platform/ids.ts'
import { runAtOnce } from '../../src/platform/slices.ts'
import type { SourceEvent } from '../../src/purchases/transactions/event.ts'
import { foldEvents } from '../../src/purchases/transactions/fold/fold.ts'
import type { EventKind, PurchaseFacts, StatusReason, Transaction } from '../../src/purchases/transactions/index.ts'
import { openHistory } from '../../src/purchases/transactions/load/history.ts'
import type { LoadedPurchase, Restored } from '../../src/purchases/transactions/load/load.ts'
import { toPurchase } from '../../src/purchases/transactions/replay/circumstances.ts'
import { type DecidedPurchase, replay } from '../../src/purchases/transactions/replay/replay.ts'
import type { ReplayInput } from '../../src/purchases/transactions/replay/replay-input.ts'
import type { DecidedReports } from '../../src/purchases/transactions/same-purchase/policy.ts'
import type { Policy, Report } from '../../src/purchases/transactions/same-purchase/reports.ts'
import type { MoneyLimits, Publisher } from '../../src/tenants/publishers/index.ts'
import { makeGroup, makeOffer } from './catalog.ts'

// Purchases by one user at a brand, without a database. Offers pay 10% by default, with a fee of 10% and a share of
// 20%.

const START_MS = Date.parse('2026-01-10T08:00:00Z')
const publisher = {
  timeZone: 'UTC',
  currency: 'USD',
  environment: 'sandbox',
  ownCardFeed: true,
  limits: new Map([['USD', {} as MoneyLimits]]) as ReadonlyMap<string, MoneyLimits>,
} as Publisher
const SPLIT = { feePpm: 100_000, sharePpm: 200_000 }
export const paying = (ratePpm: number, more: Partial<CommissionGroup> = {}) => makeGroup({ ratePpm, ...more })
export const offer = (more: Partial<Offer> = {}): Offer => makeOffer({ groups: [paying(100_000)], ...more })
export const once = offer({ offerUid: 'once', oneTimeUse: true })
export const second = offer({ offerUid: 'second', groups: [paying(50_000)], ordinal: 1 })

export type Given = {
  readonly id: string
  /** Hours since the first possible purchase. */
  readonly hour?: number
  readonly amount?: bigint
  readonly kind?: EventKind
  readonly source?: SourceEvent['source']
  readonly user?: string
  readonly facts?: PurchaseFacts
  /** Its stored decision: an offer whose terms were frozen, or the terms. */
  readonly has?: Offer | Terms
  readonly status?: Transaction['status']
  readonly statusReason?: StatusReason
  readonly isFixed?: boolean
  readonly redecided?: LoadedPurchase['redecided']
  readonly isGone?: boolean
  /** Its stored commission in minor units. Defaults to 10% of the amount, or 0 if the purchase is canceled. */
  readonly gross?: bigint
}

export function loaded(given: Given): LoadedPurchase {
  const { id, hour = 1, amount = 10_000n, kind = 'CLEARING', source = 'CARD', user = 'user', facts = {} } = given
  const [userId, transactionId] = [user as UserId, id as TransactionId]
  const occurredAt = new Date(START_MS + hour * HOUR_MS)
  const event: SourceEvent = {
    userId,
    source,
    kind,
    amount,
    currency: 'USD',
    occurredAt,
    dateOnly: false,
    externalId: id,
    originalExternalId: null,
    eventId: id,
    receivedAt: occurredAt,
    inputHash: Buffer.alloc(0),
    facts: { brandUid: 'brand', ...facts },
  }
  const folded = foldEvents([event], 'UTC', new Date(START_MS + 48 * HOUR_MS))
  const { has, status = 'CANCELLED', statusReason = null, isFixed = false, redecided, isGone = false } = given
  const terms = has === undefined ? null : 'groups' in has && 'offerVersion' in has ? has : frozen(has as Offer, folded)
  const gross = given.gross ?? (status === 'CANCELLED' ? 0n : amount / 10n)
  const stored = {
    userId,
    transactionId,
    source,
    externalId: id,
    status,
    statusReason,
    terms,
    brandUid: 'brand',
    authorizedAt: occurredAt,
    createdAt: occurredAt,
    offerUid: terms?.offerUid ?? null,
    adjusts: null,
    currency: 'USD',
    amounts: terms === null ? noAmounts : splitGross(terms, gross),
  } as Transaction
  const former = redecided === undefined ? {} : { former: stored }
  const root = redecided === undefined ? stored : { ...stored, terms: redecided === 'rematch' ? null : redecided.terms }
  return {
    group: { root, isNew: has === undefined, adjustments: [], ...former },
    folded: isGone ? { ...folded, emptyReason: 'merged', isPurchase: false, wasMade: false } : folded,
    events: [event],
    isByPublisher: true,
    rootId: id,
    match: {
      brandUid: 'brand',
      proposedUid: null,
      band: 'automatic',
      score: 1,
      method: 'brand_uid',
      reason: null,
      evidence: [],
      runnerUp: null,
    },
    isFixed,
    judgedIn: 1,
    redecided,
  }
}

export function frozen(of: Offer, folded: LoadedPurchase['folded']): Terms {
  const circumstances = {
    standing: 'ACTIVE',
    card: 'linked',
    used: false,
    previousPurchaseAt: null,
    limits: noLimitFacts,
  } as const
  return freezeTerms(of, toPurchase(publisher, 'CARD', folded), circumstances, SPLIT)
}

export type Setting = {
  readonly offers?: readonly Offer[]
  readonly uncarried?: readonly string[]
  readonly holds?: readonly Hold[]
  readonly pair?: { readonly policy: Policy; readonly preferred: 'CARD' | 'AFFILIATE' }
  readonly restored?: Readonly<Record<string, Restored>>
  readonly codes?: ReplayInput['allowances']['codes']
  /** The remaining budget of the offers in minor units of commission. */
  readonly unspent?: bigint
}

export function play(given: readonly Given[], setting: Setting = {}): Map<string, DecidedPurchase> {
  const { outcomes } = replayed(given, setting)
  return new Map(outcomes.map((outcome) => [outcome.purchase.group.root.transactionId, outcome]))
}

export const replayPairs = (given: readonly Given[], setting: Setting) =>
  replayed(given, setting).pairs.crossSource.map(({ stacked }) => stacked)

export const replayed = (given: readonly Given[], setting: Setting) => runAtOnce(replayWith(given, setting))

export function replayWith(given: readonly Given[], setting: Setting) {
  const { offers = [once, second], uncarried = [], holds = [], pair, restored = {}, codes = [], unspent } = setting
  const purchases = given.map(loaded)
  const known = new Map(offers.map((one) => [one.offerUid, one]))
  const assortment = {
    catalog: { offers: known, getOffers: () => offers },
    carries: ({ offerUid }: Offer) => !uncarried.includes(offerUid),
    getSplit: () => SPLIT,
  } as unknown as Assortment
  const makeReport = (source: string) =>
    ({ userId: 'user', transactionId: source.toLowerCase(), source }) as unknown as Report
  const [card, affiliate] = [makeReport('CARD'), makeReport('AFFILIATE')]
  const ranked = pair?.preferred === 'CARD' ? [card, affiliate] : [affiliate, card]
  const same: DecidedReports[] =
    pair === undefined ? [] : [{ cards: [card], sales: [affiliate], policy: pair.policy, ranked }]
  return replay({
    publisher,
    assortment,
    now: new Date(START_MS + 48 * HOUR_MS),
    purchases,
    same,
    formerPairs: { crossSource: [], sameSource: [] },
    refundPairs: { former: [], found: [] },
    history: openHistory(purchases, [], new Map()),
    statuses: { at: () => 'ACTIVE' } as unknown as ReplayInput['statuses'],
    cards: new Map(),
    offersFor: () => offers,
    findRestored: ({ group, redecided }) =>
      typeof redecided === 'object' ? redecided : (restored[group.root.transactionId] ?? null),
    allowances: {
      publisher,
      holds,
      budgets: unspent === undefined ? [] : [budget(unspent)],
      codes,
      activations: [],
      offers: known,
    },
    offered: [],
    budgetKeys: [],
  })
}

export const makeUse = (id: string, offerUid = 'once'): Hold => ({
  userId: 'user' as UserId,
  transactionId: id as TransactionId,
  offerUid,
  kind: 'use',
  period: 'LIFETIME',
  startsOn: '1970-01-01',
  amount: 1n,
  mostGross: null,
  codeId: null,
})

const budget = (unspent: bigint) => ({
  ...({ offerUid: 'budgeted', environment: 'sandbox', period: 'LIFETIME', startsOn: '1970-01-01' } as const),
  amount: 10_000n,
  offerVersion: 1,
  slots: 1,
  unspent,
})
export const budgeted = offer({
  offerUid: 'budgeted',
  conditions: { ...noConditions, budgets: [{ period: 'LIFETIME', amount: 10_000n }] },
})
export const budgetHold = (id: string, amount: bigint, user = 'user'): Hold => ({
  ...makeUse(id, 'budgeted'),
  userId: user as UserId,
  kind: 'budget',
  amount,
})

/** Returns the offer and commission of each purchase, or the reason it earns nothing. */
export function shown(outcomes: ReadonlyMap<string, DecidedPurchase>): Record<string, string> {
  return Object.fromEntries(
    [...outcomes].map(([id, { ruling, owed }]) => [
      id,
      owed.reason ?? `${ruling.terms?.offerUid} ${owed.amounts.gross}`,
    ]),
  )
}
/** Builds the decision that an undo restores to a purchase, with or without an offer's terms. */
export function formerly(
  of: Offer | null,
  gross: bigint,
  reason: StatusReason | null = of === null ? 'no_offer' : null,
): NonNullable<Given['redecided']> {
  const terms = of === null ? null : frozen(of, loaded({ id: 'x' }).folded as never)
  return { terms, reason, gross, bound: null, brandUid: 'brand', matchMethod: 'brand_uid', judgedIn: 1 }
}
