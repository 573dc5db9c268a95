import type { Tx } from '../../platform/database.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LoadedPurchase, Restored } from '../replay/load.ts'
import { type PairRow, writePairs } from './pair-queries.ts'
import { type Pair, type Policy, preferredOf, type Report } from './pairs.ts'
import { pairKey } from './search.ts'

/** A pair with its policy, and the report that is paid as long as it earns anything. */
export type DecidedPair = Pair & { readonly policy: Policy; readonly preferred: Report }

/** A stored pair keeps its policy. A new pair, or one that a re-match decides, gets the publisher's present policy. */
export function decidedPairs(
  publisher: Publisher,
  pairs: readonly Pair[],
  former: readonly PairRow[],
  purchases: readonly LoadedPurchase[],
): DecidedPair[] {
  if (pairs.length === 0) return []
  const stored = new Map(former.map((row) => [pairKey(row), row.policy]))
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  return pairs.map(({ card, affiliate }) => {
    const before = stored.get(pairKey({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
    const sides = [card, affiliate].map((side) => ({ side, purchase: loaded.get(side.transactionId) }))
    const policy = policyOf(publisher, before, sides)
    const preferred = preferredOf({ card, affiliate }, policy === 'BOTH' ? 'AFFILIATE' : policy)
    return { card, affiliate, policy, preferred }
  })
}

type Side = { readonly side: Report; readonly purchase: LoadedPurchase | undefined }

/** An undo restores which report was not paid, and pays both if both were paid. */
function policyOf(publisher: Publisher, before: Policy | undefined, sides: readonly Side[]): Policy {
  const redecided = sides.map(({ purchase }) => purchase?.redecided)
  if (redecided.some((one) => typeof one === 'object')) {
    const had = sides.map(({ side, purchase }) => ({ side, ...formerOf(purchase) }))
    const loser = had.find(({ reason }) => reason === 'stacked')
    if (loser !== undefined) return loser.side.source === 'CARD' ? 'AFFILIATE' : 'CARD'
    if (had.every(({ gross }) => gross > 0n)) return 'BOTH'
  }
  return redecided.includes('rematch') ? publisher.stackingPolicy : (before ?? publisher.stackingPolicy)
}

/** What an undo restores of a report; one that it does not name has what it had. */
function formerOf(purchase: LoadedPurchase | undefined): Pick<Restored, 'reason' | 'gross'> {
  if (purchase === undefined) return { reason: null, gross: 0n }
  const { redecided, group } = purchase
  if (typeof redecided === 'object') return redecided
  const gross = [group.root, ...group.adjustments].reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  return { reason: group.root.statusReason, gross }
}

/** Purchases in order, except that the preferred report of a pair, and all earlier ones of its source, precede the other. */
export function inTurn(purchases: readonly LoadedPurchase[], pairs: readonly DecidedPair[]): LoadedPurchase[] {
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
  const turns: LoadedPurchase[] = []
  const take = (one: LoadedPurchase | undefined): void => {
    if (one === undefined || begun.has(one)) return
    begun.add(one)
    take(previous.get(one))
    const { transactionId } = one.group.root
    take(byId.get(preferred.get(transactionId) ?? transactionId))
    turns.push(one)
  }
  for (const one of purchases) take(one)
  return turns
}

export function pairRowsOf(pairs: readonly DecidedPair[], losers: ReadonlySet<TransactionId>): PairRow[] {
  return pairs.map(({ card, affiliate, policy }) => ({
    userId: card.userId,
    cardId: card.transactionId,
    affiliateId: affiliate.transactionId,
    policy,
    stacked: [card, affiliate].find(({ transactionId }) => losers.has(transactionId))?.source ?? null,
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
