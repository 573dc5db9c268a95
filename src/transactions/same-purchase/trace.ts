import { encodeId, type TransactionId } from '../../platform/ids.ts'
import type { Trace } from '../trace/trace-schema.ts'
import type { PairRow } from './pair-queries.ts'

/** Adds the other report of the purchase as a rule of the chosen offer. */
export function withOtherReport(trace: Trace, pair: PairRow | null, transactionId: TransactionId): Trace {
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
