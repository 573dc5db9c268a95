import type { SourceEvent } from '../intake/event.ts'
import { type Basket, basketOf, minus, NOTHING, plus, scaled } from './baskets.ts'

/** A source event in the tree that the events of a purchase form by what they name. */
export type EventNode = {
  readonly event: SourceEvent
  /** The event that this one names; null where that is unknown. */
  named: EventNode | null
  own: Basket
  /** What reversals undo of it, each counted for what its own reversals leave of it. */
  undone: Basket
  /** Minor units of a clearing together with the later clearings that name it: what a reversal of it can take back. */
  extent: bigint
}

/** One node for each event, in the order in which they happened. Reversals that name one another in a circle undo nothing. */
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

/** What of an event its reversals leave. */
export function standingOf({ own, undone }: EventNode): Basket {
  return minus(own, undone)
}

/** Whether it reverses an event that itself undoes something, so that it counts through that event alone. */
export function isInner({ event, named }: EventNode): boolean {
  return event.kind === 'REVERSAL' && named !== null && /REFUND|REVERSAL|DECLINE/.test(named.event.kind)
}

/** Down to the last reversal, then up again. Without recursion, for nobody bounds the depth of a chain. */
function undo(nodes: readonly EventNode[]): void {
  const parentOf = ({ event, named }: EventNode): EventNode | null => (event.kind === 'REVERSAL' ? named : null)
  const reversals = Map.groupBy(nodes, parentOf)
  const downwards = [...(reversals.get(null) ?? [])]
  for (const node of downwards) {
    for (const reversal of reversals.get(node) ?? []) {
      // A reversal without items gives back those of what it reverses, in proportion.
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
