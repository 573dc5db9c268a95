import type { CommissionGroup, Offer } from '../catalog/index.ts'
import { assignPortions, isBound } from './goods.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import type { RuleRow } from './rule-line.ts'
import { classifyCustomer, getCustomerWindows } from './rules-customers.ts'

/** If the offer has named commission groups, requires that at least one of its groups rewards part of the purchase. */
export function groupRule(offer: Offer, purchase: Purchase, circumstances: Circumstances): RuleRow {
  if (offer.groups.every((group) => group.name === null)) return false
  const paying = payingGroups(offer, purchase, circumstances)
  const isUnknown = purchase.items.length === 0 && offer.groups.some(isBound)
  const value = isUnknown ? `${joinNames(paying)} (no items reported)` : joinNames(paying)
  return ['commission_group', value, joinNames(offer.groups), paying.length > 0, 'no_commission_group']
}

/** Returns the groups that reward this customer for at least part of this purchase. */
function payingGroups(offer: Offer, purchase: Purchase, { previousPurchaseAt }: Circumstances): CommissionGroup[] {
  const kinds = classifyCustomer(getCustomerWindows(offer), purchase.at, previousPurchaseAt)
  const applying = offer.groups.filter(
    (group) => (group.customer === null || kinds.includes(group.customer)) && fitsAmount(group, purchase.amount),
  )
  const portions = assignPortions(applying, { ...purchase, refunded: 0n })
  return applying.filter((group) => portions.some((portion) => portion.group === group))
}

type AmountBand = { readonly minAmount: bigint | string | null; readonly maxAmount: bigint | string | null }

/** Returns true if the total of a purchase, before refunds, falls within a group's band. Both ends are inclusive. */
export function fitsAmount({ minAmount, maxAmount }: AmountBand, amount: bigint): boolean {
  return (minAmount === null || amount >= BigInt(minAmount)) && (maxAmount === null || amount <= BigInt(maxAmount))
}

function joinNames(groups: readonly CommissionGroup[]): string {
  return groups.length === 0 ? 'none' : groups.map((group) => group.name ?? 'all else').join(', ')
}
