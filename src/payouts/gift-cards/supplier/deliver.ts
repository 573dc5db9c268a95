import { openBook } from '../../../ledger/index.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { encodeId } from '../../../platform/ids.ts'
import { formatDecimal, toMinor } from '../../../platform/money.ts'
import { recordFact } from '../../../platform/queue/outbox.ts'
import { dequeueCall } from '../../../platform/queue/row-queue.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { recordContradictions } from '../../contradictions/index.ts'
import { announceOrders } from '../announce.ts'
import { sealCard } from '../details.ts'
import type { GiftCard, GiftCardOrder, GiftCardOrderId, OrderWithCards } from '../order.ts'
import { findOrder, listCards, updateCards, updateOrder } from '../queries.ts'
import { allot, countByDenomination, deriveOrderStatus, maskNumber } from '../rules.ts'
import { type CardReportDeps, type GiftCardDeps, reportCards } from '../source-events.ts'
import { SUPPLIER_CALLS, type SupplierCall } from './queue-queries.ts'
import type { DeliveredCard, DeliveryAnswer, SupplierOrder } from './supplier.ts'

// Suppliers bill their customers monthly, so every delivery comes to light within this time.
const ASKED_AFTER_END_MS = 40 * DAY_MS

/**
 * Places an order with the supplier, or polls the order already placed, and applies the answer.
 * @returns true if the supplier need not be called again
 */
export async function deliverOrder(
  deps: GiftCardDeps,
  publisher: Publisher,
  call: SupplierCall,
  now: Date,
): Promise<boolean> {
  const orderId = call.id as GiftCardOrderId
  const order = await findOrder(deps.db.reader, publisher.id, orderId)
  if (order === null) throw new Error('a queued gift card order does not exist')
  const { giftCardSupplier: supplier, db, clock } = deps
  if (order.status !== 'ordered') {
    // An operator has ended the order, so it is never placed again. A call already in progress may still be answered.
    const isOver = clock.now().getTime() - call.queuedAt.getTime() > ASKED_AFTER_END_MS
    if (isOver) await db.transaction((tx) => dequeueCall(tx, SUPPLIER_CALLS, call))
    if (isOver || order.supplierOrderId === null) return isOver
  }
  const answer =
    order.supplierOrderId === null
      ? await supplier.order(toSupplierOrder(order, await listCards(db.reader, [order])), now)
      : await supplier.findOrder(order.supplierOrderId, now)
  return db.transaction((tx) => applyDelivery(tx, deps, publisher, { call, orderId, answer }, now))
}

function toSupplierOrder(order: GiftCardOrder, cards: readonly GiftCard[]): SupplierOrder {
  return {
    account: encodeId('pub', order.publisherId),
    reference: encodeId('gco', order.orderId),
    product: order.offerUid,
    currency: order.currency,
    lines: countByDenomination(cards).map(({ denomination, quantity }) => ({
      denomination: formatDecimal(denomination, order.currency),
      quantity,
    })),
  }
}

type Answered = { readonly call: SupplierCall; readonly orderId: GiftCardOrderId; readonly answer: DeliveryAnswer }

async function applyDelivery(
  tx: Tx,
  deps: GiftCardDeps,
  publisher: Publisher,
  { call, orderId, answer }: Answered,
  now: Date,
): Promise<boolean> {
  await openBook(tx, publisher, [call.userId])
  const order = await findOrder(tx, publisher.id, orderId)
  if (order === null) throw new Error('a queued gift card order does not exist')
  if (answer.status === 'processing') {
    await updateOrder(tx, { ...order, supplierOrderId: answer.supplierOrderId })
    return false
  }
  const wasQueued = await dequeueCall(tx, SUPPLIER_CALLS, call)
  if (order.status !== 'ordered') {
    // If the call was no longer queued, another process has already applied the same answer.
    if (wasQueued) await keepContradiction(tx, order, answer)
    return true
  }
  const cards = cardsAfter(deps.vault, order, await listCards(tx, [order]), answer)
  const refused = answer.status === 'refused' ? answer.reason : null
  const status = deriveOrderStatus(cards)
  const settled: GiftCardOrder = {
    ...order,
    status,
    supplierOrderId: answer.status === 'ended' ? answer.supplierOrderId : null,
    reasonCode: refused?.code ?? (status === 'failed' ? 'not_delivered' : null),
    reasonText: refused?.message ?? null,
    version: order.version + 1,
    updatedAt: now,
  }
  await settle(tx, deps, publisher, { order: settled, cards }, now)
  return true
}

/**
 * Records a contradiction if cards arrive after the order failed. The money is already being refunded, so the cards do
 * not belong to the user, and a person must sort it out.
 */
async function keepContradiction(tx: Tx, order: GiftCardOrder, answer: DeliveryAnswer): Promise<void> {
  if (answer.status !== 'ended' || answer.cards.length === 0) return
  const { userId, publisherId, orderId, status } = order
  await updateOrder(tx, { ...order, supplierOrderId: answer.supplierOrderId })
  await recordContradictions(tx, publisherId, [
    {
      userId,
      subject: encodeId('gco', orderId),
      known: status,
      reported: 'delivered',
      reportedBy: 'supplier',
      code: null,
      text: `${answer.cards.length} cards`,
      reference: answer.supplierOrderId,
    },
  ])
}

function cardsAfter(
  vault: Vault,
  order: GiftCardOrder,
  cards: readonly GiftCard[],
  answer: DeliveryAnswer,
): GiftCard[] {
  const delivered =
    answer.status === 'ended'
      ? answer.cards.map((card) => ({ ...card, denomination: parseMinor(card, order.currency) }))
      : []
  const allotted = allot(cards, delivered)
  if (allotted === null) throw new Error('the gift card supplier delivered cards that were not ordered')
  return cards.map((card, index): GiftCard => {
    const given = allotted[index] ?? null
    if (given === null) return { ...card, status: 'undelivered' }
    const { supplierCardId, number, expiresOn } = given
    const sealedDetails = sealCard(vault, card, { number, code: given.code })
    return { ...card, status: 'delivered', supplierCardId, mask: maskNumber(number), sealedDetails, expiresOn }
  })
}

function parseMinor({ denomination }: Pick<DeliveredCard, 'denomination'>, currency: string): bigint {
  const minor = toMinor(denomination, currency)
  if (minor === null) throw new Error('the gift card supplier returned an amount that is invalid in the currency')
  return minor
}

/** Records an order's outcome: updates its purchases, announces it, and notifies the redemption that pays for it. */
export async function settle(
  tx: Tx,
  deps: CardReportDeps,
  publisher: Publisher,
  settled: OrderWithCards,
  now: Date,
): Promise<void> {
  const { order, cards } = settled
  await updateOrder(tx, order)
  await updateCards(tx, publisher.id, cards)
  const events = cards.map((card) => ({
    ...card,
    event: card.status === 'delivered' ? ('delivered' as const) : ('undelivered' as const),
  }))
  await reportCards(tx, deps, publisher, { order, cards: events }, now)
  const isFailed = order.status === 'failed'
  await announceOrders(tx, publisher, isFailed ? 'gift_card.failed' : 'gift_card.delivered', [settled], now)
  if (order.redemptionId !== null) await tellRedemption(tx, order, isFailed ? 'failed' : 'paid')
}

/**
 * Reports the outcome to the redemption that pays for the order. Sent as a fact, because redemptions belong to a higher
 * room.
 */
export async function tellRedemption(
  tx: Tx,
  { publisherId, redemptionId, orderId, reasonCode, reasonText }: GiftCardOrder,
  outcome: 'paid' | 'failed' | 'returned',
): Promise<void> {
  if (redemptionId === null) return
  await recordFact(tx, publisherId, 'gift_card.settled', {
    redemptionId,
    outcome,
    reference: encodeId('gco', orderId),
    ...(reasonCode === null ? {} : { code: reasonCode }),
    ...(reasonText === null ? {} : { text: reasonText }),
  })
}
