import type { CustomerKind, Offer } from '../catalog/index.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import type { Judged } from './rule-line.ts'

const DAY_MS = 86_400_000

/** For whom the offer is: one use, new customers, lapsed customers. */
export function customerRules(offer: Offer, purchase: Purchase, circumstances: Circumstances): Judged[] {
  const rules: Judged[] = []
  if (offer.oneTimeUse) {
    rules.push({
      rule: 'one_time_use',
      value: circumstances.used ? 'used' : 'unused',
      bound: 'unused',
      passed: !circumstances.used,
      reason: 'offer_already_used',
    })
  }
  const { previousPurchaseAt } = circumstances
  const value = previousPurchaseAt?.toISOString() ?? 'no earlier purchase'
  if (offer.newCustomerOnly) {
    rules.push({
      rule: 'new_customer_only',
      value,
      bound: `none in ${offer.newCustomerDays} days`,
      passed: isNewCustomer(offer.newCustomerDays, purchase.at, previousPurchaseAt),
      reason: 'not_a_new_customer',
    })
  }
  const { lapsedCustomerOnly, lapsedCustomerDays } = offer.conditions
  if (lapsedCustomerOnly) {
    rules.push({
      rule: 'lapsed_customer_only',
      value,
      bound: `one, but none in ${lapsedCustomerDays} days`,
      passed: isLapsedCustomer(lapsedCustomerDays, purchase.at, previousPurchaseAt),
      reason: 'not_a_lapsed_customer',
    })
  }
  return rules
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
 * All kinds of a customer. One who bought long ago can be new and lapsed, one who bought some time ago returning and lapsed;
 * the best paying group for any of these counts.
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
