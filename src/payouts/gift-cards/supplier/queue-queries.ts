import { asTable, type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { CALL_RETRY_MS, type QueuedCall, type RowQueue } from '../../../platform/queue/row-queue.ts'
import { countWaiting, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { type OperatorList, publisherFilter } from '../../../tenants/access/index.ts'
import { isMoving, type Publisher } from '../../../tenants/publishers/index.ts'
import type { GiftCardOrder, GiftCardOrderId } from '../order.ts'

/** The queue of orders and refunds that the supplier has not yet decided. */
export const SUPPLIER_CALLS: RowQueue = {
  name: 'gift cards',
  table: 'gift_card_queue',
  key: 'item_id',
  retryMs: CALL_RETRY_MS,
  failure: 'a gift card supplier will be called again later',
  isHeldBack: isMoving,
}

export type SupplierCall = QueuedCall & {
  /** Determines whether `id` refers to an order or to a card to refund. */
  readonly kind: 'order' | 'refund'
  /** When an operator ended the order, or null if none has. */
  readonly endedAt: Date | null
}

export async function enqueue(
  tx: Tx,
  publisherId: PublisherId,
  calls: readonly Pick<SupplierCall, 'id' | 'kind' | 'userId'>[],
): Promise<void> {
  await tx`
    insert into gift_card_queue (item_id, kind, user_id, publisher_id, due_at)
    select id, kind, user_id, ${publisherId}, now()
    from ${asTable(tx, calls, { id: 'uuid', kind: 'plain', userId: 'uuid' })}`
}

/**
 * Suppliers usually deliver within moments. An hour outlasts most of their outages, yet leaves time for someone to
 * investigate the same day.
 */
const UNDECIDED_AFTER = '1 hour'

const isUndecided = (reader: Reader) => reader`
  gift_card_queue.ended_at is null and gift_card_queue.queued_at < now() - ${UNDECIDED_AFTER}::interval`

const isUndecidedOrder = (reader: Reader) => reader`gift_card_queue.kind = 'order' and ${isUndecided(reader)}`

export type UndecidedCall = Pick<SupplierCall, 'publisherId' | 'attempts' | 'queuedAt'> & {
  readonly itemId: GiftCardOrderId
}

/** All publishers' orders that have been undecided for over an hour, oldest first. */
export const UNDECIDED_CALLS: OperatorList<UndecidedCall> = {
  table: 'gift_card_queue',
  id: 'itemId',
  columns: (reader) => selectColumns(reader, 'gift_card_queue', ['itemId', 'publisherId', 'attempts', 'queuedAt']),
  only: isUndecidedOrder,
  sorts: {
    waiting_since: { type: 'instant', column: 'queued_at' },
    '-waiting_since': { type: 'instant', column: 'queued_at' },
  },
  filters: publisherFilter,
}

/** Counts the orders that have been undecided for over an hour, and returns when the oldest was queued. */
export async function countWaitingOrders(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: operators look after the orders of all
      select queued_at as since from gift_card_queue where ${isUndecidedOrder(reader)}
      order by queued_at limit ${limit}`,
  )
}

/** Counts undecided orders and refunds for metrics. Includes refunds even though operators cannot end them. */
export async function countUndecided(
  reader: Reader,
): Promise<{ environment: Publisher['environment']; kind: SupplierCall['kind']; count: number }[]> {
  return reader`
    -- all publishers: totals for metrics
    select environment, kind, count(*)::int as count
    from gift_card_queue join publishers using (publisher_id)
    where ${isUndecided(reader)}
    group by environment, kind`
}

/** Marks an order as ended by an operator. The supplier is still polled for its decision. */
export async function markEnded(tx: Tx, { publisherId, orderId }: GiftCardOrder): Promise<void> {
  await tx`
    update gift_card_queue set ended_at = now()
    where publisher_id = ${publisherId} and item_id = ${orderId}`
}
