import type { SourceEvent } from '../intake/event.ts'
import { type Basket, basketOf, minus, NOTHING, plus, scaled } from './baskets.ts'

/** A source event in the tree of a purchase's events, whose parent is the event that it names. */
export type EventNode = {
  readonly event: SourceEvent
  /** The event that this one names; null: unknown or none. */
  named: EventNode | null
  own: Basket
  /** What its reversals undo, each less what its own reversals undo. */
  undone: Basket
  /** Minor units of a clearing and the later clearings that name it, which bounds a reversal of it. */
  extent: bigint
}

/** A node for each event, in chronological order. Reversals that name one another in a circle undo nothing. */
export function treeOf(events: readonly SourceEvent[]): EventNode[] {
  const nodes = events.map(
    (event): EventNode => ({
      ...{ event, named: null, extent: event.amount },
      ...{ own: basketOf(event), undone: NOTHING },
    }),
  )
  if (events.every(({ originalExternalId }) => originalExternalId === null)) return nodes
  const byId = new Map(nodes.map((node) => [node.event.externalId, node]))
  for (const node of nodes) node.named = byId.get(node.event.originalExternalId ?? '') ?? null
  undo(nodes)
  extend(nodes)
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

/** Walks down to the last reversal, then up. Without recursion, because the depth is unbounded. */
function undo(nodes: readonly EventNode[]): void {
  const parentOf = ({ event, named }: EventNode): EventNode | null => (event.kind === 'REVERSAL' ? named : null)
  const reversals = Map.groupBy(nodes, parentOf)
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

function extend(nodes: readonly EventNode[]): void {
  const later = new Set<EventNode>()
  for (const node of nodes.toReversed()) {
    later.add(node)
    if (node.event.kind === 'CLEARING' && node.named !== null && !later.has(node.named))
      node.named.extent += node.extent
  }
}
