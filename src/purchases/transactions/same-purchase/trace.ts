import type { RuleLine } from '../../../catalog/offers/index.ts'
import { encodeId, type TransactionId } from '../../../platform/ids.ts'
import type { Trace } from '../trace-schema.ts'
import { type CrossSourcePair, PAIR_TABLES, type PairRows, type SameSourcePair } from './pair-queries.ts'

/**
 * Adds the other reports of the purchase as rules of the chosen offer. Each rule shows whose report is preferred and
 * whether this one prevails. If a sale is paid instead, the reports of the card purchase do not lose to one another.
 *
 * @param pairs the pairs of this report and of its other reports
 */
export function addOtherReports(trace: Trace, { crossSource, sameSource }: PairRows, own: TransactionId): Trace {
  const ofOwn = sameSource.filter(({ ids }) => ids.includes(own))
  // A sale is paired with the preferred report of a card purchase, which represents the purchase's other reports.
  const heads = new Set([own, ...ofOwn.map(({ ids: [preferred] }) => preferred)])
  const lines = [
    ...crossSource.flatMap((row) => crossSourceLines(row, heads)),
    ...ofOwn.map((row) => sameSourceLine(row, own)),
  ]
  if (lines.length === 0) return trace
  const lost = lines.every(({ passed }) => passed)
    ? {}
    : { eligible: false, status_reason: 'stacked', user_cashback: 0 }
  return {
    ...trace,
    candidates: trace.candidates.map((one) =>
      one.offer_uid === trace.chosen ? { ...one, ...lost, rules: [...one.rules, ...lines] } : one,
    ),
  }
}

function crossSourceLines(
  { cardId, affiliateId, policy, stacked }: CrossSourcePair,
  heads: ReadonlySet<TransactionId>,
): RuleLine[] {
  if (heads.has(cardId)) return [toLine(affiliateId, policy, stacked !== 'CARD')]
  return heads.has(affiliateId) ? [toLine(cardId, policy, stacked !== 'AFFILIATE')] : []
}

/** A matured report is paid even if the other one is preferred. */
function sameSourceLine({ table, ids, stacked }: SameSourcePair, own: TransactionId): RuleLine {
  const [preferred, other] = ids
  const hasOtherWon = stacked.includes(preferred) && !stacked.includes(other)
  const rival = own === preferred ? other : preferred
  const isLost = stacked.includes(own) && !stacked.includes(rival)
  return toLine(rival, PAIR_TABLES[table][hasOtherWon ? 'other' : 'preferred'], !isLost)
}

function toLine(rival: TransactionId, bound: string, passed: boolean): RuleLine {
  return { rule: 'stacking', value: encodeId('txn', rival), bound, passed }
}
