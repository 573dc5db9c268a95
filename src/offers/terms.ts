import type { CommissionGroup, CustomerKind, Offer, OfferType, RewardType, Split, UserLimit } from '../catalog/index.ts'
import type { Circumstances, Purchase } from './rules.ts'
import {
  type CustomerWindows,
  customerKindsOf,
  customerWindowsOf,
  isLapsedCustomer,
  isNewCustomer,
} from './rules-customers.ts'

/**
 * What was promised when a purchase was first decided. Later changes of the offer or of the publisher's split do not
 * touch it. Stored as JSON: amounts are decimal texts of minor units, rates parts per million. Members that may be absent
 * came later or ask nothing.
 */
export type Terms = {
  readonly offerUid: string
  /** Which state of the offer this was taken from. */
  readonly offerVersion?: number
  readonly brandUid: string
  readonly offerType: OfferType
  readonly rewardType: RewardType
  readonly currency: string
  readonly groups: readonly TermsGroup[]
  readonly feePpm: number
  readonly sharePpm: number
  readonly minSpend: string | null
  readonly maxSpend: string | null
  readonly refundPeriodDays: number
  readonly oneTimeUse: boolean
  /** How far back there may be no purchase with the brand; null when returning customers earn too. */
  readonly newCustomerDays: number | null
  /** How far back there may be none though there was one before; absent when others earn too. */
  readonly lapsedCustomerDays?: number
  /** Where groups ask what the customer is: what that was by all that is known. */
  readonly customer?: CustomerWindows & { readonly kinds: readonly CustomerKind[] }
  /** How often, and how much of the user's part, each user gets in a period; absent: without limit. */
  readonly userLimits?: readonly (Omit<UserLimit, 'reward'> & { readonly reward: string | null })[]
  /** A code of a pool is used up; absent when none is asked. */
  readonly uniqueCode?: true
}
export type TermsGroup = {
  readonly name: string | null
  readonly ratePpm: number | null
  readonly amount: string | null
  readonly minAmount: string | null
  readonly maxAmount: string | null
  readonly productGroups?: readonly string[]
  readonly skus?: readonly string[]
  readonly customer?: CustomerKind
}

export function freezeTerms(offer: Offer, purchase: Purchase, circumstances: Circumstances, split: Split): Terms {
  const { lapsedCustomerOnly, lapsedCustomerDays, userLimits, uniqueCodes } = offer.conditions
  return {
    offerUid: offer.offerUid,
    offerVersion: offer.version,
    brandUid: offer.brandUid,
    offerType: offer.offerType,
    rewardType: offer.rewardType,
    currency: offer.currency,
    groups: offer.groups.map(freezeGroup),
    feePpm: split.feePpm,
    sharePpm: split.sharePpm,
    minSpend: textOf(offer.minSpend),
    maxSpend: textOf(offer.maxSpend),
    refundPeriodDays: offer.refundPeriodDays,
    oneTimeUse: offer.oneTimeUse,
    newCustomerDays: offer.newCustomerOnly ? offer.newCustomerDays : null,
    ...(lapsedCustomerOnly ? { lapsedCustomerDays } : {}),
    ...(offer.groups.some((group) => group.customer !== null)
      ? { customer: customerOf(customerWindowsOf(offer), purchase.at, circumstances.previousPurchaseAt) }
      : {}),
    ...(userLimits.length > 0
      ? { userLimits: userLimits.map((limit) => ({ ...limit, reward: textOf(limit.reward) })) }
      : {}),
    ...(uniqueCodes ? { uniqueCode: true } : {}),
  }
}

/** The limits of users that these terms froze; rewards in minor units of their currency. */
export function userLimitsOf({ userLimits = [] }: Terms): UserLimit[] {
  return userLimits.map((limit) => ({ ...limit, reward: limit.reward === null ? null : BigInt(limit.reward) }))
}

function freezeGroup({ name, ratePpm, amount, minAmount, maxAmount, ...bounds }: CommissionGroup): TermsGroup {
  return {
    name,
    ratePpm,
    amount: textOf(amount),
    minAmount: textOf(minAmount),
    maxAmount: textOf(maxAmount),
    ...(bounds.productGroups.length > 0 ? { productGroups: bounds.productGroups } : {}),
    ...(bounds.skus.length > 0 ? { skus: bounds.skus } : {}),
    ...(bounds.customer === null ? {} : { customer: bounds.customer }),
  }
}

/** Whether these terms promise something that follows from earlier purchases, which may become known only later. */
export function termsAskForHistory(terms: Terms): boolean {
  return terms.newCustomerDays !== null || terms.lapsedCustomerDays !== undefined || terms.customer !== undefined
}

/**
 * Frozen terms in the light of the earlier purchases that are known now. A new customer must still be one, a lapsed one
 * too, and of the groups those pay that are for what the customer turned out to be: in whatever order purchases become known,
 * the same is owed.
 */
export function termsAsKnown(
  terms: Terms,
  at: Date,
  previousPurchaseAt: Date | null,
): { readonly terms: Terms; readonly reason: 'not_a_new_customer' | 'not_a_lapsed_customer' | null } {
  const { newCustomerDays, lapsedCustomerDays, customer } = terms
  const isNew = newCustomerDays === null || isNewCustomer(newCustomerDays, at, previousPurchaseAt)
  const isLapsed = lapsedCustomerDays === undefined || isLapsedCustomer(lapsedCustomerDays, at, previousPurchaseAt)
  return {
    terms: customer === undefined ? terms : { ...terms, customer: customerOf(customer, at, previousPurchaseAt) },
    reason: isNew ? (isLapsed ? null : 'not_a_lapsed_customer') : 'not_a_new_customer',
  }
}

function customerOf(
  { newDays, lapsedDays }: CustomerWindows,
  at: Date,
  previousPurchaseAt: Date | null,
): NonNullable<Terms['customer']> {
  return { newDays, lapsedDays, kinds: customerKindsOf({ newDays, lapsedDays }, at, previousPurchaseAt) }
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}
