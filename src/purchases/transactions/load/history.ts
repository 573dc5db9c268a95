import type { Offer } from '../../../catalog/catalog/index.ts'
import { needsHistory, type Terms } from '../../../catalog/offers/index.ts'
import { compare } from '../../../platform/compare.ts'
import type { TransactionId } from '../../../platform/ids.ts'
import type { BrandSpan, Neighbour } from '../queries.ts'
import type { LoadedPurchase } from './load.ts'

export const toSpanKey = ({ userId, brandUid }: Pick<BrandSpan, 'userId' | 'brandUid'>): string =>
  `${userId} ${brandUid}`

// A matured purchase keeps its allowances even against earlier purchases, so any of them may receive an allowance that
// it gives up.
const BEGINNING = new Date(0)

/** Returns the brand spans that start with the first of these purchases, covering both former and current brands. */
export function collectSpans(purchases: readonly LoadedPurchase[]): BrandSpan[] {
  const spans = new Map<string, BrandSpan>()
  for (const { group, folded, match } of purchases) {
    const { root, former = root } = group
    const { userId } = root
    const earlier = former.authorizedAt < folded.authorizedAt ? former.authorizedAt : folded.authorizedAt
    const since = former.status === 'EARNED' && termsDependOnOthers(former.terms) ? BEGINNING : earlier
    for (const brandUid of new Set([match.brandUid, former.terms?.brandUid ?? former.brandUid])) {
      if (brandUid === null) continue
      const known = spans.get(toSpanKey({ userId, brandUid }))
      if (known === undefined || since < known.since)
        spans.set(toSpanKey({ userId, brandUid }), { userId, brandUid, since })
    }
  }
  return [...spans.values()]
}

type ReplayOrder = {
  readonly at: Date
  readonly rootId: string
  readonly source: string
  readonly transactionId: TransactionId
}

export function toReplayOrder({ group: { root }, folded, rootId }: LoadedPurchase): ReplayOrder {
  const { source, transactionId } = root
  return { at: folded.authorizedAt, rootId, source, transactionId }
}

/** Sorts by time and then by event ids, so that arrival order does not matter. */
export function compareChronologically(a: ReplayOrder, b: ReplayOrder): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    compare(a.rootId, b.rootId) ||
    compare(a.source, b.source) ||
    compare(a.transactionId, b.transactionId)
  )
}

/** Looks up the time of the user's last purchase at the brand before the given one; null if there is none. */
export type PurchaseHistory = { previousPurchaseAt(purchase: LoadedPurchase, brandUid: string): Date | null }

/**
 * @param neighbours purchases that are not decided again
 * @param samePurchases all reports of the same purchase, which never precede one another, and the time of the purchase
 */
export function openHistory(
  purchases: readonly LoadedPurchase[],
  neighbours: readonly Neighbour[],
  samePurchases: ReadonlyMap<TransactionId, { readonly reports: ReadonlySet<TransactionId>; readonly madeAt: Date }>,
): PurchaseHistory {
  const loaded = purchases.flatMap((one) => {
    const { folded, match, group } = one
    if (match.brandUid === null || !folded.wasMade) return []
    return [{ ...toReplayOrder(one), key: toSpanKey({ userId: group.root.userId, brandUid: match.brandUid }) }]
  })
  const others = neighbours
    .filter(({ isPurchase }) => isPurchase)
    .map((one) => ({ ...one, at: one.authorizedAt, rootId: one.externalId, key: toSpanKey(one) }))
  const known = Map.groupBy([...loaded, ...others].sort(compareChronologically), ({ key }) => key)
  return {
    previousPurchaseAt: (purchase, brandUid) => {
      const { userId, transactionId } = purchase.group.root
      const same = samePurchases.get(transactionId)
      const own = { ...toReplayOrder(purchase), ...(same === undefined ? {} : { at: same.madeAt }) }
      const orders = known.get(toSpanKey({ userId, brandUid })) ?? []
      const isOfOwn = (id: TransactionId): boolean => id === transactionId || same?.reports.has(id) === true
      let last = countBefore(orders, own) - 1
      for (let id = orders[last]?.transactionId; id !== undefined && isOfOwn(id); id = orders[last]?.transactionId)
        last--
      return orders[last]?.at ?? null
    },
  }
}

/**
 * Counts the entries of a sorted list that precede the given one. Uses a binary search, because a user may have made
 * thousands of purchases at one brand.
 */
function countBefore(orders: readonly ReplayOrder[], own: ReplayOrder): number {
  let [from, to] = [0, orders.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const one = orders[middle]
    if (one !== undefined && compareChronologically(one, own) < 0) from = middle + 1
    else to = middle
  }
  return from
}

/** True if a reward from this offer may depend on the user's other purchases at the brand. */
export function dependsOnOthers({ oneTimeUse, newCustomerOnly, conditions, groups }: Offer): boolean {
  const { uniqueCodes, userLimits, lapsedCustomerOnly } = conditions
  return (
    [oneTimeUse, newCustomerOnly, uniqueCodes, lapsedCustomerOnly, userLimits.length > 0].includes(true) ||
    groups.some(({ customer }) => customer !== null)
  )
}

/** Like `dependsOnOthers`, but for frozen terms, complete or as stored. */
export function termsDependOnOthers(terms: Partial<Terms> | null): boolean {
  if (terms === null) return false
  const { oneTimeUse, uniqueCode, userLimits } = terms
  return oneTimeUse === true || uniqueCode === true || userLimits !== undefined || needsHistory(terms)
}
