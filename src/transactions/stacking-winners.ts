import type { Tx } from '../platform/database.ts'
import type { TransactionId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { firstOf, type Pair, type Policy, type Sight } from './stacking.ts'
import { type PairRow, writePairs } from './stacking-queries.ts'
import { nameOf, type Seen, type Stacking } from './stacking-state.ts'

/** A pair with the policy under which it is decided. */
export type Decided = Pair & { readonly policy: Policy; readonly first: Sight }

/** What a person has decided of a purchase: anew by the policy as it is now, or put back as it was. */
type Redecided = 'anew' | { readonly wasStacked: boolean } | undefined

/** Which side of each pair gives way, as it turns out while a batch is worked through. */
export type Winners = {
  /** The works in their order, but of a pair the side that comes first before the other, behind what its source saw before it. */
  inTurn<W extends { readonly root: Seen['root'] }>(works: readonly W[]): W[]
  /** Whether the other side of this purchase earns what is paid for both. */
  isStacked(transactionId: TransactionId): boolean
  settled(transactionId: TransactionId, earns: boolean): void
  write(tx: Tx, now: Date): Promise<void>
}

/** The policy under which a pair was decided stays its own; whoever has it decided anew has it by the publisher's of today. */
export function decidedPairs(
  publisher: Publisher,
  { pairs, former }: Pick<Stacking<Seen>, 'pairs' | 'former'>,
  redecidedOf: (transactionId: TransactionId) => Redecided,
): Decided[] {
  const kept = new Map(former.map((row) => [nameOf(row), row.policy]))
  return pairs.map(({ card, affiliate }) => {
    const before = kept.get(nameOf({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
    const told = [card, affiliate].map((side) => ({ side, redecided: redecidedOf(side.transactionId) }))
    const policy = policyOf(publisher, before, told)
    return { card, affiliate, policy, first: firstOf({ card, affiliate }, policy === 'BOTH' ? 'AFFILIATE' : policy) }
  })
}

/** What is put back gives way where it did, and stood beside the other side where neither did. */
function policyOf(
  publisher: Publisher,
  before: Policy | undefined,
  told: readonly { readonly side: Sight; readonly redecided: Redecided }[],
): Policy {
  const putBack = told.filter(({ redecided }) => typeof redecided === 'object')
  const loser = putBack.find(({ redecided }) => typeof redecided === 'object' && redecided.wasStacked)
  if (loser !== undefined) return loser.side.source === 'CARD' ? 'AFFILIATE' : 'CARD'
  if (putBack.length > 0) return 'BOTH'
  return told.some(({ redecided }) => redecided === 'anew')
    ? publisher.stackingPolicy
    : (before ?? publisher.stackingPolicy)
}

export function openWinners(publisher: Publisher, decided: readonly Decided[], former: readonly PairRow[]): Winners {
  const pairs = new Map(
    decided.flatMap((pair) => [pair.card, pair.affiliate].map((side) => [side.transactionId, pair])),
  )
  const earning = new Set<TransactionId>()
  const stacked = new Set<TransactionId>()
  return {
    isStacked: (transactionId) => {
      const pair = pairs.get(transactionId)
      if (pair === undefined || pair.policy === 'BOTH') return false
      if (!earning.has(otherOf(pair, transactionId).transactionId)) return false
      stacked.add(transactionId)
      return true
    },
    settled: (transactionId, earns) => {
      if (earns) earning.add(transactionId)
    },
    inTurn: (works) => (pairs.size === 0 ? [...works] : inTurn(works, (id) => pairs.get(id)?.first.transactionId)),
    write: async (tx, now) => {
      const rows = decided.map((pair) => rowOf(pair, stacked))
      const [before, after] = [new Map(former.map((row) => [nameOf(row), row])), new Set(rows.map(nameOf))]
      const gone = former.filter((row) => !after.has(nameOf(row)))
      const kept = rows.filter((row) => {
        const known = before.get(nameOf(row))
        return known?.policy !== row.policy || known.stacked !== row.stacked
      })
      await writePairs(tx, publisher.id, { gone, kept }, now)
    },
  }
}

/** What one source saw stays in its order, for by that each takes up what a user gets only so often. */
function inTurn<W extends { readonly root: Seen['root'] }>(
  works: readonly W[],
  firstOf: (id: TransactionId) => TransactionId | undefined,
): W[] {
  const byId = new Map(works.map((work) => [work.root.transactionId, work]))
  const sources = Map.groupBy(works, ({ root }) => `${root.userId} ${root.source}`)
  const former = new Map([...sources.values()].flatMap((seen) => seen.map((work, index) => [work, seen[index - 1]])))
  const begun = new Set<W>()
  const turns: W[] = []
  const take = (work: W | undefined): void => {
    if (work === undefined || begun.has(work)) return
    begun.add(work)
    take(former.get(work))
    take(byId.get(firstOf(work.root.transactionId) ?? work.root.transactionId))
    turns.push(work)
  }
  for (const work of works) take(work)
  return turns
}

function otherOf({ card, affiliate }: Pair, transactionId: TransactionId): Sight {
  return card.transactionId === transactionId ? affiliate : card
}

function rowOf({ card, affiliate, policy }: Decided, losers: ReadonlySet<TransactionId>): PairRow {
  const stacked = [card, affiliate].find(({ transactionId }) => losers.has(transactionId))?.source ?? null
  return {
    userId: card.userId,
    cardId: card.transactionId,
    affiliateId: affiliate.transactionId,
    policy,
    stacked,
  }
}
