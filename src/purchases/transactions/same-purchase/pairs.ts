import { type Edge, pairUp } from './assignment.ts'

/** One side of a pair. */
export type Side = {
  readonly at: Date
  readonly rootId: string
  /** True if there is anything left to reward. */
  readonly isAlive: boolean
}
/** The rules that decide whether two reports can be one purchase, and how well they fit. */
export type PairRules<L, R> = {
  createMatcher(right: R): (left: L) => boolean
  /** True for pairs that must be made before all others. */
  isSurer(left: L, right: R): boolean
  /** The cost of the pair: a nonnegative integer that grows as the fit worsens. */
  computeCost(left: L, right: R): number
}

// The maximum number of competing reports that are paired together, for one user and brand. The work grows with the
// cube of this number.
const COMPONENT_MAX = 200

/**
 * Pairs the reports of two sides, each at most once, regardless of arrival order. Keeps settled pairs that can still be
 * one purchase. Then makes the more certain pairs, such as those with the same order number, followed by as many others
 * as possible with the best overall fit. A report that can earn nothing never takes a partner away from one that can.
 */
export function findPairs<L extends Side, R extends Side>(
  lefts: readonly L[],
  rights: readonly R[],
  rules: PairRules<L, R>,
  isSettled: (left: L, right: R) => boolean,
): [L, R][] {
  if (lefts.length === 0 || rights.length === 0) return []
  const areAlive = (left: L, right: R): boolean => left.isAlive && right.isAlive
  const stays = (left: L, right: R): boolean =>
    isSettled(left, right) && areAlive(left, right) && rules.createMatcher(right)(left)
  const areSure = (left: L, right: R): boolean => areAlive(left, right) && rules.isSurer(left, right)
  const paired = new Set<L | R>()
  const pairs: [L, R][] = []
  const pair = (left: L, right: R): void => {
    if (paired.has(left) || paired.has(right)) return
    paired.add(left).add(right)
    pairs.push([left, right])
  }
  const [ls, rs] = [lefts.toSorted(chronologically), rights.toSorted(chronologically)]
  for (const right of rs) for (const left of ls) if (stays(left, right)) pair(left, right)
  const isOpen = (one: L | R): boolean => !paired.has(one)
  for (const mayPair of [areSure, areAlive, () => true])
    for (const component of groupComponents(ls.filter(isOpen), rs.filter(isOpen), rules, mayPair))
      for (const { left, right } of pairUp(possiblePairs(component, rules, mayPair))) pair(left, right)
  return pairs
}

type Component<L, R> = { readonly lefts: readonly L[]; readonly rights: readonly R[] }
type MayPair<L, R> = (left: L, right: R) => boolean

/**
 * Groups reports that compete for partners, directly or indirectly. Splits groups larger than COMPONENT_MAX by time.
 */
function groupComponents<L extends Side, R extends Side>(
  lefts: readonly L[],
  rights: readonly R[],
  { createMatcher }: PairRules<L, R>,
  mayPair: MayPair<L, R>,
): Component<L, R>[] {
  const linked = new Map<L | R, L | R>([...lefts, ...rights].map((one) => [one, one]))
  const findRoot = (one: L | R): L | R => {
    let first = one
    for (let next = linked.get(first) ?? first; next !== first; next = linked.get(first) ?? first) {
      linked.set(first, linked.get(next) ?? next)
      first = next
    }
    return first
  }
  for (const right of rights) {
    const [matches, first] = [createMatcher(right), findRoot(right)]
    for (const left of lefts)
      if (findRoot(left) !== first && mayPair(left, right) && matches(left)) linked.set(findRoot(left), first)
  }
  const isLeft = new Set<L | R>(lefts)
  const sorted = [...lefts, ...rights].sort(chronologically)
  return [...Map.groupBy(sorted, findRoot).values()].flatMap((component) =>
    Array.from({ length: Math.ceil(component.length / COMPONENT_MAX) }, (_, nth) => {
      const some = component.slice(nth * COMPONENT_MAX, (nth + 1) * COMPONENT_MAX)
      return {
        lefts: some.filter((one) => isLeft.has(one)) as L[],
        rights: some.filter((one) => !isLeft.has(one)) as R[],
      }
    }),
  )
}

function possiblePairs<L, R>(
  { lefts, rights }: Component<L, R>,
  { createMatcher, computeCost }: PairRules<L, R>,
  mayPair: MayPair<L, R>,
): PairEdge<L, R>[] {
  return rights.flatMap((right) => {
    const matches = createMatcher(right)
    const possible = lefts.filter((left) => mayPair(left, right) && matches(left))
    return possible.map((left) => ({ left, right, cost: computeCost(left, right) }))
  })
}

type PairEdge<L, R> = Edge<L | R> & { readonly left: L; readonly right: R }

/**
 * The cost of a pair. Squared, so that for two equal purchases in a row the first report on one side is paired with the
 * first on the other.
 */
export function computeSquaredMinutes(a: Pick<Side, 'at'>, b: Pick<Side, 'at'>): number {
  return Math.round(Math.abs(a.at.getTime() - b.at.getTime()) / 60_000) ** 2
}

function chronologically(a: Side, b: Side): number {
  return a.at.getTime() - b.at.getTime() || (a.rootId < b.rootId ? -1 : 1)
}
