import type { BoughtItem } from '../../../catalog/offers/index.ts'
import { apportion } from '../../../platform/money.ts'
import type { LineItem, SourceEvent } from '../event.ts'

/** An amount in minor units with its named items. The remainder is not covered by any item. */
export type Basket = { readonly amount: bigint; readonly items: ReadonlyMap<string, BasketItem> }
type BasketItem = Pick<BoughtItem, 'sku' | 'productGroup' | 'amount'>

const NO_ITEMS: ReadonlyMap<string, BasketItem> = new Map()
export const NOTHING: Basket = { amount: 0n, items: NO_ITEMS }

/** Builds an event's basket. Items with the same name are merged, and unnamed items go into the remainder. */
export function buildBasket({ amount, facts }: Pick<SourceEvent, 'amount' | 'facts'>): Basket {
  if (facts.items === undefined) return { amount, items: NO_ITEMS }
  return { amount, items: plusItems(NO_ITEMS, facts.items.map(toItem)) }
}

function toItem({ sku, productGroup, amount }: LineItem): BasketItem {
  return { sku: sku ?? null, productGroup: productGroup ?? null, amount: BigInt(amount) }
}

export function plus(a: Basket | null, b: Basket): Basket {
  if (a === null) return b
  return { amount: a.amount + b.amount, items: b.items.size === 0 ? a.items : plusItems(a.items, b.items.values()) }
}

function plusItems(known: ReadonlyMap<string, BasketItem>, more: Iterable<BasketItem>): Map<string, BasketItem> {
  const items = new Map(known)
  for (const item of more) {
    if (item.sku === null && item.productGroup === null) continue
    const key = JSON.stringify([plain(item.sku), plain(item.productGroup)])
    const before = items.get(key)
    items.set(key, before === undefined ? item : { ...before, amount: before.amount + item.amount })
  }
  return items
}

/** Scales a basket to another amount, keeping its items and remainder in proportion. */
export function scaleBasket(basket: Basket, amount: bigint): Basket {
  if (basket.items.size === 0 || basket.amount === amount) return { amount, items: basket.items }
  const entries = [...basket.items].sort(byKey)
  const parts = apportion(amount, [...entries.map(([, item]) => item.amount), computeRest(basket)])
  const items = entries.map(([key, item], index) => [key, { ...item, amount: parts[index] ?? 0n }] as const)
  return { amount, items: new Map(items.filter(([, item]) => item.amount > 0n)) }
}

/** Subtracts one basket from another, item by item. Clamps each result at zero and the items at the total. */
export function minus(basket: Basket, taken: Basket): Basket {
  if (taken.amount === 0n) return basket
  const amount = basket.amount - taken.amount
  if (amount <= 0n) return NOTHING
  const left = [...basket.items].map(([key, item]) => {
    const less = item.amount - (taken.items.get(key)?.amount ?? 0n)
    return [key, { ...item, amount: less > 0n ? less : 0n }] as const
  })
  const items = new Map(left)
  const named = amount - computeRest({ amount, items })
  return { amount, items: named > amount ? scaleBasket({ amount: named, items }, amount).items : items }
}

export function capBasket(basket: Basket, amount: bigint): Basket {
  return basket.amount <= amount ? basket : scaleBasket(basket, amount)
}

/**
 * Returns the items bought and how much of each was refunded. A refund that lists items is deducted from the items with
 * those names. What remains of all refunds is apportioned in a single step, so only the sums matter, not the number or
 * order of refunds.
 */
export function listItemsLeft(bought: Basket, taken: Basket, refunded: bigint): BoughtItem[] {
  const lines = [...bought.items].sort(byKey).map(([, item]) => ({ ...item, refunded: 0n }))
  if (lines.length === 0) return []
  for (const [, named] of [...taken.items].sort(byKey)) takeNamed(lines, named)
  const byName = lines.reduce((sum, line) => sum + line.refunded, 0n)
  const left = lines.map((line) => line.amount - line.refunded)
  const parts = apportion(refunded - byName, [...left, computeRest(bought)])
  return lines.map((line, index) => ({ ...line, refunded: line.refunded + (parts[index] ?? 0n) }))
}

type OpenLine = BasketItem & { refunded: bigint }

/** Adds a named refund to the lines it matches. Any amount in excess of these lines is treated as unnamed. */
function takeNamed(lines: readonly OpenLine[], named: BasketItem): void {
  const fitting = lines.filter(
    (line) => isCalled(named.sku, line.sku) && isCalled(named.productGroup, line.productGroup),
  )
  const left = fitting.map((line) => line.amount - line.refunded)
  const most = left.reduce((sum, one) => sum + one, 0n)
  const parts = apportion(named.amount < most ? named.amount : most, left)
  fitting.forEach((line, index) => {
    line.refunded += parts[index] ?? 0n
  })
}

function isCalled(name: string | null, line: string | null): boolean {
  return name === null || plain(name) === plain(line)
}

function computeRest({ amount, items }: Basket): bigint {
  return [...items.values()].reduce((rest, item) => rest - item.amount, amount)
}

type Entry = readonly [key: string, item: BasketItem]

/**
 * Sorts by SKU, then by group. A missing name sorts last, so that more specific refunds are deducted first. Keys are
 * unique.
 */
function byKey([a]: Entry, [b]: Entry): number {
  return a < b ? -1 : 1
}

/** Ignores case and surrounding whitespace, because people type these names. */
function plain(name: string | null): string | null {
  return name === null ? null : name.trim().toLowerCase()
}
