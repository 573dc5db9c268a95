import type { CommissionGroup, Offer, OfferConditions, Store } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import {
  type Amounts,
  type BoughtItem,
  type Circumstances,
  computeTarget,
  freezeTerms,
  judge,
  noLimitFacts,
  type Purchase,
} from '../../src/catalog/offers/index.ts'
import { toDay } from '../../src/platform/calendar.ts'
import type { StatusReason } from '../../src/purchases/transactions/index.ts'
import { makeGroup, makeStore, makeOffer as wholeOfferOf } from '../support/catalog.ts'

/**
 * A case in the rule book: how the offer, purchase and user differ from the examples below, and the result. The tests
 * run these rows, and docs/offers.md is generated from them.
 */
export type Row = {
  readonly title: string
  readonly offer?: Partial<Omit<Offer, 'conditions'>> & { readonly conditions?: Partial<OfferConditions> }
  readonly purchase?: Partial<Purchase>
  readonly user?: Partial<Circumstances>
  readonly split?: { readonly feePpm: number; readonly sharePpm: number }
  /** The amount refunded later, including the refunds of any items. */
  readonly refunded?: bigint
  readonly expected: StatusReason | Partial<Amounts>
}
export type Chapter = { readonly title: string; readonly text: string; readonly rows: readonly Row[] }

/** A Tuesday at noon. */
export const AT = new Date('2026-03-10T12:00:00Z')

export function playRow({ offer, purchase, user, split, refunded = 0n }: Row): {
  readonly reason: StatusReason | null
  readonly amounts: Amounts | null
} {
  const whole = makeOffer(offer)
  const bought = { ...examplePurchase, ...purchase }
  const around = { ...exampleUser, ...user }
  // The purchase is judged before its refunds, which reduce the amount afterward.
  const judged = { ...bought, items: bought.items.map((item) => ({ ...item, refunded: 0n })) }
  const verdict = judge(whole, judged, around)
  if (!verdict.eligible) return { reason: verdict.reason, amounts: null }
  const terms = freezeTerms(whole, judged, around, split ?? { feePpm: 0, sharePpm: 0 })
  const { reason, amounts } = computeTarget(terms, { ...bought, refunded })
  return { reason, amounts: reason === null ? amounts : null }
}

export function makeOffer({ conditions, ...given }: NonNullable<Row['offer']> = {}): Offer {
  return { ...exampleOffer, ...given, conditions: { ...noConditions, ...conditions } }
}

export function rate(percent: number, bounds: Partial<CommissionGroup> = {}): CommissionGroup {
  return makeGroup({ ratePpm: percent * 10_000, ...bounds })
}

export function dollars(amount: bigint, bounds: Partial<CommissionGroup> = {}): CommissionGroup {
  return makeGroup({ amount, ...bounds })
}

export function item(given: Partial<BoughtItem>): BoughtItem {
  return { sku: null, productGroup: null, amount: 0n, refunded: 0n, ...given }
}

/** Returns the time fields of a purchase at this instant, in the publisher's time zone. */
export function when(instant: string, timeZone = 'UTC'): Pick<Purchase, 'at' | 'day' | 'timeZone'> {
  const at = new Date(instant)
  return { at, timeZone, day: toDay(at, timeZone) }
}

export function daysBefore(days: number): Date {
  return new Date(AT.getTime() - days * 86_400_000)
}

export const exampleStore: Store = makeStore({
  storeNumber: '0042',
  streetAddress1: '5 North Main Street',
  city: 'Austin',
  state: 'TX',
  zipCode: '78701',
  latitude: 30.2672,
  longitude: -97.7431,
  country: 'US',
})

export const exampleOffer: Offer = wholeOfferOf({
  offerUid: 'o',
  brandUid: 'b',
  groups: [rate(5)],
  refundPeriodDays: 30,
  ordinal: 1,
})

export const examplePurchase: Purchase = {
  source: 'CARD',
  amount: 5_000n,
  currency: 'USD',
  hasBooks: true,
  ...when(AT.toISOString()),
  dateOnly: false,
  offerUid: null,
  voucherCode: null,
  place: {},
  channel: null,
  items: [],
}

export const exampleUser: Circumstances = {
  standing: 'ACTIVE',
  card: 'linked',
  used: false,
  previousPurchaseAt: null,
  limits: noLimitFacts,
}
