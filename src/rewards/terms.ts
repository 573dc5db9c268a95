import type { Offer, OfferType, RewardType, Split } from '../catalog/index.ts'
import { type Circumstances, groupsFor, type Purchase } from '../matching/index.ts'

/**
 * What was promised when a purchase was first decided. Later changes of the offer or of the publisher's split do not
 * touch it. Stored as JSON: amounts are decimal texts of minor units, rates parts per million.
 */
export type Terms = {
  readonly offerUid: string
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
}
export type TermsGroup = {
  readonly name: string | null
  readonly ratePpm: number | null
  readonly amount: string | null
  readonly minAmount: string | null
  readonly maxAmount: string | null
}

export function freezeTerms(offer: Offer, purchase: Purchase, circumstances: Circumstances, split: Split): Terms {
  return {
    offerUid: offer.offerUid,
    brandUid: offer.brandUid,
    offerType: offer.offerType,
    rewardType: offer.rewardType,
    currency: offer.currency,
    groups: groupsFor(offer, purchase, circumstances).map((group) => ({
      name: group.name,
      ratePpm: group.ratePpm,
      amount: textOf(group.amount),
      minAmount: textOf(group.minAmount),
      maxAmount: textOf(group.maxAmount),
    })),
    feePpm: split.feePpm,
    sharePpm: split.sharePpm,
    minSpend: textOf(offer.minSpend),
    maxSpend: textOf(offer.maxSpend),
    refundPeriodDays: offer.refundPeriodDays,
    oneTimeUse: offer.oneTimeUse,
    newCustomerDays: offer.newCustomerOnly ? offer.newCustomerDays : null,
  }
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}
