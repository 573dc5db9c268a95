import type { CommissionGroup, CustomerKind, Offer, OfferType, RewardType, Split, UserLimit } from '../catalog/index.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import {
  type CustomerWindows,
  classifyCustomer,
  getCustomerWindows,
  isLapsedCustomer,
  isNewCustomer,
} from './rules-customers.ts'

/**
 * The frozen terms of a purchase. Later changes to the offer or the publisher's split do not affect them. Stored as
 * JSON: amounts are decimal text in minor units, and rates are in ppm. Optional members were added later, or are absent
 * where they do not apply.
 */
export type Terms = {
  readonly offerUid: string
  /** The version of the offer that was frozen. */
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
  /**
   * For new customers only: the required number of days without a purchase at the brand; null if all customers qualify.
   */
  readonly newCustomerDays: number | null
  /**
   * For lapsed customers only: the required number of days without a purchase after an earlier one; absent if all
   * customers qualify.
   */
  readonly lapsedCustomerDays?: number
  /**
   * Present if groups depend on the kind of customer: the kinds implied by all purchases known when the terms were last
   * evaluated.
   */
  readonly customer?: CustomerWindows & { readonly kinds: readonly CustomerKind[] }
  /** The maximum number of uses and the maximum for the user's part in a period; absent if unlimited. */
  readonly userLimits?: readonly (Omit<UserLimit, 'reward'> & { readonly reward: string | null })[]
  /** True if the offer consumes a code from a pool; absent if it needs none. */
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
    minSpend: toText(offer.minSpend),
    maxSpend: toText(offer.maxSpend),
    refundPeriodDays: offer.refundPeriodDays,
    oneTimeUse: offer.oneTimeUse,
    newCustomerDays: offer.newCustomerOnly ? offer.newCustomerDays : null,
    ...(lapsedCustomerOnly ? { lapsedCustomerDays } : {}),
    ...(offer.groups.some((group) => group.customer !== null)
      ? { customer: freezeCustomer(getCustomerWindows(offer), purchase.at, circumstances.previousPurchaseAt) }
      : {}),
    ...(userLimits.length > 0
      ? { userLimits: userLimits.map((limit) => ({ ...limit, reward: toText(limit.reward) })) }
      : {}),
    ...(uniqueCodes ? { uniqueCode: true } : {}),
  }
}

/** Returns the user limits of these terms, with rewards in minor units. */
export function parseUserLimits({ userLimits = [] }: Terms): UserLimit[] {
  return userLimits.map((limit) => ({ ...limit, reward: limit.reward === null ? null : BigInt(limit.reward) }))
}

function freezeGroup({ name, ratePpm, amount, minAmount, maxAmount, ...bounds }: CommissionGroup): TermsGroup {
  return {
    name,
    ratePpm,
    amount: toText(amount),
    minAmount: toText(minAmount),
    maxAmount: toText(maxAmount),
    ...(bounds.productGroups.length > 0 ? { productGroups: bounds.productGroups } : {}),
    ...(bounds.skus.length > 0 ? { skus: bounds.skus } : {}),
    ...(bounds.customer === null ? {} : { customer: bounds.customer }),
  }
}

/** Returns true if these terms, in full or as stored, depend on earlier purchases that may become known later. */
export function needsHistory(terms: Partial<Terms>): boolean {
  return terms.newCustomerDays != null || terms.lapsedCustomerDays !== undefined || terms.customer !== undefined
}

/**
 * Reevaluates frozen terms against the earlier purchases known now: the customer must still be new or lapsed if
 * required, and the groups for the customer's current kinds apply. The result therefore does not depend on the order in
 * which purchases become known.
 */
export function reevaluateTerms(
  terms: Terms,
  at: Date,
  previousPurchaseAt: Date | null,
): { readonly terms: Terms; readonly reason: 'not_a_new_customer' | 'not_a_lapsed_customer' | null } {
  const { newCustomerDays, lapsedCustomerDays, customer } = terms
  const isNew = newCustomerDays === null || isNewCustomer(newCustomerDays, at, previousPurchaseAt)
  const isLapsed = lapsedCustomerDays === undefined || isLapsedCustomer(lapsedCustomerDays, at, previousPurchaseAt)
  return {
    terms: customer === undefined ? terms : { ...terms, customer: freezeCustomer(customer, at, previousPurchaseAt) },
    reason: isNew ? (isLapsed ? null : 'not_a_lapsed_customer') : 'not_a_new_customer',
  }
}

function freezeCustomer(
  { newDays, lapsedDays }: CustomerWindows,
  at: Date,
  previousPurchaseAt: Date | null,
): NonNullable<Terms['customer']> {
  return { newDays, lapsedDays, kinds: classifyCustomer({ newDays, lapsedDays }, at, previousPurchaseAt) }
}

function toText(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}
