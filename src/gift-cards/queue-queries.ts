import { given, type Reader, type Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'

/** An order or a refund that the supplier has yet to be told of, or to answer. */
export type QueuedItem = {
  /** Of the order, or of the card that is to be refunded. */
  readonly itemId: string
  readonly kind: 'order' | 'refund'
  readonly userId: UserId
  readonly publisherId: PublisherId
  /** Including this one. */
  readonly attempts: number
}

export async function enqueue(
  tx: Tx,
  publisherId: PublisherId,
  items: readonly Pick<QueuedItem, 'itemId' | 'kind' | 'userId'>[],
): Promise<void> {
  await tx`
    insert into gift_card_queue (item_id, kind, user_id, publisher_id, due_at)
    select item_id, kind, user_id, ${publisherId}, now()
    from ${given(tx, items, { itemId: 'uuid', kind: 'plain', userId: 'uuid' })}`
}

/**
 * Claims due items until an instant, after which others take them over. With a publisher: all of its, even those that
 * another process holds, for a caller that waits for them; the supplier delivers once however often it is told.
 */
export async function claimItems(
  reader: Reader,
  publisherId: PublisherId | null,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<QueuedItem[]> {
  return reader<QueuedItem[]>`
    -- all publishers: the queue is everybody's
    update gift_card_queue q set due_at = ${until}, attempts = q.attempts + 1
    from (
      select item_id from gift_card_queue
      where ${publisherId === null ? reader`due_at <= ${now}` : reader`publisher_id = ${publisherId}`}
      order by due_at
      limit ${limit}
      for update ${publisherId === null ? reader`skip locked` : reader``}
    ) as due
    where q.item_id = due.item_id
    returning q.item_id, q.kind, q.user_id, q.publisher_id, q.attempts`
}

export async function postpone(reader: Reader, { publisherId, itemId }: QueuedItem, dueAt: Date): Promise<void> {
  await reader`
    update gift_card_queue set due_at = ${dueAt}
    where publisher_id = ${publisherId} and item_id = ${itemId}`
}

export async function dequeue(tx: Tx, { publisherId, itemId }: QueuedItem): Promise<void> {
  await tx`delete from gift_card_queue where publisher_id = ${publisherId} and item_id = ${itemId}`
}
