import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { openBook } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { getOrder, orderNotFound } from './cards.ts'
import type { GiftCardRefusal } from './errors.ts'
import type { GiftCardOrderId, OrderWithCards } from './order.ts'
import { listOrdersById, type OperatorOrder } from './queries.ts'
import { settle } from './supplier/deliver.ts'
import { markEnded } from './supplier/queue-queries.ts'

/**
 * Ends an order left undecided by the supplier, once a person has found out that nothing will be delivered, and records
 * it in the audit log. The order fails, and whoever took the user's money refunds it. The cards are never ordered
 * again.
 * If the supplier delivers them anyway, a contradiction is recorded.
 * @throws Refusal gift_card_order_not_found, gift_card_order_status
 */
export async function endOrderAs(
  tx: Tx,
  deps: Pick<CatalogOperatorDeps, 'catalog' | 'vault' | 'clock'>,
  { orderId, reason, by }: { readonly orderId: GiftCardOrderId; readonly reason: string; readonly by: Actor },
): Promise<{ readonly order: OperatorOrder; readonly cards: OrderWithCards['cards'] }> {
  const [found] = await listOrdersById(tx, [orderId])
  if (found === undefined) throw orderNotFound()
  const publisher = await getPublisher(tx, found.publisherId)
  await openBook(tx, publisher, [found.userId])
  let ended = await getOrder(tx, publisher, orderId)
  const { order, cards } = ended
  if (order.status !== 'failed' && order.status !== 'ordered')
    throw new Refusal<GiftCardRefusal>(
      'gift_card_order_status',
      `The order is ${order.status}, so it cannot be marked as failed.`,
      { members: { status: order.status } },
    )
  if (order.status === 'ordered') {
    await markEnded(tx, order)
    const now = publisherNow(publisher, deps.clock)
    ended = {
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
  }
  const { status, version } = ended.order
  const entry = { actor: by, action: 'gift_card_order.ended', subject: encodeId('gco', orderId) }
  await audit(tx, { ...entry, after: { status, version, reason } }, deps.clock.now())
  return { order: { ...ended.order, environment: publisher.environment }, cards: ended.cards }
}
