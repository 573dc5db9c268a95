/** The cost of a pair; null: the two cannot be paired. An integer, so that sums are exact. */
export type Cost = number | null

/**
 * The cheapest of the largest matchings, by successive shortest augmenting paths: each round adds a pair along the cheapest
 * path that gives others new partners. The same lists in the same order give the same pairs.
 */
export function pairUp<T>(left: readonly T[], right: readonly T[], costOf: (left: T, right: T) => Cost): [T, T][] {
  const edges = left.map((one, from) =>
    right.flatMap((other, to) => {
      const cost = costOf(one, other)
      return cost === null ? [] : [{ from, to, cost }]
    }),
  )
  const chosen = new Map<number, Edge>()
  for (;;) {
    const path = cheapestPath(edges, chosen)
    if (path.length === 0) break
    for (const edge of path) chosen.set(edge.to, edge)
  }
  return [...chosen.values()].sort((a, b) => a.from - b.from).map(({ from, to }) => [left[from] as T, right[to] as T])
}

type Edge = { readonly from: number; readonly to: number; readonly cost: number }
type Reached = { readonly cost: number; readonly by: Edge }

/** The edges of the next augmenting path; empty: no further pair is possible. */
function cheapestPath(edges: readonly (readonly Edge[])[], chosen: ReadonlyMap<number, Edge>): Edge[] {
  const partners = new Map([...chosen.values()].map((edge) => [edge.from, edge]))
  const reached = new Map<number, Reached>()
  let open = edges.flatMap((_edges, from) => (partners.has(from) ? [] : [{ from, cost: 0 }]))
  while (open.length > 0) {
    const next = new Map<number, { from: number; cost: number }>()
    for (const { from, cost } of open) {
      for (const edge of edges[from] ?? []) {
        const known = reached.get(edge.to)
        if (partners.get(from) === edge || (known !== undefined && known.cost <= cost + edge.cost)) continue
        reached.set(edge.to, { cost: cost + edge.cost, by: edge })
        const taken = chosen.get(edge.to)
        if (taken !== undefined) next.set(taken.from, { from: taken.from, cost: cost + edge.cost - taken.cost })
      }
    }
    open = [...next.values()].sort((a, b) => a.from - b.from)
  }
  const ends = [...reached]
    .filter(([to]) => !chosen.has(to))
    .sort(([a, one], [b, other]) => one.cost - other.cost || a - b)
  return ends[0] === undefined ? [] : pathTo(ends[0][1], reached, partners)
}

function pathTo(end: Reached, reached: ReadonlyMap<number, Reached>, partners: ReadonlyMap<number, Edge>): Edge[] {
  const path: Edge[] = []
  for (let step: Reached | undefined = end; step !== undefined; ) {
    path.push(step.by)
    const former = partners.get(step.by.from)
    step = former === undefined ? undefined : reached.get(former.to)
  }
  return path
}
