import type { PublisherId } from '../../platform/ids.ts'
import type { LeasedWork } from '../../platform/queue/leased-work.ts'
import { createQueueWork } from '../../platform/queue/row-queue.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { refundQueuedCard } from './refund.ts'
import type { GiftCardDeps } from './source-events.ts'
import { deliverOrder } from './supplier/deliver.ts'
import { SUPPLIER_CALLS, type SupplierCall } from './supplier/queue-queries.ts'

/** Creates the background work that sends orders and refunds to the supplier and applies the supplier's answers. */
export function createGiftCardWork(deps: GiftCardDeps, publisherId: PublisherId | null): LeasedWork {
  return createQueueWork<SupplierCall>(deps, SUPPLIER_CALLS, publisherId, async (call) => {
    const publisher = await getPublisher(deps.db.reader, call.publisherId)
    const now = publisherNow(publisher, deps.clock)
    if (call.kind === 'order') return (await deliverOrder(deps, publisher, call, now)) ? 'done' : 'retry'
    await refundQueuedCard(deps, publisher, call, now)
    return 'done'
  })
}
