import type { PublisherId } from '../platform/ids.ts'
import { getPublisher, publisherNow } from '../publishers/index.ts'
import { deliverOrder } from './deliver.ts'
import type { GiftCardDeps } from './deps.ts'
import { claimItems, postpone, type QueuedItem } from './queue-queries.ts'
import { refundQueuedCard } from './refund.ts'

/** How many items are worked on at once. */
const AT_ONCE = 16
// Longer than a call takes; the items of a killed process wait this long.
const LEASE_MS = 30_000
const BACKOFF_MAX_MS = 10 * 60_000

/**
 * Tells the supplier of due orders and refunds, and takes up its answers. Each call is repeated under its reference until
 * it is answered, and the supplier does everything once.
 * @param publisherId for a caller that waits: all of this publisher's, due or not
 * @returns whether there may be more
 */
export async function workGiftCards(deps: GiftCardDeps, publisherId: PublisherId | null): Promise<boolean> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + LEASE_MS)
  const claimed = await claimItems(deps.db.reader, publisherId, { now, until, limit: AT_ONCE })
  const ended = await Promise.all(claimed.map((item) => work(deps, item)))
  // What the supplier has not decided is due again later, even for a caller that waits.
  return claimed.length === AT_ONCE && ended.some((one) => one)
}

/** Returns whether the item has ended. */
async function work(deps: GiftCardDeps, item: QueuedItem): Promise<boolean> {
  try {
    const publisher = await getPublisher(deps.db.reader, item.publisherId)
    const now = publisherNow(publisher, deps.clock)
    const hasEnded = await (item.kind === 'order' ? deliverOrder : refundQueuedCard)(deps, publisher, item, now)
    if (!hasEnded) await wait(deps, item)
    return hasEnded
  } catch (error) {
    deps.log.warn(
      { err: error, item_id: item.itemId, kind: item.kind },
      'a supplier of gift cards is asked again later',
    )
    await wait(deps, item)
    return false
  }
}

function wait({ db, clock }: GiftCardDeps, item: QueuedItem): Promise<void> {
  const waitMs = Math.min(1_000 * 2 ** item.attempts, BACKOFF_MAX_MS)
  return postpone(db.reader, item, new Date(clock.now().getTime() + waitMs))
}
