import type { Publisher } from './publisher.ts'
import { COOL_DOWN_HOURS_MAX, type MoneyLimits, PAYOUT_METHODS, type PayoutMethod } from './settings.ts'

type SettingFault = { readonly field: string; readonly text: string }

type RedemptionSettings = Pick<
  Publisher,
  'environment' | 'redemptionMethods' | 'redemptionUserDayCount' | 'destinationCoolDownHours'
>

/** The methods backed by the simulator's bank and gift card supplier. */
const SIMULATED: readonly PayoutMethod[] = ['simulated', 'gift_card']

/** Returns the first invalid setting and its allowed values; null if all are valid. */
export function findRedemptionSettingFault(settings: RedemptionSettings): SettingFault | null {
  const { redemptionMethods, redemptionUserDayCount, destinationCoolDownHours } = settings
  if (redemptionMethods.some((method) => !PAYOUT_METHODS.includes(method)))
    return { field: 'redemption_methods', text: `The redemption methods must be among ${PAYOUT_METHODS.join(', ')}.` }
  if (redemptionMethods.some((method) => SIMULATED.includes(method)) && settings.environment !== 'sandbox')
    return {
      field: 'redemption_methods',
      text: 'Only a sandbox can pay out through the simulated bank or with gift cards.',
    }
  if (redemptionUserDayCount !== null && redemptionUserDayCount < 0)
    return { field: 'redemption_user_day_count', text: notNegative('redemption_user_day_count') }
  if (destinationCoolDownHours < 0 || destinationCoolDownHours > COOL_DOWN_HOURS_MAX)
    return {
      field: 'destination_cool_down_hours',
      text: `The cool-down period of a destination must be 0 to ${COOL_DOWN_HOURS_MAX} hours.`,
    }
  return null
}

/** Returns the first invalid limit and its allowed values; null if all are valid. */
export function limitFault(limits: MoneyLimits): SettingFault | null {
  if (limits.redemptionMinimum < 1n)
    return { field: 'redemption_minimum', text: 'The minimum redemption must be greater than zero.' }
  for (const [field, limit] of [
    ['redemption_user_day_max', limits.redemptionUserDayMax],
    ['redemption_review_above', limits.redemptionReviewAbove],
    ['redemption_two_people_above', limits.redemptionTwoPeopleAbove],
    ['adjustment_alone_max', limits.adjustmentAloneMax],
  ] as const)
    if (limit !== null && limit < 0n) return { field, text: notNegative(field) }
  return null
}

const notNegative = (field: string): string => `${field} must not be negative.`
