import { recordEvents } from '../../events/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { listUserNames } from '../../users/users/index.ts'
import type { OrderWithCards } from './order.ts'
import { presentOrder } from './schema.ts'

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
  const userIds = [...new Set(orders.map(({ order }) => order.userId))]
  const names = await listUserNames(tx, publisher.id, userIds)
  const records = orders.map((one) => ({
    type,
    userId: one.order.userId,
    data: presentOrder(one, names.get(one.order.userId) ?? ''),
  }))
  await recordEvents(tx, publisher, records, now)
}
