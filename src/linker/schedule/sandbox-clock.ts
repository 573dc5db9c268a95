import { getPublisher, type Publisher, publisherNow } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { type Item, listItemsOfPublisher } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import { ProviderFault } from '../provider.ts'

/**
 * A sandbox's clock can be moved ahead, and purchases with its cards must then carry the sandbox's time: dated in real time,
 * a purchase would precede the link of its card and earn nothing. Sandboxes share one simulator, so each item there follows
 * the clock of its own sandbox. It is set when the item is linked, when the clock is moved, and before the feed is read.
 */

// Items whose clock is set at the same time.
const SET_AT_ONCE = 8
// Forgetting an item costs one more call.
const KNOWN_MAX = 10_000

type Setting = { readonly offsetSeconds: number; readonly done: Promise<boolean> }

/** The clock that this process last set for each item, by fingerprint, because the item's id is a secret. */
const settings = new Map<string, Setting>()

/**
 * Sets the clock of an item, or waits for another run that does. Returns whether the item now follows the publisher's clock.
 * A fault of the provider is no error: the clock is set later.
 */
export async function setClock(
  deps: LinkerDeps,
  publisher: Publisher,
  { fingerprint, accessToken }: { readonly fingerprint: Buffer; readonly accessToken: string },
): Promise<boolean> {
  // Every item starts with a clock that was never moved.
  if (publisher.clockOffsetMs === 0) return true
  if (deps.provider.followClock === undefined) return false
  const offsetSeconds = Math.round(publisher.clockOffsetMs / 1000)
  const key = fingerprint.toString('hex')
  const known = settings.get(key)
  // Clocks only move ahead, so a smaller offset was read before the clock was moved.
  if (known !== undefined && known.offsetSeconds >= offsetSeconds) return known.done
  const setting = deps.provider.followClock(accessToken, offsetSeconds).then(() => true)
  const done = setting.catch((error: unknown) => {
    if (settings.get(key)?.done === done) settings.delete(key)
    if (!(error instanceof ProviderFault)) throw error
    deps.log.debug({ err: error }, "the sandbox's clock could not be set for an item")
    return false
  })
  settings.delete(key)
  settings.set(key, { offsetSeconds, done })
  const [oldest] = settings.keys()
  if (settings.size > KNOWN_MAX && oldest !== undefined) settings.delete(oldest)
  return done
}

/** Sets the clock of all items of a sandbox, including those that another run is reading. */
export async function setClocks(deps: LinkerDeps, publisher: Publisher, itemsMax: number): Promise<void> {
  if (deps.provider.followClock === undefined || publisher.clockOffsetMs === 0) return
  const items = await listItemsOfPublisher(deps.db.reader, publisher.id, itemsMax)
  for (let start = 0; start < items.length; start += SET_AT_ONCE) {
    const together = items.slice(start, start + SET_AT_ONCE)
    await Promise.all(together.map((item) => setClock(deps, publisher, withToken(deps, item))))
  }
}

/** Now, by the clock of an item's bank: the sandbox's clock if it could be set, otherwise real time. */
export async function presentOf(deps: LinkerDeps, item: Item): Promise<Date> {
  const now = deps.clock.now()
  // A real provider has no movable clock, so the publisher need not be loaded.
  if (deps.provider.followClock === undefined) return now
  const publisher = await getPublisher(deps.db.reader, item.publisherId)
  return (await setClock(deps, publisher, withToken(deps, item))) ? publisherNow(publisher, deps.clock) : now
}

function withToken(deps: LinkerDeps, item: Item): { fingerprint: Buffer; accessToken: string } {
  return { fingerprint: item.fingerprint, accessToken: openToken(deps.vault, item, item.sealedToken) }
}
