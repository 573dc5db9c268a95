import { openBook } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { dequeueCall } from '../../platform/queue/row-queue.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { announceOrders } from './announce.ts'
import { createStatusRefusal, getOrderOfCard } from './cards.ts'
import type { GiftCard, GiftCardId, GiftCardOrder, OrderWithCards } from './order.ts'
import { findCard, updateCards, updateOrder } from './queries.ts'
import { deriveOrderStatus } from './rules.ts'
import { type GiftCardDeps, reportCards } from './source-events.ts'
import { tellRedemption } from './supplier/deliver.ts'
import { enqueue, SUPPLIER_CALLS, type SupplierCall } from './supplier/queue-queries.ts'

/**
 * Requests a refund of a delivered card, which the worker passes on to the supplier. Until the supplier answers, the
 * card's code cannot be revealed. Repeating the request changes nothing.
 * @throws Refusal gift_card_not_found, gift_card_status
 */
export async function requestRefund(
  tx: Tx,
  publisher: Publisher,
  cardId: GiftCardId,
  now: Date,
): Promise<OrderWithCards> {
  const { order, cards, card } = await lockCard(tx, publisher, cardId)
  if (card.status === 'refunding' || card.status === 'refunded') return { order, cards }
  if (card.status !== 'delivered') throw createStatusRefusal(card)
  await enqueue(tx, publisher.id, [{ userId: card.userId, id: cardId, kind: 'refund' }])
  return recordChange(tx, publisher, { order, cards }, { ...card, status: 'refunding' }, now)
}

/** Requests a card's refund from the supplier and applies the answer. */
export async function refundQueuedCard(
  deps: GiftCardDeps,
  publisher: Publisher,
  call: SupplierCall,
  now: Date,
): Promise<void> {
  const cardId = call.id as GiftCardId
  const known = await findCard(deps.db.reader, publisher.id, cardId)
  if (known === null || known.supplierCardId === null) throw new Error('the card to refund does not exist')
  const refused = await deps.giftCardSupplier.refund(known.supplierCardId)
  await deps.db.transaction(async (tx) => {
    const { order, cards, card } = await lockCard(tx, publisher, cardId)
    await dequeueCall(tx, SUPPLIER_CALLS, call)
    if (card.status !== 'refunding') return
    if (refused !== null) {
      const kept = await recordChange(tx, publisher, { order, cards }, { ...card, status: 'delivered' }, now)
      await announceOrders(tx, publisher, 'gift_card.refund_refused', [kept], now)
      return
    }
    const changed = await recordChange(tx, publisher, { order, cards }, { ...card, status: 'refunded' }, now)
    await reportCards(tx, deps, publisher, { order, cards: [{ ...card, event: 'refunded' }] }, now)
    await announceOrders(tx, publisher, 'gift_card.refunded', [changed], now)
    await tellRedemption(tx, order, 'returned')
  })
}

/** Locks the card's user, so that no other transaction can change the order. */
async function lockCard(
  tx: Tx,
  publisher: Publisher,
  cardId: GiftCardId,
): Promise<OrderWithCards & { readonly card: GiftCard }> {
  const { order } = await getOrderOfCard(tx, publisher, cardId)
  await openBook(tx, publisher, [order.userId])
  return getOrderOfCard(tx, publisher, cardId)
}

async function recordChange(
  tx: Tx,
  publisher: Publisher,
  { order, cards }: OrderWithCards,
  card: GiftCard,
  now: Date,
): Promise<OrderWithCards> {
  const after = cards.map((one) => (one.cardId === card.cardId ? card : one))
  const changed: GiftCardOrder = {
    ...order,
    status: deriveOrderStatus(after),
    version: order.version + 1,
    updatedAt: now,
  }
  await updateCards(tx, publisher.id, [card])
  await updateOrder(tx, changed)
  return { order: changed, cards: after }
}
