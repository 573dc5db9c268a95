import { encodeId, type TransactionId } from '../../platform/ids.ts'
import type { Trace } from '../trace/trace-schema.ts'
import { PAIR_TABLES, type PairRows } from './pair-queries.ts'
import { idsOf, stackedOf } from './stored-pairs.ts'

/** Adds the other reports of the purchase as rules of the chosen offer. */
export function withOtherReports(trace: Trace, { sales, twice }: PairRows, transactionId: TransactionId): Trace {
  const isStacked = (pairs: PairRows): boolean => stackedOf(pairs).has(transactionId)
  const others = [
    ...sales.map((row) => ({ row, bound: row.policy, passed: !isStacked({ sales: [row], twice: [] }) })),
    ...twice.map((row) => ({
      row,
      bound: PAIR_TABLES[row.table].preferred,
      passed: !isStacked({ sales: [], twice: [row] }),
    })),
  ].filter(({ row }) => idsOf(row).includes(transactionId))
  if (others.length === 0) return trace
  const lines = others.map(({ row, bound, passed }) => {
    const other = idsOf(row).find((id) => id !== transactionId) ?? transactionId
    return { rule: 'stacking', value: encodeId('txn', other), bound, passed }
  })
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
