import type { FeedRow } from '../rows.ts'
import { isSameMerchant } from './merchant-keys.ts'

type Refund = Pick<FeedRow, 'cardId' | 'merchantKeys' | 'currency' | 'amount' | 'boughtOn'>

/**
 * The purchase that a refund gives back, where that is certain: same card and merchant, bought before, enough of it
 * left; of several only the latest of exactly this amount. Refunds carry no reference to what they refund.
 */
export function purchaseOf(rows: readonly FeedRow[], refund: Refund): FeedRow | null {
  if (refund.cardId === null) return null
  const live = rows.filter(
    (row) =>
      row.cardId === refund.cardId && row.replacedBy === null && !row.removed && row.currency === refund.currency,
  )
  const refunded = (purchase: FeedRow): bigint =>
    live.reduce((sum, row) => (row.refundOf === purchase.externalId ? sum + row.amount : sum), 0n)
  const candidates = live.filter(
    (row) =>
      row.handedAs === 'CLEARING' &&
      row.boughtOn <= refund.boughtOn &&
      isSameMerchant(row.merchantKeys, refund.merchantKeys) &&
      row.amount - refunded(row) >= refund.amount,
  )
  const exact = candidates.filter((row) => row.amount === refund.amount)
  if (exact.length > 0) return exact.toSorted((a, b) => (a.boughtOn < b.boughtOn ? 1 : -1))[0] ?? null
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}
