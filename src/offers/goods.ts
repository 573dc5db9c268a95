/** A line of a purchase as its source named it, all pieces together, and what was given back of it. */
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

/** What decides for which goods a commission group pays: what it is bound to, and how well it pays. */
type PayingGroup = {
  readonly productGroups?: readonly string[]
  readonly skus?: readonly string[]
  readonly ratePpm: number | null
  readonly amount: bigint | string | null
}

/** Some of the goods, and the group that pays for them, if any. */
export type Portion<Group> = {
  /** Null: what was not itemised. */
  readonly item: BoughtItem | null
  readonly left: bigint
  readonly group: Group | null
}

/**
 * Divides a purchase over the groups that apply to it. Groups that are bound to product groups or SKUs pay for the items they
 * name, the others for the rest: what no bound group names, and what was not itemised. Of several groups for one item the
 * best paying one counts, of equals the first. Without items all of a purchase is rest.
 */
export function portionsOf<Group extends PayingGroup>(groups: readonly Group[], goods: Goods): Portion<Group>[] {
  const open = bestOf(groups.filter((group) => !isBound(group)))
  if (goods.items.length === 0) return [{ item: null, left: goods.amount - goods.refunded, group: open }]
  const bound = groups.filter(isBound).map((group) => ({ group, names: namesOf(group) }))
  const portions = goods.items.map((item): Portion<Group> => {
    const naming = bound.filter(({ names }) => names(item)).map(({ group }) => group)
    return { item, left: item.amount - item.refunded, group: bestOf(naming) ?? open }
  })
  const itemised = sumOf(goods.items, (item) => item.amount)
  if (goods.amount === itemised) return portions
  const left = goods.amount - itemised - (goods.refunded - sumOf(goods.items, (item) => item.refunded))
  return [...portions, { item: null, left, group: open }]
}

export function isBound({ productGroups = [], skus = [] }: PayingGroup): boolean {
  return productGroups.length > 0 || skus.length > 0
}

/** What a group pays: parts per million or minor units. All groups of an offer pay in the same kind. */
export function worthOf(group: PayingGroup): bigint {
  return BigInt(group.amount ?? group.ratePpm ?? 0)
}

function bestOf<Group extends PayingGroup>(groups: readonly Group[]): Group | null {
  return groups.reduce<Group | null>(
    (best, group) => (best === null || worthOf(group) > worthOf(best) ? group : best),
    null,
  )
}

/** Whether an item is one of those a bound group names: all that it is bound to must hold. */
function namesOf({ productGroups = [], skus = [] }: PayingGroup): (item: BoughtItem) => boolean {
  const groups = new Set(productGroups.map(plain))
  const numbers = new Set(skus.map(plain))
  return ({ productGroup, sku }) =>
    (groups.size === 0 || (productGroup !== null && groups.has(plain(productGroup)))) &&
    (numbers.size === 0 || (sku !== null && numbers.has(plain(sku))))
}

/** Names are typed by people on both sides: capitals and spaces around them say nothing. */
function plain(name: string): string {
  return name.trim().toLowerCase()
}

function sumOf(items: readonly BoughtItem[], pick: (item: BoughtItem) => bigint): bigint {
  return items.reduce((sum, item) => sum + pick(item), 0n)
}
