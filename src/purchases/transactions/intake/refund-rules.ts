import type { TransactionId } from '../../../platform/ids.ts'
import type { SourceEvent } from '../event.ts'

/** A refund that references no purchase. */
export type UnreferencedRefund = Pick<SourceEvent, 'userId' | 'source' | 'currency' | 'amount'> & {
  readonly accountId: string | null
  readonly orderId: string | null
  /** If only the date is known, the end of the day for a refund and the start of the day for a purchase. */
  readonly at: Date
  readonly merchant: Merchant
}
/** A merchant's brand, or the words of its names if the brand is unknown. */
type Merchant = { readonly brandUid: string | null; readonly names: readonly string[] }
export type RefundablePurchase = UnreferencedRefund & {
  readonly transactionId: TransactionId
  /** The amount not yet refunded, in minor units. */
  left: bigint
}

export function namesNoPurchase({ kind, source, originalExternalId }: SourceEvent): boolean {
  return kind === 'REFUND' && source !== 'AFFILIATE' && originalExternalId === null
}

/**
 * Returns the purchase that a refund belongs to; null if it cannot be determined. Candidates have the same user,
 * source, currency and merchant, and the same card and order number if both sides state one. They are not later than
 * the refund and have enough left to refund. If a single candidate has the refund's order number, it wins; otherwise,
 * the latest one of exactly the refund's amount does. Failing both, the only candidate is accepted.
 */
export function findRefundedPurchase(
  refund: UnreferencedRefund,
  purchases: readonly RefundablePurchase[],
): RefundablePurchase | null {
  const fitting = purchases.filter((purchase) => fits(refund, purchase))
  const ordered = fitting.filter(({ orderId }) => orderId !== null && orderId === refund.orderId)
  if (ordered.length === 1) return ordered[0] ?? null
  const exact = fitting.filter(({ amount }) => amount === refund.amount)
  if (exact.length > 0) return exact.toSorted(latestFirst)[0] ?? null
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function fits(refund: UnreferencedRefund, purchase: RefundablePurchase): boolean {
  return (
    purchase.userId === refund.userId &&
    purchase.source === refund.source &&
    (purchase.accountId === null || refund.accountId === null || purchase.accountId === refund.accountId) &&
    purchase.currency === refund.currency &&
    purchase.at <= refund.at &&
    purchase.left >= refund.amount &&
    (purchase.orderId === null || refund.orderId === null || purchase.orderId === refund.orderId) &&
    isSameMerchant(purchase.merchant, refund.merchant)
  )
}

function isSameMerchant(one: Merchant, other: Merchant): boolean {
  if (one.brandUid !== null && other.brandUid !== null) return one.brandUid === other.brandUid
  return one.names.some((name) => other.names.includes(name))
}

function latestFirst(a: RefundablePurchase, b: RefundablePurchase): number {
  return b.at.getTime() - a.at.getTime() || (a.transactionId < b.transactionId ? 1 : -1)
}
