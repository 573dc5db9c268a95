import type { Assortment, CatalogStore } from '../../catalog/catalog/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { formatDecimal } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { evaluatePurchases } from '../../purchases/transactions/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import { supplierUnavailable } from './cards.ts'
import type { GiftCardRefusal } from './errors.ts'
import { findOrderableCards, type OrderRequest } from './offers.ts'
import { countByDenomination } from './rules.ts'
import { buildCardPurchase } from './source-events.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'

type QuotedCard = {
  readonly denomination: bigint
  readonly userCashback: bigint
  readonly statusReason: string | null
}
export type Quote = { readonly currency: string; readonly cards: readonly QuotedCard[]; readonly validUntil: Date }

type QuoteDeps = {
  readonly db: Database
  readonly catalog: CatalogStore
  readonly assortment: Assortment
  readonly giftCardSupplier: GiftCardSupplier
}

/**
 * Quotes the cost and reward of the cards, each as a separate purchase but all evaluated together. Stores nothing.
 * Makes a network call, so it must not run in a transaction.
 * @throws Refusal user_not_found, offer_unknown, offer_not_available, denomination_invalid, gift_card_supplier_missing,
 * gift_card_unavailable, gift_card_supplier_unavailable
 */
export async function quoteGiftCards(
  { db, catalog, assortment, giftCardSupplier }: QuoteDeps,
  publisher: Publisher,
  request: Omit<OrderRequest, 'externalRef'>,
  now: Date,
): Promise<Quote> {
  const { user } = await getUser(db.reader, publisher, request.publisherUserId, now)
  const { offer, denominations } = findOrderableCards(assortment, publisher, request, now)
  const lines = countByDenomination(denominations.map((denomination) => ({ denomination }))).map((line) => ({
    denomination: formatDecimal(line.denomination, offer.currency),
    quantity: line.quantity,
  }))
  const { offerUid, currency } = offer
  const quoted = await giftCardSupplier.quote({ product: offerUid, currency, lines }, now).catch(() => null)
  if (quoted === null) throw supplierUnavailable()
  if ('refused' in quoted)
    throw new Refusal<GiftCardRefusal>(
      'gift_card_unavailable',
      'The supplier does not have these cards at the moment.',
      {
        members: { reason_code: quoted.refused.code },
      },
    )
  const purchases = denominations.map((denomination) => ({
    ...buildCardPurchase({ userId: user.userId, currency, offerUid }, { denomination }),
    kind: 'CLEARING' as const,
    externalId: '',
  }))
  const judged = await evaluatePurchases(db.reader, { catalog }, publisher, purchases, now)
  return {
    currency,
    validUntil: quoted.validUntil,
    cards: judged.map(({ paid, trace }, index) => ({
      denomination: denominations[index] ?? 0n,
      userCashback: paid.user,
      statusReason: trace.status_reason,
    })),
  }
}
