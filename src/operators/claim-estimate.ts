import type { Claim } from '../claims/index.ts'
import { startOfDay } from '../platform/calendar.ts'
import { decimalText, toJsonNumber } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Publisher, publisherNow } from '../publishers/index.ts'
import type { Transaction } from '../rewards/index.ts'
import { evaluatePurchase, readSourceEvent } from '../transactions/index.ts'
import type { OperatorDeps } from './deps.ts'

/**
 * Estimates the reward of a claimed purchase as if it were reported now, so that the decider need not work it out. The
 * user's other purchases count, for example towards limits. Null if the claim has no amount, or neither a brand, an
 * offer nor a merchant.
 */
export async function estimateClaim(
  deps: OperatorDeps,
  publisher: Publisher,
  claim: Claim,
  about: Transaction | null,
  publisherUserId: string,
) {
  const amount = claim.amount ?? about?.amount ?? null
  const currency = (claim.amount === null ? about?.currency : claim.currency) ?? publisher.currency
  const brandUid = claim.brandUid ?? about?.brandUid ?? undefined
  const { offerUid, merchant, orderId, purchaseDate } = claim
  if (amount === null || (brandUid === undefined && offerUid === null && merchant === null)) return null
  const now = publisherNow(publisher, deps.clock)
  const at = purchaseDate === null ? about?.authorizedAt : startOfDay(purchaseDate, publisher.timeZone)
  const body = {
    publisher_user_id: publisherUserId,
    source: 'OTHER' as const,
    currency,
    amount: Number(decimalText(amount, currency)),
    ...(brandUid === undefined ? {} : { brand_uid: brandUid }),
    ...(offerUid === null ? {} : { offer_uid: offerUid }),
    ...(merchant === null ? {} : { merchant_name: merchant }),
    ...(orderId === null ? {} : { order_id: orderId }),
    ...(at === undefined ? {} : { transaction_date_time: at.toISOString() }),
  }
  try {
    const input = readSourceEvent(publisher, body, now)
    await deps.catalog.lookFor([input.facts])
    const { paid, trace } = await evaluatePurchase(deps.db.reader, deps, publisher, input, now)
    const reward = toJsonNumber(paid.user + paid.discount, currency)
    return { amount: reward, currency, status_reason: trace.status_reason }
  } catch (error) {
    // The claim may name a brand that has left the catalog, or an impossible date.
    if (error instanceof Refusal) return null
    throw error
  }
}
