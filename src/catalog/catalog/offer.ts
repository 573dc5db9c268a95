import type { Day } from '../../platform/calendar.ts'
import type { Store } from './store.ts'

/** The types of offers, by how a rewarded purchase must come about. */
export const OFFER_TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'] as const
export type OfferType = (typeof OFFER_TYPES)[number]
export const REWARD_TYPES = [
  'DISCOUNT_DOLLAR',
  'DISCOUNT_PERCENTAGE',
  'CASHBACK_DOLLAR',
  'CASHBACK_PERCENTAGE',
] as const
export type RewardType = (typeof REWARD_TYPES)[number]

/**
 * The kinds of customer. The offer defines how far back `new` and `lapsed` look. A lapsed customer bought before, but
 * not recently.
 */
export const CUSTOMER_KINDS = ['new', 'returning', 'lapsed'] as const
export type CustomerKind = (typeof CUSTOMER_KINDS)[number]

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/**
 * The periods of limits and budgets. Weeks start on Monday. A user's periods follow the publisher's calendar, and an
 * offer's budgets follow UTC.
 */
export const PERIODS = ['DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const
export type Period = (typeof PERIODS)[number]

/** At least one of `uses` and `reward` is set. `reward` limits the user's part, in minor units. */
export type UserLimit = { readonly period: Period; readonly uses: number | null; readonly reward: bigint | null }
/** The maximum commission that an offer may cost its advertiser in a period, in minor units. */
export type Budget = { readonly period: Period; readonly amount: bigint }

/** The conditions of an offer other than dates and amounts. */
export type OfferConditions = {
  /** Empty means every day. */
  readonly days: readonly Weekday[]
  /**
   * `HH:MM` in the publisher's time zone. `from` is inclusive and `to` exclusive. If `to` is not after `from`, the
   * hours run past midnight.
   */
  readonly hours: { readonly from: string; readonly to: string } | null
  readonly lapsedCustomerOnly: boolean
  /** The number of days without a purchase after which a customer is lapsed. */
  readonly lapsedCustomerDays: number
  readonly activationRequired: boolean
  readonly userLimits: readonly UserLimit[]
  readonly budgets: readonly Budget[]
  /** Set for VOUCHER_CODE offers that hand out codes from a pool. */
  readonly uniqueCodes: boolean
  /** The distance from a listed store within which users see the offer; null for `LOCAL_RADIUS_METRES`. */
  readonly localRadiusMetres: number | null
}

export const noConditions: OfferConditions = {
  days: [],
  hours: null,
  lapsedCustomerOnly: false,
  lapsedCustomerDays: 180,
  activationRequired: false,
  userLimits: [],
  budgets: [],
  uniqueCodes: false,
  localRadiusMetres: null,
}

/** A commission group. An offer without groups has a single unnamed one without conditions. */
export type CommissionGroup = {
  readonly name: string | null
  /**
   * Exactly one of `ratePpm` and `amount` is set, depending on the reward type: a rate for percentages, an amount for
   * fixed rewards.
   */
  readonly ratePpm: number | null
  readonly amount: bigint | null
  /** All conditions that are set must hold. */
  readonly productGroups: readonly string[]
  readonly skus: readonly string[]
  readonly customer: CustomerKind | null
  readonly minAmount: bigint | null
  readonly maxAmount: bigint | null
}

export const CHANNELS = ['IN_STORE', 'ONLINE'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * An offer with the fields that rules read. Amounts are in minor units of `currency`; rates are in parts per million.
 * If `channels` is null, the channels follow from type, stores and location.
 */
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
  /** The number of days the new-customer rule looks back. */
  readonly newCustomerDays: number
  readonly minSpend: bigint | null
  readonly maxSpend: bigint | null
  readonly denominations: readonly bigint[]
  readonly startDate: Day | null
  readonly endDate: Day | null
  readonly voucherCode: string | null
  readonly location: string | null
  readonly stores: readonly Store[]
  readonly channels: readonly Channel[] | null
  readonly conditions: OfferConditions
  /** The number of versions this offer has had. */
  readonly version: number
  /** The position in the catalog. Between two equal offers the older one wins. */
  readonly ordinal: number
}

export function isPercentage(rewardType: RewardType): boolean {
  return rewardType.endsWith('_PERCENTAGE')
}
