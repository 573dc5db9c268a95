import type { Tx } from '../../platform/database.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LoadedPurchase, Restored } from '../replay/load.ts'
import { type PairRow, writePairs } from './pair-queries.ts'
import { type Pair, type Policy, preferredOf, type Report } from './pairs.ts'
import { pairKey } from './search-pairs.ts'

/** A pair with its policy, and the report that is paid as long as it earns anything. */
export type DecidedPair = Pair & { readonly policy: Policy; readonly preferred: Report }

/** A stored pair keeps its policy. A new pair, or one that a re-match decides, gets the publisher's present policy. */
export function decidedPairs(
  publisher: Publisher,
  pairs: readonly Pair[],
  former: readonly PairRow[],
  purchases: readonly LoadedPurchase[],
  restoredOf: (purchase: LoadedPurchase) => Restored | null,
): DecidedPair[] {
  if (pairs.length === 0) return []
  const stored = new Map(former.map((row) => [pairKey(row), row.policy]))
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  return pairs.map(({ card, affiliate }) => {
    const before = stored.get(pairKey({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
    const sides = [card, affiliate].flatMap(({ transactionId }) => loaded.get(transactionId) ?? [])
    const policy = restoredPolicy(sides, restoredOf) ?? presentPolicy(publisher, before, sides)
    const preferred = preferredOf({ card, affiliate }, policy === 'BOTH' ? 'AFFILIATE' : policy)
    return { card, affiliate, policy, preferred }
  })
}

/** An undo restores which report was not paid, and pays both if both were paid. */
function restoredPolicy(
  sides: readonly LoadedPurchase[],
  restoredOf: (purchase: LoadedPurchase) => Restored | null,
): Policy | null {
  if (!sides.some(({ redecided }) => typeof redecided === 'object')) return null
  const had = sides.map((side) => ({ source: side.group.root.source, restored: restoredOf(side) }))
  const unpaid = had.find(({ restored }) => restored?.reason === 'stacked')
  if (unpaid !== undefined) return unpaid.source === 'CARD' ? 'AFFILIATE' : 'CARD'
  return had.every(({ restored }) => restored !== null && restored.gross > 0n) ? 'BOTH' : null
}

function presentPolicy(publisher: Publisher, before: Policy | undefined, sides: readonly LoadedPurchase[]): Policy {
  const isRematched = sides.some(({ redecided }) => redecided === 'rematch')
  return isRematched ? publisher.stackingPolicy : (before ?? publisher.stackingPolicy)
}

/**
 * Purchases in order, except that the preferred report of a pair, and all earlier ones of its source, precede the
 * other.
 */
export function preferredFirst(purchases: readonly LoadedPurchase[], pairs: readonly DecidedPair[]): LoadedPurchase[] {
  if (pairs.length === 0) return [...purchases]
  const preferred = new Map(
    pairs.flatMap(({ card, affiliate, preferred }) =>
      [card, affiliate].map((side) => [side.transactionId, preferred.transactionId] as const),
    ),
  )
  const byId = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const bySource = Map.groupBy(purchases, ({ group: { root } }) => `${root.userId} ${root.source}`)
  const previous = new Map([...bySource.values()].flatMap((own) => own.map((one, index) => [one, own[index - 1]])))
  const begun = new Set<LoadedPurchase>()
  const ordered: LoadedPurchase[] = []
  const take = (one: LoadedPurchase | undefined): void => {
    if (one === undefined || begun.has(one)) return
    begun.add(one)
    take(previous.get(one))
    const { transactionId } = one.group.root
    take(byId.get(preferred.get(transactionId) ?? transactionId))
    ordered.push(one)
  }
  for (const one of purchases) take(one)
  return ordered
}

export function pairRowsOf(pairs: readonly DecidedPair[], stacked: ReadonlySet<TransactionId>): PairRow[] {
  return pairs.map(({ card, affiliate, policy }) => ({
    userId: card.userId,
    cardId: card.transactionId,
    affiliateId: affiliate.transactionId,
    policy,
    stacked: [card, affiliate].find(({ transactionId }) => stacked.has(transactionId))?.source ?? null,
  }))
}

export async function storePairs(
  tx: Tx,
  publisher: Publisher,
  former: readonly PairRow[],
  rows: readonly PairRow[],
  now: Date,
): Promise<void> {
  const [before, after] = [new Map(former.map((row) => [pairKey(row), row])), new Set(rows.map(pairKey))]
  const gone = former.filter((row) => !after.has(pairKey(row)))
  const kept = rows.filter((row) => {
    const known = before.get(pairKey(row))
    return known?.policy !== row.policy || known.stacked !== row.stacked
  })
  await writePairs(tx, publisher.id, { gone, kept }, now)
}
