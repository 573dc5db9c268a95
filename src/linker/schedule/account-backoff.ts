import type { Item } from '../item-queries.ts'

/**
 * Accounts at the provider that a pool leaves alone for a while, because the provider is down or allows no more calls:
 * without this every item that is due would be taken up and put back.
 */
export type Rests = {
  add(item: Pick<Item, 'owner' | 'publisherId'>, until: Date, now: Date): void
  list(now: Date): string[]
}

// A provider that is back is found at work again soon.
const REST_MAX_MS = 5_000

export function createRests(): Rests {
  const untilMs = new Map<string, number>()
  return {
    add: ({ owner, publisherId }, until, now) => {
      const endMs = Math.min(until.getTime(), now.getTime() + REST_MAX_MS)
      untilMs.set(owner === 'service' ? 'service' : publisherId, endMs)
    },
    list: (now) => {
      for (const [account, endMs] of untilMs) if (endMs <= now.getTime()) untilMs.delete(account)
      return [...untilMs.keys()]
    },
  }
}
