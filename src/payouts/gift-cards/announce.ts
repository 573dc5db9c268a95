import { recordEvents } from '../../events/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type OrderWithCards, presentOrder } from './order.ts'

type GiftCardEvent =
  | 'gift_card.ordered'
  | 'gift_card.delivered'
  | 'gift_card.failed'
  | 'gift_card.refunded'
  | 'gift_card.refund_refused'

/**
 * Announces the current state of orders to the publisher. Card numbers are masked, because events are stored and
 * forwarded.
 */
export async function announceOrders(
  tx: Tx,
  publisher: Publisher,
  type: GiftCardEvent,
  orders: readonly OrderWithCards[],
  now: Date,
): Promise<void> {
  const records = orders.map((one) => ({ type, userId: one.order.userId, data: presentOrder(one) }))
  await recordEvents(tx, publisher, records, now)
}
