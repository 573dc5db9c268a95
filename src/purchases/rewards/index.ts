/**
 * Rewards: the transaction that publishers see, and the lifecycle of its reward: award, mature, adjust, claw back.
 * Guarantees that posted amounts always equal what the frozen terms owe.
 */
export { countMatching, countTransactionsIn, type DayCount, listDayCounts, type Matching } from './count-queries.ts'
export { matureRewards } from './mature.ts'
export { showMaturing } from './metrics.ts'
export {
  type DecisionRow,
  insertDecisions,
  listGroups,
  listRipePublishers,
  listTraces,
  listTransactionsById,
  transactionColumns,
  transactionOf,
} from './queries.ts'
export { presentTransaction, type ShownTransaction, TRANSACTION } from './schema.ts'
export { type Change, type Group, isSameTerms, owedFor, type PurchaseState, type Ruling, settle } from './settle.ts'
export { reasonOf, type StatusReason, type Transaction } from './transaction.ts'
export { rewardsToBook, verifyRewards } from './verify.ts'
export { releaseRewards } from './withheld-queries.ts'
export { withholdRewards } from './withhold.ts'
export { writeChanges } from './write-changes.ts'
