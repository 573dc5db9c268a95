import type { Day } from '../platform/calendar.ts'

/** What an offer says, as the rules read it. Amounts are minor units of `currency`; rates are parts per million. */
export const OFFER_TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'] as const
export type OfferType = (typeof OFFER_TYPES)[number]
export const REWARD_TYPES = [
  'DISCOUNT_DOLLAR',
  'DISCOUNT_PERCENTAGE',
  'CASHBACK_DOLLAR',
  'CASHBACK_PERCENTAGE',
] as const
export type RewardType = (typeof REWARD_TYPES)[number]

/** One group of a commission. An offer without groups has a single one without a name or conditions. */
export type CommissionGroup = {
  readonly name: string | null
  /** Exactly one of the two is set, as the reward type says: a percentage has a rate, a dollar reward an amount. */
  readonly ratePpm: number | null
  readonly amount: bigint | null
  /** All conditions that are set must hold. */
  readonly productGroups: readonly string[]
  readonly customer: 'new' | 'returning' | null
  readonly minAmount: bigint | null
  readonly maxAmount: bigint | null
}

export type Store = {
  readonly locationName: string | null
  readonly storeNumber: string | null
  readonly streetAddress1: string | null
  readonly streetAddress2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zipCode: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly phone: string | null
  readonly completeAddress: string | null
  readonly country: string | null
}

export type Offer = {
  readonly offerUid: string
  readonly brandUid: string
  readonly offerType: OfferType
  readonly rewardType: RewardType
  readonly currency: string
  readonly groups: readonly CommissionGroup[]
  readonly refundPeriodDays: number
  readonly oneTimeUse: boolean
  readonly newCustomerOnly: boolean
  /** How far back "new customer" looks. */
  readonly newCustomerDays: number
  readonly minSpend: bigint | null
  readonly maxSpend: bigint | null
  readonly denominations: readonly bigint[]
  readonly startDate: Day | null
  readonly endDate: Day | null
  readonly voucherCode: string | null
  readonly location: string | null
  readonly stores: readonly Store[]
  /** Position in the catalog: of two equal offers the older one wins. */
  readonly ordinal: number
}
