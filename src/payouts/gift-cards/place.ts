import type { Assortment } from '../../catalog/catalog/index.ts'
import { openBook } from '../../ledger/index.ts'
import { buildConflictRefusal, listDifferingFields } from '../../platform/conflict.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Id, newUuid, toUserId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getNamedUser } from '../../users/users/index.ts'
import { announceOrders } from './announce.ts'
import type { GiftCardRefusal } from './errors.ts'
import { findOrderableCards, type OrderRequest } from './offers.ts'
import type { GiftCardOrder, OrderWithCards } from './order.ts'
import { findOrderByRef, insertCards, insertOrders, listCards } from './queries.ts'
import { type CardReportDeps, reportCards } from './source-events.ts'
import { enqueue } from './supplier/queue-queries.ts'

/**
 * Orders cards that the user has paid the publisher for, regardless of the user's status. Whether the purchase earns a
 * reward is decided as for any other purchase. If an order with this `externalRef` exists, returns it in its current
 * state.
 * @throws Refusal user_not_found, gift_card_order_conflict, offer_unknown, offer_not_available, denomination_invalid,
 * gift_card_supplier_missing
 */
export async function orderGiftCards(
  tx: Tx,
  deps: CardReportDeps & { readonly assortment: Assortment },
  publisher: Publisher,
  request: OrderRequest,
  now: Date,
): Promise<OrderWithCards> {
  // Locks the user, so that the second of two requests with the same reference finds the first one's order. A user
  // whose erasure has been requested is no longer found.
  await openBook(tx, publisher, [toUserId(publisher.id, request.publisherUserId)])
  const user = await getNamedUser(tx, publisher, request.publisherUserId)
  const known = await findOrderByRef(tx, publisher.id, user.userId, request.externalRef)
  if (known !== null) return sameOrder({ order: known, cards: await listCards(tx, [known]) }, request)
  const { offer, denominations } = findOrderableCards(deps.assortment, publisher, request, now)
  const { order, cards } = newOrder(
    publisher,
    { ...request, userId: user.userId, redemptionId: null, currency: offer.currency, denominations },
    now,
  )
  const events = cards.map((card) => ({ ...card, event: 'ordered' as const }))
  const purchases = await reportCards(tx, deps, publisher, { order, cards: events }, now)
  const placed = {
    order,
    cards: cards.map((card, index) => ({ ...card, transactionId: purchases[index] ?? null })),
  }
  await recordPlaced(tx, publisher, [placed], now)
  return placed
}

/**
 * Orders the card that each of these redemptions pays for. The caller must have locked the users and checked the
 * redemptions.
 */
export async function orderForRedemptions(
  tx: Tx,
  publisher: Publisher,
  redemptions: readonly (Pick<GiftCardOrder, 'userId' | 'publisherUserId' | 'offerUid' | 'currency'> & {
    readonly redemptionId: Id<'redemption'>
    readonly amount: bigint
  })[],
  now: Date,
): Promise<void> {
  const placed = redemptions.map(({ amount, ...redemption }) =>
    newOrder(publisher, { ...redemption, externalRef: null, denominations: [amount] }, now),
  )
  await recordPlaced(tx, publisher, placed, now)
}

async function recordPlaced(tx: Tx, publisher: Publisher, placed: readonly OrderWithCards[], now: Date): Promise<void> {
  const orders = placed.map(({ order }) => order)
  await insertOrders(tx, publisher.id, orders)
  await insertCards(
    tx,
    publisher.id,
    placed.flatMap(({ cards }) => cards),
  )
  await enqueue(
    tx,
    publisher.id,
    orders.map(({ userId, orderId: id }) => ({ userId, id, kind: 'order' })),
  )
  await announceOrders(tx, publisher, 'gift_card.ordered', placed, now)
}

/** Returns the existing order if the request matches it, and refuses the request otherwise. */
function sameOrder(known: OrderWithCards, { offerUid, items }: OrderRequest): OrderWithCards {
  const { order, cards } = known
  const asked = items.flatMap(({ denomination, quantity }) =>
    Array.from({ length: quantity }, () => toMinor(denomination, order.currency) ?? 0n),
  )
  const ordered = cards.map(({ denomination }) => denomination)
  const sorted = (amounts: readonly bigint[]): string => amounts.map(String).toSorted().join(' ')
  const fields = listDifferingFields(
    { offerUid: order.offerUid, items: sorted(ordered) },
    { offerUid, items: sorted(asked) },
  )
  if (fields.length === 0) return known
  throw buildConflictRefusal<GiftCardRefusal>('gift_card_order_conflict', {
    what: `The order ${order.externalRef} was placed`,
    key: 'external_ref',
    fields,
  })
}

function newOrder(
  publisher: Publisher,
  {
    denominations,
    ...given
  }: Pick<GiftCardOrder, 'userId' | 'publisherUserId' | 'offerUid' | 'externalRef' | 'redemptionId' | 'currency'> & {
    readonly denominations: readonly bigint[]
  },
  now: Date,
): OrderWithCards {
  const { userId, publisherUserId, offerUid, externalRef, redemptionId, currency } = given
  const orderId = newUuid<'gift-card-order'>()
  const total = denominations.reduce((sum, one) => sum + one, 0n)
  return {
    order: {
      userId,
      orderId,
      publisherId: publisher.id,
      publisherUserId,
      externalRef,
      offerUid,
      redemptionId,
      total,
      currency,
      status: 'ordered',
      supplierOrderId: null,
      reasonCode: null,
      reasonText: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
    cards: denominations.map((denomination, index) => ({
      userId,
      cardId: newUuid<'gift-card'>(),
      publisherId: publisher.id,
      orderId,
      ordinal: index + 1,
      denomination,
      status: 'ordered',
      transactionId: null,
      supplierCardId: null,
      mask: null,
      sealedDetails: null,
      expiresOn: null,
      revealedAt: null,
      mayReveal: true,
    })),
  }
}
