import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Offer, OfferConditions } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import { type Difference, noBalances, readWallets, verifyLedger } from '../../src/ledger/index.ts'
import { verifyGiftCards } from '../../src/payouts/gift-cards/index.ts'
import { approveRedemption } from '../../src/payouts/redemptions/approve.ts'
import {
  cancelRedemption,
  type RedemptionId,
  requestRedemption,
  verifyRedemptions,
} from '../../src/payouts/redemptions/index.ts'
import { applyOutcomes } from '../../src/payouts/redemptions/outcomes.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { encodeId, type UserId } from '../../src/platform/ids.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import {
  expireAuthorizations,
  ingestEvents,
  matureRewards,
  type SourceEventInput,
  verifyRewards,
  verifyTransactions,
} from '../../src/purchases/transactions/index.ts'
import { createOperator } from '../../src/tenants/access/index.ts'
import { toLocalActor } from '../../src/tenants/accounts/index.ts'
import { addCurrency, changeSettings, createPublisher, type Publisher } from '../../src/tenants/publishers/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'
import { acceptTerms, createUser, deactivateUser } from '../../src/users/users/index.ts'
import { reactivateUser } from '../../src/users/users/service.ts'
import { makeGroup, makeOffer } from './catalog.ts'
import { changingCatalog } from './changing-catalog.ts'
import { insertFeedRows } from './feed-rows.ts'
import { openTestDatabase } from './postgres.ts'

/** A step in a history. Each step happens a minute after the previous one. */
export type Step =
  | { readonly do: 'authorize' | 'buy'; readonly purchase: number; readonly brand: BrandName; readonly amount: number }
  | { readonly do: 'clear' | 'refund'; readonly purchase: number; readonly nth: number; readonly amount: number }
  | { readonly do: 'reverse'; readonly purchase: number }
  | { readonly do: 'repeat'; readonly step: number }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'deactivate' | 'reactivate' }
  /** Redeems all, half or a third of what is available. */
  | { readonly do: 'redeem'; readonly currency: Currency; readonly part: number }
  | { readonly do: 'decide'; readonly redemption: number; readonly verdict: Verdict }
  /** Ana corrects the available balance. */
  | { readonly do: 'adjust'; readonly currency: Currency; readonly amount: number }
  /** Ben decides on an adjustment above Ana's own limit. */
  | { readonly do: 'decideAdjustment'; readonly adjustment: number; readonly verdict: 'book' | 'decline' }
  | { readonly do: 'claim' }
  /** Ana grants a claim with this amount, or declines it. */
  | {
      readonly do: 'decideClaim'
      readonly claim: number
      readonly currency: Currency
      readonly amount: number | null
    }
  | { readonly do: 'grantPurchase'; readonly claim: number; readonly purchase: number }
  | { readonly do: 'erase' }
export type BrandName = 'percent' | 'once' | 'capped' | 'till' | 'sale' | 'code' | 'giftCard' | 'euro'
export type Currency = 'USD' | 'EUR'
export const CURRENCIES: readonly Currency[] = ['USD', 'EUR']

/** The decisions of reviewers and payers about a redemption, in the order in which they can occur. */
export type Verdict = 'approve' | 'cancel' | 'paid' | 'unpaid'

export const START = new Date('2026-01-10T08:00:00Z')
export const FEE_PPM = 100_000
export const SHARE_PPM = 200_000
/** The amounts above which a redemption waits for a person. */
export const REVIEW_ABOVE: Readonly<Record<Currency, bigint>> = { USD: 1_500n, EUR: 400n }
/** The maximum amount that one person may give a user per day. */
export const ALONE_MAX: Readonly<Record<Currency, bigint>> = { USD: 600n, EUR: 250n }

export const offerBase = makeOffer({})
export const group = (ratePpm: number | null, amount: bigint | null) => makeGroup({ ratePpm, amount })

export const OFFERS: Readonly<Record<BrandName, Offer>> = {
  percent: {
    ...offerBase,
    offerUid: 'off_percent',
    brandUid: 'percent',
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(51_234, null)],
    refundPeriodDays: 30,
    ordinal: 1,
  },
  once: {
    ...offerBase,
    offerUid: 'off_once',
    brandUid: 'once',
    rewardType: 'CASHBACK_DOLLAR',
    groups: [group(null, 401n)],
    refundPeriodDays: 14,
    oneTimeUse: true,
    minSpend: 2_000n,
    ordinal: 2,
  },
  capped: {
    ...offerBase,
    offerUid: 'off_capped',
    brandUid: 'capped',
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(100_000, null)],
    refundPeriodDays: 0,
    minSpend: 1_000n,
    maxSpend: 5_000n,
    ordinal: 3,
  },
  till: {
    ...offerBase,
    offerUid: 'off_till',
    brandUid: 'till',
    rewardType: 'DISCOUNT_PERCENTAGE',
    groups: [group(80_000, null)],
    refundPeriodDays: 7,
    ordinal: 4,
  },
  sale: {
    ...offerBase,
    offerUid: 'off_sale',
    brandUid: 'sale',
    offerType: 'AFFILIATE',
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(40_007, null)],
    refundPeriodDays: 30,
    ordinal: 5,
  },
  code: {
    ...offerBase,
    offerUid: 'off_code',
    brandUid: 'code',
    offerType: 'VOUCHER_CODE',
    rewardType: 'CASHBACK_DOLLAR',
    groups: [group(null, 307n)],
    refundPeriodDays: 14,
    minSpend: 1_000n,
    ordinal: 6,
  },
  giftCard: {
    ...offerBase,
    offerUid: 'off_gift_card',
    brandUid: 'giftCard',
    offerType: 'GIFT_CARD',
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(30_000, null)],
    refundPeriodDays: 0,
    ordinal: 7,
  },
  euro: {
    ...offerBase,
    offerUid: 'off_euro',
    brandUid: 'euro',
    currency: 'EUR',
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(120_000, null)],
    refundPeriodDays: 5,
    ordinal: 8,
  },
}

/** The kind of purchase that each offer type rewards. */
const SOURCES: Readonly<Record<Offer['offerType'], SourceEventInput['source']>> = {
  CARD_LINKED: 'CARD',
  AFFILIATE: 'AFFILIATE',
  VOUCHER_CODE: 'VOUCHER',
  GIFT_CARD: 'GIFT_CARD',
}

const EVERY_OFFER: readonly Offer[] = Object.values(OFFERS)

const purchase = fc.integer({ min: 0, max: 3 })
const claim = fc.integer({ min: 0, max: 2 })
const amount = fc.oneof(fc.integer({ min: 1, max: 9_000 }), fc.constantFrom(999, 1_000, 1_999, 2_000, 5_000, 5_001))
const brand = fc.constantFrom(...(Object.keys(OFFERS) as BrandName[]), 'euro' as const)
const currency = fc.constantFrom<Currency[]>('USD', 'USD', 'EUR')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('authorize' as const, 'buy' as const), purchase, brand, amount }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('clear' as const, 'refund' as const),
      purchase,
      nth: fc.integer({ min: 0, max: 2 }),
      amount,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), purchase }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), step: fc.integer({ min: 0, max: 39 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 9, 10, 11, 15, 31, 31, 60) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('deactivate' as const, 'reactivate' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('redeem' as const), currency, part: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      redemption: fc.integer({ min: 0, max: 3 }),
      verdict: fc.constantFrom<Verdict[]>('approve', 'cancel', 'paid', 'paid', 'unpaid'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      currency,
      amount: fc.constantFrom(-900, -50, 50, 300, 600, 900),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decideAdjustment' as const),
      adjustment: fc.integer({ min: 0, max: 2 }),
      verdict: fc.constantFrom('book' as const, 'book' as const, 'decline' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('claim' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decideClaim' as const),
      claim,
      currency,
      amount: fc.constantFrom(200, 500, 900, null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grantPurchase' as const), claim, purchase }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const) }) },
)
export const stepsArbitrary = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })

export type ShownBalances = {
  readonly pending: bigint
  readonly available: bigint
  readonly held: bigint
  readonly debt: bigint
  readonly earnedTotal: bigint
  readonly redeemedTotal: bigint
}
function pickShown({ pending, available, held, debt, earnedTotal, redeemedTotal }: ShownBalances): ShownBalances {
  return { pending, available, held, debt, earnedTotal, redeemedTotal }
}

/**
 * Returns the event of a step; null if the step has none. IDs are derived from the step, so repeating a step repeats
 * its event.
 */
export function toEvent(
  userId: UserId,
  reported: Step,
  brandByPurchase: ReadonlyMap<number, BrandName>,
  at: Date,
  reversedAmount: number,
): SourceEventInput | null {
  const brand =
    'brand' in reported ? reported.brand : 'purchase' in reported ? brandByPurchase.get(reported.purchase) : undefined
  const { offerType, currency } = OFFERS[brand ?? 'percent']
  const common = { userId, source: SOURCES[offerType], currency, occurredAt: at, dateOnly: false } as const
  const root = (index: number): string => `${userId} ${index}`
  switch (reported.do) {
    case 'authorize':
    case 'buy':
      return {
        ...common,
        kind: reported.do === 'buy' ? 'CLEARING' : 'AUTHORIZATION',
        externalId: root(reported.purchase),
        originalExternalId: null,
        amount: BigInt(reported.amount),
        facts: { brandUid: reported.brand },
      }
    case 'clear':
    case 'refund':
      return {
        ...common,
        kind: reported.do === 'clear' ? 'CLEARING' : 'REFUND',
        externalId: `${root(reported.purchase)} ${reported.do} ${reported.nth}`,
        originalExternalId: root(reported.purchase),
        amount: BigInt(reported.amount),
        facts: { brandUid: brandByPurchase.get(reported.purchase) ?? 'percent' },
      }
    case 'reverse':
      return {
        ...common,
        kind: 'REVERSAL',
        externalId: `${root(reported.purchase)} reversal`,
        originalExternalId: root(reported.purchase),
        amount: BigInt(reversedAmount),
        facts: {},
      }
    default:
      return null
  }
}

/** The real rooms on a real database, with a catalog of these brands. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** Opens a world on a separate database for one test file. The database is dropped afterward. */
export async function openTestWorld(
  name: string,
  { connections = 4, offersNow }: { readonly connections?: number; readonly offersNow?: () => readonly Offer[] } = {},
) {
  const db = await openTestDatabase(name, { connections })
  return { db, world: await openWorld(db, offersNow) }
}

const getLimits = (currency: Currency) => ({
  redemptionReviewAbove: REVIEW_ABOVE[currency],
  adjustmentAloneMax: ALONE_MAX[currency],
})

/** Creates publishers, and users who have accepted the terms. */
export async function openTenants(db: Database) {
  const terms = { url: 'https://example.com/terms', revision: 'one', requiredFrom: new Date(0) }
  const { documentId } = await db.transaction((tx) => publishTerms(tx, terms, START))
  let users = 0
  return {
    documentId,

    /** Creates a publisher that reports its own card purchases, with a fee, a share, and books in dollars. */
    publisher: (): Promise<Publisher> =>
      db.transaction(async (tx) => {
        const publisher = await createPublisher(tx, { name: 'Histories', environment: 'sandbox' }, START)
        return changeSettings(tx, publisher.id, {
          ownCardFeed: true,
          feePpm: FEE_PPM,
          sharePpm: SHARE_PPM,
          ...getLimits('USD'),
        })
      }),

    /** Adds books in euros to the publisher. */
    withEuros: (publisher: Publisher): Promise<Publisher> =>
      db.transaction(async (tx) => {
        await addCurrency(tx, publisher.id, 'EUR', START)
        return changeSettings(tx, publisher.id, getLimits('EUR'), 'EUR')
      }),

    /** Registers a user who accepts the terms. */
    user: async (publisher: Publisher): Promise<{ userId: UserId; name: string }> => {
      const name = `user-${users++}`
      return db.transaction(async (tx) => {
        const input = { publisherUserId: name, email: null, primaryZipCode: null, attributes: null }
        const { user } = await createUser(tx, publisher, input, START)
        await acceptTerms(tx, publisher, name, documentId, START)
        return { userId: user.userId, name }
      })
    },
  }
}

/** Returns every discrepancy in the books of these publishers. */
export async function differencesIn(db: Database, publishers: readonly Publisher[]): Promise<Difference[]> {
  const found = [
    ...(await verifyLedger(db.reader)),
    ...(await verifyRewards(db.reader)),
    ...(await verifyRedemptions(db.reader)),
    ...(await verifyGiftCards(db.reader)),
  ]
  for (const publisher of publishers) found.push(...(await verifyTransactions(db.reader, publisher)))
  return found
}

/** Creates an operator with a valid key who approves redemptions. */
async function openApprover(db: Database): Promise<string> {
  const by = toLocalActor('ana')
  const { operatorId } = await db.transaction((tx) =>
    createOperator(tx, { name: 'Ana', role: 'finance', by }, new Date()),
  )
  return encodeId('opr', operatorId)
}

export async function openWorld(db: Database, offersNow: () => readonly Offer[] = () => EVERY_OFFER) {
  const { documentId, ...tenants } = await openTenants(db)
  const approver = await openApprover(db)
  const deps = { catalog: changingCatalog(offersNow), vault: createVault(Buffer.alloc(32, 7).toString('base64')) }
  return {
    ...deps,
    ...tenants,

    report: async (publisher: Publisher, events: readonly SourceEventInput[], now: Date): Promise<void> => {
      const outcomes = await db.transaction(async (tx) => {
        await insertFeedRows(tx, publisher, events)
        return ingestEvents(tx, deps, publisher, events, now)
      })
      for (const outcome of outcomes) {
        assert('transactionId' in outcome || outcome.refusal.code === 'event_conflict', 'an event was refused')
      }
    },

    /** Does everything that is due for the publisher. */
    fallDue: async (publisher: Publisher, now: Date): Promise<void> => {
      while (await db.transaction((tx) => expireAuthorizations(tx, deps, publisher, now))) {}
      while ((await db.transaction((tx) => matureRewards(tx, publisher, now))).more) {}
    },

    switchUser: (publisher: Publisher, name: string, act: 'deactivate' | 'reactivate', now: Date): Promise<void> =>
      db.transaction(async (tx) => {
        if (act === 'deactivate') {
          await deactivateUser(tx, publisher, name, now)
        } else {
          await reactivateUser(tx, publisher, name, now)
          await acceptTerms(tx, publisher, name, documentId, now)
        }
      }),

    /** Redeems this amount, which the publisher itself pays out. */
    redeem: async (
      publisher: Publisher,
      name: string,
      amount: bigint,
      now: Date,
      currency: Currency = 'USD',
    ): Promise<RedemptionId> => {
      const request = { publisherUserId: name, currency, amount, method: 'publisher', externalRef: null } as const
      return (await db.transaction((tx) => requestRedemption(tx, publisher, request, now))).redemptionId
    },

    /** A rejected verdict changes nothing. The model decides which verdicts should be rejected. */
    decide: async (publisher: Publisher, redemptionId: RedemptionId, verdict: Verdict, now: Date): Promise<void> => {
      await db
        .transaction(async (tx) => {
          if (verdict === 'approve') await approveRedemption(tx, publisher, { redemptionId, approver }, now)
          else if (verdict === 'cancel')
            await cancelRedemption(tx, publisher, { redemptionId, reason: 'cancelled', actor: 'publisher' }, now)
          else await applyOutcomes(tx, publisher, [{ redemptionId, outcome: verdict }], 'bank', now)
        })
        .catch((error: unknown) =>
          assert(error instanceof Refusal && error.code === 'redemption_status', String(error)),
        )
    },

    shown: async (publisher: Publisher, userId: UserId, currency: Currency = 'USD'): Promise<ShownBalances> => {
      const wallet = (await readWallets(db.reader, publisher, [userId])).get(userId)
      assert(wallet !== undefined)
      return pickShown(wallet.get(currency) ?? noBalances)
    },

    differences: (publishers: readonly Publisher[]): Promise<Difference[]> => differencesIn(db, publishers),
  }
}

/** Holds offers that a test adds and changes. Each has its own brand and pays 10%, of which the user gets 70%. */
export function openShelf() {
  let offers: readonly Offer[] = []
  return {
    offersNow: () => offers,
    offerWith: (conditions: Partial<OfferConditions>, more: Partial<Offer> = {}): Offer => {
      const ordinal = offers.length + 1
      const offer: Offer = {
        ...offerBase,
        offerUid: `off_${ordinal}`,
        brandUid: `brand_${ordinal}`,
        groups: [group(100_000, null)],
        refundPeriodDays: 10,
        ordinal,
        conditions: { ...noConditions, ...conditions },
        ...more,
      }
      offers = [...offers, offer]
      return offer
    },
    change: (offer: Offer, more: Partial<Offer>): Offer => {
      const next = { ...offer, ...more, version: offer.version + 1 }
      offers = offers.map((one) => (one.offerUid === offer.offerUid ? next : one))
      return next
    },
  }
}
