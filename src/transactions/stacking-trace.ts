import type { Assortment } from '../catalog/index.ts'
import { targetOf } from '../offers/index.ts'
import type { Reader } from '../platform/database.ts'
import { encodeId, type TransactionId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { madeAt } from './stacking.ts'
import type { PairRow } from './stacking-queries.ts'
import { type Seen, stackingOf } from './stacking-state.ts'
import { decidedPairs } from './stacking-winners.ts'
import type { Trace } from './trace.ts'
import { loadWorks, type Work } from './works.ts'

/** Tells of the other sight of a purchase as a rule of the offer that rewards it, or would. */
export function withStacking(trace: Trace, pair: PairRow | null, transactionId: TransactionId): Trace {
  if (pair === null) return trace
  const isCard = pair.cardId === transactionId
  const passed = pair.stacked !== (isCard ? 'CARD' : 'AFFILIATE')
  const other = encodeId('txn', isCard ? pair.affiliateId : pair.cardId)
  const line = { rule: 'stacking', value: other, bound: pair.policy, passed }
  const lost = passed ? {} : { eligible: false, status_reason: 'stacked', user_cashback: 0 }
  return {
    ...trace,
    candidates: trace.candidates.map((one) =>
      one.offer_uid === trace.chosen ? { ...one, ...lost, rules: [...one.rules, line] } : one,
    ),
  }
}

type Looked = Seen & { readonly work?: Work }

/** What a purchase that has not happened would be one with, and which of the two would give way. */
export async function hypotheticalPair(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  seen: Seen,
  now: Date,
): Promise<(PairRow & { readonly madeAt: Date }) | null> {
  const { userId, transactionId } = seen.root
  const load = async (ids: readonly TransactionId[]) => {
    const touched = new Map(ids.map((id) => [id, []]))
    const works = await loadWorks(reader, { publisher, userIds: [userId] }, assortment, touched, now)
    return works.map((work): Looked => ({ ...work.group, ...work, work }))
  }
  const stacking = await stackingOf<Looked>(reader, publisher, assortment, [seen], load)
  const pair = decidedPairs(publisher, stacking, () => undefined).find(({ card, affiliate }) =>
    [card, affiliate].some((side) => side.transactionId === transactionId),
  )
  if (pair === undefined) return null
  const other = pair.card.transactionId === transactionId ? pair.affiliate : pair.card
  const work = stacking.others.find(({ root }) => root.transactionId === other.transactionId)?.work
  const isFirst = pair.first.transactionId === transactionId
  const stacked = pair.policy === 'BOTH' ? null : isFirst ? other : work !== undefined && earns(work) ? seen.root : null
  return {
    userId,
    cardId: pair.card.transactionId,
    affiliateId: pair.affiliate.transactionId,
    policy: pair.policy,
    madeAt: madeAt(pair),
    stacked: stacked === null ? null : stacked.source === 'CARD' ? 'CARD' : 'AFFILIATE',
  }
}

/** Also what gives way to a third purchase at the moment, for it would not any more. */
function earns({ group: { root, adjustments }, folded }: Work): boolean {
  const posted = [root, ...adjustments].reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  if (posted > 0n || root.statusReason !== 'stacked') return posted > 0n
  return root.terms !== null && folded?.emptyReason === null && targetOf(root.terms, folded).amounts.gross > 0n
}
