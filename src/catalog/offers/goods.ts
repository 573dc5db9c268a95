/** A line item of a purchase: the total for all units, and how much of it was refunded. Minor units. */
export type BoughtItem = {
  readonly sku: string | null
  readonly productGroup: string | null
  readonly amount: bigint
  readonly refunded: bigint
}
export type Goods = {
  readonly amount: bigint
  readonly refunded: bigint
  readonly items: readonly BoughtItem[]
}

/** The properties that decide which goods a commission group rewards. */
type PayingGroup = {
  readonly productGroups?: readonly string[]
  readonly skus?: readonly string[]
  readonly ratePpm: number | null
  readonly amount: bigint | string | null
}

/** A portion of the goods and the group that rewards it. */
export type Portion<Group> = {
  /** Null for the remainder that no line item covers. */
  readonly item: BoughtItem | null
  readonly left: bigint
  readonly group: Group | null
}

/**
 * Assigns the goods of a purchase to the commission groups that apply. Groups bound to product groups or SKUs reward
 * the items they list. Unbound groups reward the rest: items that no bound group lists, and any amount that is not
 * itemized. If several groups match an item, the best-paying one wins; on a tie, the first one. If no items are
 * reported, unbound groups reward the whole purchase.
 */
export function assignPortions<Group extends PayingGroup>(groups: readonly Group[], goods: Goods): Portion<Group>[] {
  const open = pickBest(groups.filter((group) => !isBound(group)))
  if (goods.items.length === 0) return [{ item: null, left: goods.amount - goods.refunded, group: open }]
  const bound = groups.filter(isBound).map((group) => ({ group, names: createItemMatcher(group) }))
  const portions = goods.items.map((item): Portion<Group> => {
    const naming = bound.filter(({ names }) => names(item)).map(({ group }) => group)
    return { item, left: item.amount - item.refunded, group: pickBest(naming) ?? open }
  })
  const itemised = sumItems(goods.items, (item) => item.amount)
  if (goods.amount === itemised) return portions
  const left = goods.amount - itemised - (goods.refunded - sumItems(goods.items, (item) => item.refunded))
  return [...portions, { item: null, left, group: open }]
}

export function isBound({ productGroups = [], skus = [] }: PayingGroup): boolean {
  return productGroups.length > 0 || skus.length > 0
}

/**
 * Returns the group's rate in ppm or its fixed amount in minor units. An offer's groups all use one or the other, so
 * the results are comparable.
 */
export function getWorth(group: PayingGroup): bigint {
  return BigInt(group.amount ?? group.ratePpm ?? 0)
}

function pickBest<Group extends PayingGroup>(groups: readonly Group[]): Group | null {
  return groups.reduce<Group | null>(
    (best, group) => (best === null || getWorth(group) > getWorth(best) ? group : best),
    null,
  )
}

/**
 * Returns a predicate that matches the items a bound group lists. If the group has both product groups and SKUs, both
 * must match.
 */
function createItemMatcher({ productGroups = [], skus = [] }: PayingGroup): (item: BoughtItem) => boolean {
  const groups = new Set(productGroups.map(plain))
  const numbers = new Set(skus.map(plain))
  return ({ productGroup, sku }) =>
    (groups.size === 0 || (productGroup !== null && groups.has(plain(productGroup)))) &&
    (numbers.size === 0 || (sku !== null && numbers.has(plain(sku))))
}

/** Ignores case and surrounding spaces, because people type these names. */
function plain(name: string): string {
  return name.trim().toLowerCase()
}

function sumItems(items: readonly BoughtItem[], pick: (item: BoughtItem) => bigint): bigint {
  return items.reduce((sum, item) => sum + pick(item), 0n)
}
