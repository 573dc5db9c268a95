import { openBook } from '../../ledger/index.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getOrder } from './cards.ts'
import type { GiftCardRefusal } from './errors.ts'
import type { GiftCardOrderId, OrderWithCards } from './order.ts'
import { listCards, listOrdersById } from './queries.ts'
import type { CardReportDeps } from './source-events.ts'
import { settle } from './supplier/deliver.ts'
import { markEnded, type UndecidedCall } from './supplier/queue-queries.ts'

/**
 * Ends an order left undecided by the supplier, once a person has found out that nothing will be delivered. The order
 * fails, and whoever took the user's money refunds it. The cards are never ordered again. If the supplier delivers them
 * anyway, a contradiction is recorded.
 * @throws Refusal gift_card_order_not_found, gift_card_order_status
 */
export async function endOrder(
  tx: Tx,
  deps: CardReportDeps,
  publisher: Publisher,
  { orderId, reason }: { readonly orderId: GiftCardOrderId; readonly reason: string },
  now: Date,
): Promise<OrderWithCards> {
  const found = await getOrder(tx, publisher, orderId)
  await openBook(tx, publisher, [found.order.userId])
  const { order, cards } = await getOrder(tx, publisher, orderId)
  if (order.status === 'failed') return { order, cards }
  if (order.status !== 'ordered')
    throw new Refusal<GiftCardRefusal>(
      'gift_card_order_status',
      `The order is ${order.status}, so it cannot be marked as failed.`,
      {
        members: { status: order.status },
      },
    )
  await markEnded(tx, order)
  const ended: OrderWithCards = {
    order: {
      ...order,
      status: 'failed',
      reasonCode: 'ended_by_operator',
      reasonText: reason,
      version: order.version + 1,
      updatedAt: now,
    },
    cards: cards.map((card) => ({ ...card, status: 'undelivered' })),
  }
  await settle(tx, deps, publisher, ended, now)
  return ended
}

export type UndecidedOrder = OrderWithCards & Pick<UndecidedCall, 'attempts' | 'queuedAt'>

/** Reads the orders of undecided supplier calls, with their cards. */
export async function readUndecidedOrders(reader: Reader, calls: readonly UndecidedCall[]): Promise<UndecidedOrder[]> {
  const ids = calls.map(({ itemId }) => itemId)
  const orders = new Map((await listOrdersById(reader, ids)).map((order) => [order.orderId, order]))
  const byPublisher = Map.groupBy(orders.values(), (order) => order.publisherId)
  const cards = await Promise.all([...byPublisher].map(([id, some]) => listCards(reader, id, some)))
  const cardsByOrder = Map.groupBy(cards.flat(), ({ orderId }) => orderId)
  return calls.flatMap(({ itemId, attempts, queuedAt }) => {
    const order = orders.get(itemId)
    return order === undefined ? [] : [{ order, cards: cardsByOrder.get(itemId) ?? [], attempts, queuedAt }]
  })
}
