import { getPublisher, type Publisher, publisherNow } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { type Item, listItemsOfPublisher } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import { ProviderFault } from '../provider.ts'

/**
 * A sandbox's clock can be moved ahead, and its cards must then buy in the sandbox's present: dated in real time, a
 * purchase would lie before the link it was made with and earn nothing. Sandboxes share one simulator, so each of its
 * items is set to the clock of its own sandbox: when it is linked, when that clock is moved, and before its feed is read.
 */

// Items whose clock is set side by side.
const SET_AT_ONCE = 8
// Forgetting an item costs one more call.
const TOLD_MAX = 10_000

type Told = { readonly offsetSeconds: number; readonly done: Promise<boolean> }

/** The clock that this process last set for each item, by fingerprint, because the item's id is a secret. */
const told = new Map<string, Told>()

/**
 * Sets the clock of an item, or waits for another run that does. Returns whether the item now follows the publisher's clock.
 * Never throws: a clock that cannot be set now is set later.
 */
export async function setClock(
  deps: LinkerDeps,
  publisher: Publisher,
  { fingerprint, accessToken }: { readonly fingerprint: Buffer; readonly accessToken: string },
): Promise<boolean> {
  // A clock that was never moved is what every item starts with.
  if (publisher.clockOffsetMs === 0) return true
  if (deps.provider.followClock === undefined) return false
  const offsetSeconds = Math.round(publisher.clockOffsetMs / 1000)
  const key = fingerprint.toString('hex')
  const known = told.get(key)
  // Clocks only move ahead, so a smaller offset was read before the clock was moved.
  if (known !== undefined && known.offsetSeconds >= offsetSeconds) return known.done
  const telling = deps.provider.followClock(accessToken, offsetSeconds).then(() => true)
  const done = telling.catch((error: unknown) => {
    if (told.get(key)?.done === done) told.delete(key)
    if (!(error instanceof ProviderFault)) throw error
    deps.log.debug({ err: error }, "the sandbox's clock could not be set for an item")
    return false
  })
  remember(key, { offsetSeconds, done })
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

/** The present of an item's bank: its sandbox's clock where that could be set, else real time. */
export async function presentOf(deps: LinkerDeps, item: Item): Promise<Date> {
  const now = deps.clock.now()
  // Without a clock to follow, the publisher need not be loaded.
  if (deps.provider.followClock === undefined) return now
  const publisher = await getPublisher(deps.db.reader, item.publisherId)
  return (await setClock(deps, publisher, withToken(deps, item))) ? publisherNow(publisher, deps.clock) : now
}

function withToken(deps: LinkerDeps, item: Item): { fingerprint: Buffer; accessToken: string } {
  return { fingerprint: item.fingerprint, accessToken: openToken(deps.vault, item, item.sealedToken) }
}

function remember(key: string, telling: Told): void {
  told.delete(key)
  told.set(key, telling)
  const [oldest] = told.keys()
  if (told.size > TOLD_MAX && oldest !== undefined) told.delete(oldest)
}
