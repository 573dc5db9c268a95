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
  listTransactionColumns,
  listTransactionsById,
  toTransaction,
} from './queries.ts'
export { type Change, computeOwed, type Group, isSameTerms, type PurchaseState, type Ruling, settle } from './settle.ts'
export type { StatusReason } from './statuses.ts'
export {
  findStatusReason,
  type PresentedTransaction,
  presentTransaction,
  TRANSACTION,
  type Transaction,
} from './transaction.ts'
export { selectRewardsToBook, verifyRewards } from './verify.ts'
export { releaseRewards } from './withheld-queries.ts'
export { withholdRewards } from './withhold.ts'
export { writeChanges } from './write-changes.ts'
