import { getPublisher, type Publisher, publisherNow } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { type Item, listItemsOfPublisher } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import { ProviderFault } from '../provider.ts'

/**
 * A sandbox's clock can be moved ahead, and its cards must then buy in the sandbox's present: dated in real time, a
 * purchase would lie before the link it was made with and earn nothing. Sandboxes share one simulator, so each of its
 * items is told the clock of its own sandbox: when it is linked, when that clock is moved, and before its feed is read.
 */

// Items that are told the clock side by side.
const TOLD_AT_ONCE = 8
// Forgetting an item costs one more call.
const TOLD_MAX = 10_000

type Told = { readonly offsetSeconds: number; readonly done: Promise<boolean> }

/** What this process last told each item, or is telling it now; by fingerprint, for the item's id is a secret. */
const told = new Map<string, Told>()

/**
 * Returns when the item has been told, also by another run: whether it now dates by the publisher's clock. Never fails:
 * what cannot be told is told another time.
 */
export async function tellClock(
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
  // Clocks only go ahead, so whoever asks for less has read the publisher before the clock was moved.
  if (known !== undefined && known.offsetSeconds >= offsetSeconds) return known.done
  const telling = deps.provider.followClock(accessToken, offsetSeconds).then(() => true)
  const done = telling.catch((error: unknown) => {
    if (told.get(key)?.done === done) told.delete(key)
    if (!(error instanceof ProviderFault)) throw error
    deps.log.debug({ err: error }, "an item could not be told its sandbox's clock")
    return false
  })
  remember(key, { offsetSeconds, done })
  return done
}

/** Tells all items of a sandbox whose clock was moved, also those that another run is reading at this moment. */
export async function tellClocks(deps: LinkerDeps, publisher: Publisher, itemsMax: number): Promise<void> {
  if (deps.provider.followClock === undefined || publisher.clockOffsetMs === 0) return
  const items = await listItemsOfPublisher(deps.db.reader, publisher.id, itemsMax)
  for (let start = 0; start < items.length; start += TOLD_AT_ONCE) {
    const together = items.slice(start, start + TOLD_AT_ONCE)
    await Promise.all(together.map((item) => tellClock(deps, publisher, withToken(deps, item))))
  }
}

/** The present in which an item's bank lives: its sandbox's where it could be told that, else real time. */
export async function presentOf(deps: LinkerDeps, item: Item): Promise<Date> {
  const now = deps.clock.now()
  // Where no provider can follow, the publisher is not even asked for.
  if (deps.provider.followClock === undefined) return now
  const publisher = await getPublisher(deps.db.reader, item.publisherId)
  return (await tellClock(deps, publisher, withToken(deps, item))) ? publisherNow(publisher, deps.clock) : now
}

export function withToken(deps: LinkerDeps, item: Item): { fingerprint: Buffer; accessToken: string } {
  return { fingerprint: item.fingerprint, accessToken: openToken(deps.vault, item, item.sealedToken) }
}

function remember(key: string, telling: Told): void {
  told.delete(key)
  told.set(key, telling)
  const [oldest] = told.keys()
  if (told.size > TOLD_MAX && oldest !== undefined) told.delete(oldest)
}
