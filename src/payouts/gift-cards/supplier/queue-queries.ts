import { given, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { CALL_RETRY_MS, type QueuedCall, type RowQueue } from '../../../platform/queue/row-queue.ts'
import { countWaiting, type WaitingCount } from '../../../platform/queue/waiting.ts'
import { isMoving, type Publisher } from '../../../tenants/publishers/index.ts'
import type { GiftCardOrder } from '../order.ts'

/** The queue of orders and refunds that the supplier has not received or decided yet. */
export const SUPPLIER_CALLS: RowQueue = {
  name: 'gift cards',
  table: 'gift_card_queue',
  key: 'item_id',
  retryMs: CALL_RETRY_MS,
  failure: 'a gift card supplier will be called again later',
  isHeldBack: isMoving,
}

export type SupplierCall = QueuedCall & {
  /** `id` is the ID of the order, or of the card to refund. */
  readonly kind: 'order' | 'refund'
  /** The time an operator ended the order. */
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
    from ${given(tx, calls, { id: 'uuid', kind: 'plain', userId: 'uuid' })}`
}

/**
 * Suppliers deliver within moments. An hour outlasts most of their outages, yet is short enough for someone to look at
 * the order on the same day.
 */
const UNDECIDED_AFTER = '1 hour'

const isUndecided = (reader: Reader) => reader`
  q.ended_at is null and q.queued_at < now() - ${UNDECIDED_AFTER}::interval`

const isUndecidedOrder = (reader: Reader) => reader`q.kind = 'order' and ${isUndecided(reader)}`

/** Lists orders that have been undecided for over an hour, of one publisher or of all, oldest first. */
export async function listUndecided(
  reader: Reader,
  publisherId: PublisherId | null,
  limit: number,
): Promise<SupplierCall[]> {
  return reader<SupplierCall[]>`
    -- all publishers: operators look after the orders of all
    select q.item_id as id, q.kind, q.user_id, q.publisher_id, q.attempts, q.queued_at, q.ended_at
    from gift_card_queue q
    where ${isUndecidedOrder(reader)} ${publisherId === null ? reader`` : reader`and q.publisher_id = ${publisherId}`}
    order by q.queued_at, q.item_id
    limit ${limit}`
}

/** Counts the orders that have been undecided for over an hour, and returns how long the oldest has waited. */
export async function waitingOrders(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: operators look after the orders of all
      select q.queued_at as since from gift_card_queue q where ${isUndecidedOrder(reader)}
      order by q.queued_at limit ${limit}`,
  )
}

/** Counts them for metrics, including refunds, which an operator cannot end. */
export async function countUndecided(
  reader: Reader,
): Promise<{ environment: Publisher['environment']; kind: SupplierCall['kind']; count: number }[]> {
  return reader`
    -- all publishers: totals for metrics
    select p.environment, q.kind, count(*)::int as count
    from gift_card_queue q join publishers p using (publisher_id)
    where ${isUndecided(reader)}
    group by p.environment, q.kind`
}

/** Marks an order as over for its publisher. The supplier is still polled for its decision. */
export async function markEnded(tx: Tx, { publisherId, orderId }: GiftCardOrder): Promise<void> {
  await tx`
    update gift_card_queue set ended_at = now()
    where publisher_id = ${publisherId} and item_id = ${orderId}`
}
