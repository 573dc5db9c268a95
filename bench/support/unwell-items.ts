import type { SimulatedItem } from './simulated-items.ts'

/**
 * Broken logins are part of the snapshot, whereas the other faults affect calls. `every` is the distance between two
 * items with the same fault.
 */
const BROKEN = { every: 100, at: 7 }
const UNREADABLE = [
  { every: 200, at: 11, fault: { kind: 'server_error' } },
  { every: 400, at: 13, fault: { kind: 'html' } },
  { every: 400, at: 213, fault: { kind: 'dropped' } },
  { every: 1_000, at: 19, fault: { kind: 'truncated' } },
  { every: 2_000, at: 21, fault: { kind: 'stalled' } },
] as const
const SLOW = { every: 100, at: 23, fault: { kind: 'latency', ms: 2_000 } } as const

export function isBroken(number: number): boolean {
  return isOne(BROKEN, number)
}

/** Returns true if the item can be read. Slow items count as readable. */
export function isSound(number: number): boolean {
  return !isBroken(number) && !UNREADABLE.some((kind) => isOne(kind, number))
}

/** Returns the faults that the simulator applies to every call about the affected items. */
export function buildFaults(items: readonly SimulatedItem[]): object[] {
  return items.flatMap(({ itemId }, number) =>
    [...UNREADABLE, SLOW]
      .filter((kind) => isOne(kind, number))
      .map(({ fault }) => ({ ...fault, item_id: itemId, times: 0 })),
  )
}

function isOne({ every, at }: { readonly every: number; readonly at: number }, number: number): boolean {
  return number % every === at
}
