import { makeCalls } from '../platform/call-queue.ts'
import type { PublisherId } from '../platform/ids.ts'
import { getPublisher, publisherNow } from '../publishers/index.ts'
import { deliverOrder } from './deliver.ts'
import type { GiftCardDeps } from './deps.ts'
import { SUPPLIER_CALLS, type SupplierCall } from './queue-queries.ts'
import { refundQueuedCard } from './refund.ts'

/**
 * Tells the supplier of due orders and refunds, and applies its answers.
 * @param publisherId for a caller that waits: all of this publisher's, due or not
 * @returns whether there may be more
 */
export async function workGiftCards(deps: GiftCardDeps, publisherId: PublisherId | null): Promise<boolean> {
  return makeCalls<SupplierCall>(deps, SUPPLIER_CALLS, publisherId, async (call) => {
    const publisher = await getPublisher(deps.db.reader, call.publisherId)
    const now = publisherNow(publisher, deps.clock)
    return (call.kind === 'order' ? deliverOrder : refundQueuedCard)(deps, publisher, call, now)
  })
}
