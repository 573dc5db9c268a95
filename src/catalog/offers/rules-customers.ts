import { DAY_MS } from '../../platform/calendar.ts'
import type { CustomerKind, Offer } from '../catalog/index.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import type { RuleRow } from './rule-line.ts'

/** Checks the user's eligibility: single use, new customers, lapsed customers. */
export function checkCustomer(offer: Offer, { at }: Purchase, { used, previousPurchaseAt }: Circumstances): RuleRow[] {
  const { newDays, lapsedDays } = getCustomerWindows(offer)
  const previous = previousPurchaseAt?.toISOString() ?? 'no earlier purchase'
  const isNew = isNewCustomer(newDays, at, previousPurchaseAt)
  const isLapsed = isLapsedCustomer(lapsedDays, at, previousPurchaseAt)
  const lapse = `one, but none in ${lapsedDays} days`
  const { lapsedCustomerOnly } = offer.conditions
  return [
    offer.oneTimeUse && ['one_time_use', used ? 'used' : 'unused', 'unused', !used, 'offer_already_used'],
    offer.newCustomerOnly && ['new_customer_only', previous, `none in ${newDays} days`, isNew, 'not_a_new_customer'],
    lapsedCustomerOnly && ['lapsed_customer_only', previous, lapse, isLapsed, 'not_a_lapsed_customer'],
  ]
}

/** Returns true if there was no purchase at the brand in the given number of days before this one. */
export function isNewCustomer(days: number, at: Date, previousPurchaseAt: Date | null): boolean {
  return previousPurchaseAt === null || staysAway(days, at, previousPurchaseAt)
}

/** Returns true if there was an earlier purchase at the brand, but none in the given number of days before this one. */
export function isLapsedCustomer(days: number, at: Date, previousPurchaseAt: Date | null): boolean {
  return previousPurchaseAt !== null && staysAway(days, at, previousPurchaseAt)
}

function staysAway(days: number, at: Date, previousPurchaseAt: Date): boolean {
  return at.getTime() - previousPurchaseAt.getTime() > days * DAY_MS
}

/** The number of days without a purchase that makes a customer new or lapsed. */
export type CustomerWindows = { readonly newDays: number; readonly lapsedDays: number }

/**
 * Returns every customer kind that applies. Depending on the windows, a past customer is new or returning, and can be
 * lapsed at the same time. The best-paying group for any of these kinds wins.
 */
export function classifyCustomer(
  { newDays, lapsedDays }: CustomerWindows,
  at: Date,
  previousPurchaseAt: Date | null,
): CustomerKind[] {
  const kind = isNewCustomer(newDays, at, previousPurchaseAt) ? 'new' : 'returning'
  return isLapsedCustomer(lapsedDays, at, previousPurchaseAt) ? [kind, 'lapsed'] : [kind]
}

export function getCustomerWindows(offer: Offer): CustomerWindows {
  return { newDays: offer.newCustomerDays, lapsedDays: offer.conditions.lapsedCustomerDays }
}
