import type { PublisherId } from '../../platform/ids.ts'
import { makeCalls } from '../../platform/queue/call-queue.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import type { GiftCardDeps } from './deps.ts'
import { refundQueuedCard } from './refund.ts'
import { deliverOrder } from './supplier/deliver.ts'
import { SUPPLIER_CALLS, type SupplierCall } from './supplier/queue-queries.ts'

/**
 * Sends due orders and refunds to the supplier and applies its answers.
 * @param publisherId for a caller that waits; includes all of this publisher's calls, due or not
 * @returns true if there may be more
 */
export async function workGiftCards(deps: GiftCardDeps, publisherId: PublisherId | null): Promise<boolean> {
  return makeCalls<SupplierCall>(deps, SUPPLIER_CALLS, publisherId, async (call) => {
    const publisher = await getPublisher(deps.db.reader, call.publisherId)
    const now = publisherNow(publisher, deps.clock)
    return (call.kind === 'order' ? deliverOrder : refundQueuedCard)(deps, publisher, call, now)
  })
}
