import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import { ProviderFault } from '../provider.ts'
import { openToken } from '../sealed-tokens.ts'

/**
 * A sandbox's clock can be moved ahead, and purchases with its cards must then carry the sandbox's time. A purchase
 * dated in real time would precede the linking of its card and earn nothing. Because sandboxes share one simulator,
 * each item there follows its own sandbox's clock. The clock is set when the item is linked and before each sync and
 * check, both of which are requested when the clock is moved.
 */

/**
 * Sets the clock of an item. Returns true if the item now follows the publisher's clock. A provider fault is not an
 * error, because the next run sets the clock.
 */
export async function setClock(
  { providers, log }: Pick<LinkerDeps, 'providers' | 'log'>,
  { environment, clockOffsetMs }: Publisher,
  accessToken: string,
): Promise<boolean> {
  // Every item starts with an unmoved clock.
  if (clockOffsetMs === 0) return true
  const followClock = providers[environment]?.followClock
  if (followClock === undefined) return false
  try {
    await followClock(accessToken, Math.round(clockOffsetMs / 1000))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    log.debug({ err: error }, "the sandbox's clock could not be set for an item")
    return false
  }
}

/**
 * Returns the current time for an item's bank: the sandbox's time if the item's clock could be set, otherwise real
 * time.
 */
export async function readItemNow(deps: LinkerDeps, item: Item): Promise<Date> {
  const now = deps.clock.now()
  // A real provider has no movable clock, so the publisher need not be loaded.
  if (deps.providers[item.environment]?.followClock === undefined) return now
  const publisher = await getPublisher(deps.db.reader, item.publisherId)
  const accessToken = openToken(deps.vault, item, item.sealedToken)
  return (await setClock(deps, publisher, accessToken)) ? publisherNow(publisher, deps.clock) : now
}
