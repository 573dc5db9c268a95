import type { Offer } from '../../catalog/index.ts'
import { type Terms, termsAskForHistory } from '../../offers/index.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Neighbour, Span } from '../queries.ts'
import type { LoadedPurchase } from './load.ts'

/** The user and the brand, for which purchases are decided together. */
export const spanKey = ({ userId, brandUid }: Pick<Span, 'userId' | 'brandUid'>): string => `${userId} ${brandUid}`

/** From the first of these purchases on, at the brand that each was of and at the one that it is of now. */
export function spansOf(purchases: readonly LoadedPurchase[]): Span[] {
  const spans = new Map<string, Span>()
  for (const { group, folded, match } of purchases) {
    const { root, former = root } = group
    const { userId } = root
    const since =
      folded === null || former.authorizedAt < folded.authorizedAt ? former.authorizedAt : folded.authorizedAt
    for (const brandUid of new Set([match.brandUid, former.terms?.brandUid ?? former.brandUid])) {
      if (brandUid === null) continue
      const known = spans.get(spanKey({ userId, brandUid }))
      if (known === undefined || since < known.since)
        spans.set(spanKey({ userId, brandUid }), { userId, brandUid, since })
    }
  }
  return [...spans.values()]
}

type Order = {
  readonly at: Date
  readonly rootId: string
  readonly source: string
  readonly transactionId: string
}

export function orderOf({ group: { root }, folded, rootId }: LoadedPurchase): Order {
  const { source, transactionId, authorizedAt } = root
  return { at: folded?.authorizedAt ?? authorizedAt, rootId, source, transactionId }
}

/** As purchases were made; of those of one instant by the ids of their events, so that no order of arrival decides. */
export function inOrder(a: Order, b: Order): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    compare(a.rootId, b.rootId) ||
    compare(a.source, b.source) ||
    compare(a.transactionId, b.transactionId)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Answers when the user bought last at the brand before a purchase; null: never. */
export type History = { previousPurchaseAt(purchase: LoadedPurchase, brandUid: string): Date | null }

/**
 * @param neighbours purchases that are not decided again
 * @param twins the other report of a purchase that was seen twice, and when it was made: neither comes before the other
 */
export function openHistory(
  purchases: readonly LoadedPurchase[],
  neighbours: readonly Neighbour[],
  twins: ReadonlyMap<TransactionId, { readonly other: TransactionId; readonly madeAt: Date }>,
): History {
  const loaded = purchases.filter(({ folded, match }) => match.brandUid !== null && folded?.wasMade === true)
  const known = new Map<string, Order[]>()
  const add = (key: string, order: Order): void => {
    const orders = known.get(key)
    if (orders === undefined) known.set(key, [order])
    else orders.push(order)
  }
  for (const one of loaded)
    add(spanKey({ userId: one.group.root.userId, brandUid: one.match.brandUid ?? '' }), orderOf(one))
  for (const {
    userId,
    brandUid,
    authorizedAt: at,
    externalId: rootId,
    source,
    transactionId,
    isPurchase,
  } of neighbours)
    if (isPurchase) add(spanKey({ userId, brandUid }), { at, rootId, source, transactionId })
  for (const orders of known.values()) orders.sort(inOrder)
  return {
    previousPurchaseAt: (purchase, brandUid) => {
      const { userId, transactionId } = purchase.group.root
      const twin = twins.get(transactionId)
      const own = { ...orderOf(purchase), ...(twin === undefined ? {} : { at: twin.madeAt }) }
      const orders = known.get(spanKey({ userId, brandUid })) ?? []
      const before = orders.findLast(
        (one) => one.transactionId !== twin?.other && one.transactionId !== transactionId && inOrder(one, own) < 0,
      )
      return before?.at ?? null
    },
  }
}

function asksForHistory(offer: Offer): boolean {
  return (
    offer.newCustomerOnly ||
    offer.conditions.lapsedCustomerOnly ||
    offer.groups.some((group) => group.customer !== null)
  )
}

/** Whether what one purchase earns by this offer can depend on the user's other purchases at the brand. */
export function dependsOnOthers(offer: Offer): boolean {
  const { uniqueCodes, userLimits } = offer.conditions
  return offer.oneTimeUse || uniqueCodes || userLimits.length > 0 || asksForHistory(offer)
}

export function termsDependOnOthers(terms: Terms | null): boolean {
  if (terms === null) return false
  return terms.oneTimeUse || terms.uniqueCode === true || terms.userLimits !== undefined || termsAskForHistory(terms)
}
