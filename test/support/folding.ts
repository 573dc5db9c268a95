import type { UserId } from '../../src/platform/ids.ts'
import type { SourceEvent } from '../../src/purchases/transactions/event.ts'
import type { EventKind } from '../../src/purchases/transactions/index.ts'

/** An event, written as the day of March 2026, the ID, kind and amount, and the event that it refers to. */
export type Line = readonly [day: number, id: string, kind: EventKind, amount: bigint, original?: string]

export function makeEvent(
  [day, externalId, kind, amount, original]: Line,
  facts: SourceEvent['facts'] = {},
): SourceEvent {
  return {
    userId: 'user' as UserId,
    source: 'CARD',
    externalId,
    kind,
    originalExternalId: original ?? null,
    amount,
    currency: 'USD',
    occurredAt: toNoon(day),
    dateOnly: false,
    facts,
    eventId: externalId,
    receivedAt: toNoon(day),
    inputHash: Buffer.alloc(0),
  }
}

export function toNoon(day: number): Date {
  return new Date(Date.UTC(2026, 2, day, 12))
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

/** Returns the event that a reversal ultimately undoes, possibly through other reversals. */
export function undoneBy(reversal: SourceEvent, events: readonly SourceEvent[]): SourceEvent | undefined {
  const seen = new Set<SourceEvent>()
  let undone: SourceEvent | undefined = reversal
  while (undone?.kind === 'REVERSAL' && !seen.has(undone)) {
    seen.add(undone)
    const original: string | null = undone.originalExternalId
    undone = events.find(({ externalId }) => externalId === original)
  }
  return undone
}
