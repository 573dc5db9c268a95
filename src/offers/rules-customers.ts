import type { CustomerKind, Offer } from '../catalog/index.ts'
import { DAY_MS } from '../platform/calendar.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import type { RuleRow } from './rule-line.ts'

/** For whom the offer is: one use, new customers, lapsed customers. */
export function customerRules(offer: Offer, { at }: Purchase, { used, previousPurchaseAt }: Circumstances): RuleRow[] {
  const { newDays, lapsedDays } = customerWindowsOf(offer)
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

/** No purchase at the brand in this many days before this one. */
export function isNewCustomer(days: number, at: Date, previousPurchaseAt: Date | null): boolean {
  return previousPurchaseAt === null || staysAway(days, at, previousPurchaseAt)
}

/** An earlier purchase at the brand, but none in this many days before this one. */
export function isLapsedCustomer(days: number, at: Date, previousPurchaseAt: Date | null): boolean {
  return previousPurchaseAt !== null && staysAway(days, at, previousPurchaseAt)
}

function staysAway(days: number, at: Date, previousPurchaseAt: Date): boolean {
  return at.getTime() - previousPurchaseAt.getTime() > days * DAY_MS
}

/** For each kind of customer the number of days without a purchase. */
export type CustomerWindows = { readonly newDays: number; readonly lapsedDays: number }

/**
 * All kinds of a customer. One who bought long ago can be new and lapsed, one who bought some time ago returning and
 * lapsed; the best paying group for any of these counts.
 */
export function customerKindsOf(
  { newDays, lapsedDays }: CustomerWindows,
  at: Date,
  previousPurchaseAt: Date | null,
): CustomerKind[] {
  const kind = isNewCustomer(newDays, at, previousPurchaseAt) ? 'new' : 'returning'
  return isLapsedCustomer(lapsedDays, at, previousPurchaseAt) ? [kind, 'lapsed'] : [kind]
}

export function customerWindowsOf(offer: Offer): CustomerWindows {
  return { newDays: offer.newCustomerDays, lapsedDays: offer.conditions.lapsedCustomerDays }
}
