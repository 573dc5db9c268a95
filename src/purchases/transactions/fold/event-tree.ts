import type { EventKind, SourceEvent } from '../event.ts'
import { type Basket, buildBasket, minus, NOTHING, plus, scaleBasket } from './baskets.ts'

/** A source event in a purchase's event tree. Its parent is the event it references. */
export type EventNode = {
  readonly event: SourceEvent
  /** The event that this one references; null if it references none or an unknown one. */
  named: EventNode | null
  own: Basket
  /** The part of this event undone by reversals, net of what reversals of those reversals restored. */
  undone: Basket
  /**
   * For a hold or a clearing, the amount in minor units that reversals have not taken back, including that of later
   * events of its kind that reference it.
   */
  left: bigint
  /** The limit on what a reversal can take back, in minor units: what remained of the event it references. */
  most: bigint
}

/**
 * Builds a node for each event. Expects chronological order. Reversals that reference one another in a cycle undo
 * nothing.
 */
export function buildTree(events: readonly SourceEvent[]): EventNode[] {
  const nodes = events.map(
    (event): EventNode => ({
      event,
      named: null,
      own: buildBasket(event),
      undone: NOTHING,
      left: event.amount,
      most: event.amount,
    }),
  )
  if (events.every(({ originalExternalId }) => originalExternalId === null)) return nodes
  const byId = new Map(nodes.map((node) => [node.event.externalId, node]))
  for (const node of nodes) node.named = byId.get(node.event.originalExternalId ?? '') ?? null
  const reversals = Map.groupBy(nodes, findParent)
  undo(reversals)
  limit(nodes, reversals)
  return nodes
}

/** Returns what remains of an event after its reversals. */
export function subtractReversals({ own, undone }: EventNode): Basket {
  return minus(own, undone)
}

/**
 * True for a reversal of an event that itself undoes something. Such a reversal has an effect only through that event.
 */
export function isInner({ event, named }: EventNode): boolean {
  return event.kind === 'REVERSAL' && named !== null && /REFUND|REVERSAL|DECLINE/.test(named.event.kind)
}

type Reversals = ReadonlyMap<EventNode | null, readonly EventNode[]>

function findParent({ event, named }: EventNode): EventNode | null {
  return event.kind === 'REVERSAL' ? named : null
}

/** Traverses the reversals top-down, then bottom-up. Iterative, because the depth is unbounded. */
function undo(reversals: Reversals): void {
  const downwards = [...(reversals.get(null) ?? [])]
  for (const node of downwards) {
    for (const reversal of reversals.get(node) ?? []) {
      // A reversal without items restores the items of its event in proportion.
      if (isInner(reversal) && reversal.event.facts.items === undefined)
        reversal.own = scaleBasket(node.own, reversal.event.amount)
      downwards.push(reversal)
    }
  }
  for (const node of downwards.toReversed()) {
    const parent = findParent(node)
    if (parent !== null) parent.undone = plus(parent.undone, subtractReversals(node))
  }
}

/**
 * Limits the amounts that reversals of holds and clearings can take back. Goes from the latest event to the earliest,
 * so that the remainder of an event is added to the earlier one it references and cannot be taken back from both. After
 * an amendment, which sets a new total, the amounts of earlier holds and clearings no longer matter.
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
        const { amount } = subtractReversals(reversal)
        reversal.most = amount < node.left ? amount : node.left
        node.left -= reversal.most
      }
      if (node.named?.event.kind === kind && !later.has(node.named)) node.named.left += node.left
    }
  }
}
