import type { EventKind, SourceEvent } from '../intake/event.ts'
import { type Basket, basketOf, minus, NOTHING, plus, scaled } from './baskets.ts'

/** A source event in the tree of a purchase's events, whose parent is the event that it names. */
export type EventNode = {
  readonly event: SourceEvent
  /** The event that this one names; null: unknown or none. */
  named: EventNode | null
  own: Basket
  /** What its reversals undo, each less what its own reversals undo. */
  undone: Basket
  /**
   * Minor units of a hold or a clearing, and of the later ones of its kind that name it, that no reversal takes back.
   */
  left: bigint
  /** Minor units that a reversal takes back at most: what was left of the event that it names. */
  most: bigint
}

/** A node for each event, in chronological order. Reversals that name one another in a circle undo nothing. */
export function treeOf(events: readonly SourceEvent[]): EventNode[] {
  const nodes = events.map(
    (event): EventNode => ({
      ...{ event, named: null, own: basketOf(event), undone: NOTHING },
      ...{ left: event.amount, most: event.amount },
    }),
  )
  if (events.every(({ originalExternalId }) => originalExternalId === null)) return nodes
  const byId = new Map(nodes.map((node) => [node.event.externalId, node]))
  for (const node of nodes) node.named = byId.get(node.event.originalExternalId ?? '') ?? null
  const reversals = Map.groupBy(nodes, parentOf)
  undo(reversals)
  limit(nodes, reversals)
  return nodes
}

/** What reversals leave of an event. */
export function standingOf({ own, undone }: EventNode): Basket {
  return minus(own, undone)
}

/** Whether it reverses an event that undoes something, and counts only through that event. */
export function isInner({ event, named }: EventNode): boolean {
  return event.kind === 'REVERSAL' && named !== null && /REFUND|REVERSAL|DECLINE/.test(named.event.kind)
}

type Reversals = ReadonlyMap<EventNode | null, readonly EventNode[]>

function parentOf({ event, named }: EventNode): EventNode | null {
  return event.kind === 'REVERSAL' ? named : null
}

/** Walks down to the last reversal, then up. Without recursion, because the depth is unbounded. */
function undo(reversals: Reversals): void {
  const downwards = [...(reversals.get(null) ?? [])]
  for (const node of downwards) {
    for (const reversal of reversals.get(node) ?? []) {
      // A reversal without items gives back the items of its event in proportion.
      if (isInner(reversal) && reversal.event.facts.items === undefined)
        reversal.own = scaled(node.own, reversal.event.amount)
      downwards.push(reversal)
    }
  }
  for (const node of downwards.toReversed()) {
    const parent = parentOf(node)
    if (parent !== null) parent.undone = plus(parent.undone, standingOf(node))
  }
}

/**
 * Bounds what reversals of holds and clearings take back. The last events come first, so that what is left of an event
 * counts for the earlier one that it names, and nothing is taken back of both. An amendment states a new total, so that
 * no earlier hold or clearing stands for its own amount any more.
 */
function limit(nodes: readonly EventNode[], reversals: Reversals): void {
  const amended = nodes.findLastIndex(({ event }) => event.kind === 'AMENDMENT')
  const isRestated = (kind: EventKind): boolean => nodes.findIndex(({ event }) => event.kind === kind) < amended
  for (const kind of ['AUTHORIZATION', 'CLEARING'] as const) {
    if (isRestated(kind)) continue
    const later = new Set<EventNode>()
    for (const node of nodes.filter(({ event }) => event.kind === kind).toReversed()) {
      later.add(node)
      for (const reversal of reversals.get(node) ?? []) {
        const { amount } = standingOf(reversal)
        reversal.most = amount < node.left ? amount : node.left
        node.left -= reversal.most
      }
      if (node.named?.event.kind === kind && !later.has(node.named)) node.named.left += node.left
    }
  }
}
