import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { SOURCE_OF_TYPE } from '../../catalog/offers/index.ts'
import { startOfDay } from '../../platform/calendar.ts'
import { formatDecimal, toJsonNumber } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import {
  type Explained,
  evaluatePurchase,
  findMerchantBrand,
  findPurchaseFacts,
  readSourceEvent,
  type SourceEventInput,
  type Transaction,
} from '../transactions/index.ts'
import type { Claim } from './claim.ts'

type Estimate = { readonly amount: number; readonly currency: string; readonly status_reason: string | null }

/**
 * Estimates the reward of a claimed purchase as if it were reported now, to help the person deciding the claim. Takes
 * the user's other purchases into account, for example toward limits. A purchase that was never reported could have
 * been made in any way that an offer of its brand rewards, so the estimate is the best of these possibilities. Returns
 * null if no amount is known or all of it was refunded, or if no brand, offer or merchant is known.
 */
export async function estimateClaim(
  deps: CatalogOperatorDeps,
  publisher: Publisher,
  claim: Claim,
  about: Transaction | null,
  publisherUserId: string,
): Promise<Estimate | null> {
  const bought = claim.amount ?? about?.amount ?? null
  const currency = (claim.amount === null ? about?.currency : claim.currency) ?? publisher.currency
  // The refunded part earns nothing, regardless of the price in the claim.
  const refunded = about?.currency === currency ? about.refunded : 0n
  const amount = bought === null ? null : bought - refunded
  const brandUid = claim.brandUid ?? about?.brandUid ?? undefined
  const { offerUid, merchant, orderId, purchaseDate } = claim
  if (amount === null || amount <= 0n || (brandUid === undefined && offerUid === null && merchant === null)) return null
  const now = publisherNow(publisher, deps.clock)
  const at = purchaseDate === null ? about?.authorizedAt : startOfDay(purchaseDate, publisher.timeZone)
  const body = {
    publisher_user_id: publisherUserId,
    currency,
    amount: Number(formatDecimal(amount, currency)),
    ...(brandUid === undefined ? {} : { brand_uid: brandUid }),
    ...(offerUid === null ? {} : { offer_uid: offerUid }),
    ...(merchant === null ? {} : { merchant_name: merchant }),
    ...(orderId === null ? {} : { order_id: orderId }),
    ...(at === undefined ? {} : { transaction_date_time: at.toISOString() }),
  }
  try {
    const claimed = { ...readSourceEvent(publisher, body, now), dateOnly: purchaseDate !== null }
    await deps.catalog.lookFor([claimed.facts])
    const purchases =
      about === null
        ? await listPossiblePurchases(deps, publisher, claimed)
        : [await claimedAgain(deps, publisher, claimed, about, now)]
    const estimates = await Promise.all(
      purchases.map(async (purchase) =>
        toEstimate(await evaluatePurchase(deps.db.reader, deps, publisher, purchase, now), about),
      ),
    )
    return estimates.toSorted((a, b) => b.amount - a.amount)[0] ?? null
  } catch (error) {
    // The claim might reference a brand that has left the catalog, or contain an impossible date.
    if (error instanceof Refusal) return null
    throw error
  }
}

// Each possibility requires replaying the user's purchases at the brand.
const POSSIBLE_MAX = 6

/** Lists the purchase once per source that an offer of the brand rewards, and for vouchers once per shared code. */
async function listPossiblePurchases(
  { catalog }: CatalogOperatorDeps,
  publisher: Publisher,
  claimed: SourceEventInput,
): Promise<SourceEventInput[]> {
  const assortment = await catalog.getAssortment(publisher)
  const { offerUid } = claimed.facts
  const brandUid = findMerchantBrand(assortment, claimed.facts)
  const offers = (brandUid === null ? [] : assortment.catalog.getOffers(brandUid)).filter((offer) =>
    offerUid === undefined ? assortment.carries(offer) : offer.offerUid === offerUid,
  )
  const ways = new Map(
    offers.map(({ offerType, voucherCode }) => [
      `${offerType} ${voucherCode}`,
      { source: SOURCE_OF_TYPE[offerType], voucherCode },
    ]),
  )
  // Without an offer, the source of the purchase does not affect the reason.
  if (ways.size === 0) return [claimed]
  return [...ways.values()]
    .toSorted((a, b) => Number(a.voucherCode !== null) - Number(b.voucherCode !== null))
    .slice(0, POSSIBLE_MAX)
    .map(({ source, voucherCode }) => ({
      ...claimed,
      source,
      facts: voucherCode === null ? claimed.facts : { ...claimed.facts, voucherCode },
    }))
}

/** Returns the reported purchase with the claim's details applied. */
async function claimedAgain(
  { db }: CatalogOperatorDeps,
  publisher: Publisher,
  claimed: SourceEventInput,
  about: Transaction,
  now: Date,
): Promise<SourceEventInput> {
  const known = await findPurchaseFacts(db.reader, publisher, about, now)
  // Items and a network's statement add up to the reported amount, so they may not fit the claimed one.
  const { items, stated: _, ...facts } = known?.facts ?? {}
  const isSameAmount = about.refunded === 0n && claimed.amount === about.amount && claimed.currency === about.currency
  return {
    ...claimed,
    source: about.source as SourceEventInput['source'],
    dateOnly: claimed.dateOnly || known?.dateOnly === true,
    facts: { ...facts, ...(items !== undefined && isSameAmount ? { items } : {}), ...claimed.facts },
  }
}

// Rules that can fail just because the purchase itself has already used the offer.
const USES: ReadonlySet<string> = new Set(['one_time_use', 'user_limit_uses', 'voucher_code'])

/**
 * Converts the result to an estimate. If the claim is about a purchase that earns, that purchase's own use of an offer
 * is not a reason to refuse it.
 */
function toEstimate({ trace, paid, currency }: Explained, about: Transaction | null): Estimate {
  const { status_reason, candidates } = trace
  const reward = toJsonNumber(paid.user + paid.discount, currency)
  if (status_reason === null || about?.statusReason !== null) return { amount: reward, currency, status_reason }
  const isByItself = (rule: string, offerUid: string): boolean =>
    rule === 'stacking' || (offerUid === about.offerUid && USES.has(rule))
  const again = candidates.filter(({ offer_uid, rules }) =>
    rules.every(({ rule, passed }) => passed || isByItself(rule, offer_uid)),
  )
  const amount = Math.max(0, ...again.map(({ would_earn }) => would_earn ?? 0))
  return { amount, currency, status_reason: amount > 0 ? null : status_reason }
}
