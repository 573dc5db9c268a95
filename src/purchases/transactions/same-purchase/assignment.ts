/** Two items that can be paired. The cost is a nonnegative integer, so sums are exact. */
export type Edge<T> = { readonly left: T; readonly right: T; readonly cost: number }

/**
 * Finds the cheapest maximum matching by successive shortest augmenting paths. Each round adds a pair along the
 * cheapest path that reassigns partners. Potentials keep all costs nonnegative, so each round is a single run of
 * Dijkstra's algorithm and reads each edge at most once. Deterministic for a given order of edges.
 */
export function pairUp<T, E extends Edge<T>>(edges: readonly E[]): E[] {
  const lefts = new Map([...new Set(edges.map(({ left }) => left))].map((one, index) => [one, index]))
  const rights = new Map([...new Set(edges.map(({ right }) => right))].map((one, index) => [one, index]))
  const arcs = edges.map((edge) => ({ edge, from: lefts.get(edge.left) ?? 0, to: rights.get(edge.right) ?? 0 }))
  const byLeft = Map.groupBy(arcs, ({ from }) => from)
  const state: State<E> = {
    arcs: [...lefts.values()].map((from) => byLeft.get(from) ?? []),
    chosen: Array(lefts.size).fill(null),
    partners: Array(rights.size).fill(null),
    raised: new Float64Array(lefts.size),
    lowered: new Float64Array(rights.size),
  }
  while (augment(state));
  return state.chosen.flatMap((arc) => (arc === null ? [] : [arc.edge]))
}

type Arc<E> = { readonly edge: E; readonly from: number; readonly to: number }
/** Arrays indexed by position on the left or on the right. */
type State<E> = {
  readonly arcs: readonly (readonly Arc<E>[])[]
  /** The pair of each item on the left and of each item on the right. */
  readonly chosen: (Arc<E> | null)[]
  readonly partners: (Arc<E> | null)[]
  /** The potentials of both sides. */
  readonly raised: Float64Array
  readonly lowered: Float64Array
}

/** Adds a pair. Returns false if no further pair is possible. */
function augment<T, E extends Edge<T>>({ arcs, chosen, partners, raised, lowered }: State<E>): boolean {
  const costs = new Float64Array(partners.length).fill(Number.POSITIVE_INFINITY)
  const reachedBy: (Arc<E> | null)[] = Array(partners.length).fill(null)
  const settled = new Set<number>()
  const left = new Map<number, number>()
  const leave = (from: number, cost: number): void => {
    left.set(from, cost)
    for (const arc of arcs[from] ?? []) {
      const reduced = cost + arc.edge.cost + (raised[from] ?? 0) - (lowered[arc.to] ?? 0)
      if (reduced >= (costs[arc.to] ?? 0) || settled.has(arc.to)) continue
      costs[arc.to] = reduced
      reachedBy[arc.to] = arc
    }
  }
  for (const [from, arc] of chosen.entries()) if (arc === null) leave(from, 0)
  for (;;) {
    const to = cheapest(costs, settled)
    if (to === null) return false
    settled.add(to)
    const [cost = 0, taken] = [costs[to], partners[to]]
    if (taken) {
      leave(taken.from, cost)
      continue
    }
    for (const [from, before] of left) raised[from] = (raised[from] ?? 0) + before - cost
    for (const one of settled) lowered[one] = (lowered[one] ?? 0) + (costs[one] ?? 0) - cost
    for (let arc = reachedBy[to] ?? null; arc !== null; ) {
      const former: Arc<E> | null = chosen[arc.from] ?? null
      chosen[arc.from] = arc
      partners[arc.to] = arc
      arc = former === null ? null : (reachedBy[former.to] ?? null)
    }
    return true
  }
}

function cheapest(costs: Float64Array, settled: ReadonlySet<number>): number | null {
  let [best, least]: [number | null, number] = [null, Number.POSITIVE_INFINITY]
  for (let to = 0; to < costs.length; to++) {
    const cost = costs[to] ?? 0
    if (cost >= least || settled.has(to)) continue
    best = to
    least = cost
  }
  return best
}
