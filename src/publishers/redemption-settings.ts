import { PAYOUT_METHODS, type PayoutMethod, type Publisher } from './publisher.ts'

type RedemptionSettings = Pick<
  Publisher,
  | 'environment'
  | 'redemptionMethods'
  | 'redemptionMinimum'
  | 'redemptionUserDayMax'
  | 'redemptionUserDayCount'
  | 'redemptionReviewAbove'
  | 'redemptionTwoPeopleAbove'
  | 'destinationCoolDownHours'
  | 'adjustmentAloneMax'
>

/** The bank and the supplier behind these are the simulator's. */
const SIMULATED: readonly PayoutMethod[] = ['simulated', 'gift_card']

/** A year: longer than any doubt about a new destination lasts. */
const COOL_DOWN_HOURS_MAX = 8_784

/** The first invalid setting and what is allowed for it; null when all are valid. */
export function redemptionSettingFault(
  settings: RedemptionSettings,
): { readonly field: string; readonly text: string } | null {
  const { redemptionMethods, redemptionReviewAbove, redemptionTwoPeopleAbove, destinationCoolDownHours } = settings
  if (redemptionMethods.some((method) => !PAYOUT_METHODS.includes(method)))
    return { field: 'redemption_methods', text: `The redemption methods must be among ${PAYOUT_METHODS.join(', ')}.` }
  if (redemptionMethods.some((method) => SIMULATED.includes(method)) && settings.environment !== 'sandbox')
    return { field: 'redemption_methods', text: 'Only a sandbox can pay out by the simulated bank or by gift cards.' }
  if (settings.redemptionMinimum < 1n)
    return { field: 'redemption_minimum', text: 'The smallest redemption must be more than zero.' }
  for (const [field, limit] of [
    ['redemption_user_day_max', settings.redemptionUserDayMax],
    ['redemption_user_day_count', settings.redemptionUserDayCount],
    ['redemption_review_above', redemptionReviewAbove],
    ['redemption_two_people_above', redemptionTwoPeopleAbove],
    ['adjustment_alone_max', settings.adjustmentAloneMax],
  ] as const)
    if (limit !== null && limit < 0) return { field, text: `${field} must be zero or more, or none.` }
  if (destinationCoolDownHours < 0 || destinationCoolDownHours > COOL_DOWN_HOURS_MAX)
    return {
      field: 'destination_cool_down_hours',
      text: `The cool-down of a destination must be 0 to ${COOL_DOWN_HOURS_MAX} hours.`,
    }
  return null
}
