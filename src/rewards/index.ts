/**
 * Rewards: the transaction as publishers see it and the life of its reward: award, mature, adjust, claw back, with the
 * decision trace. Promises that what is posted always equals what the frozen terms owe for the purchase as it stands.
 */
export { writeChanges } from './changes.ts'
export { matureRewards } from './mature.ts'
export {
  type DecisionRow,
  findDecision,
  insertDecisions,
  listGroups,
  listOfferUses,
  listRipePublishers,
  listTransactionsById,
  type OfferUse,
  transactionColumns,
  transactionOf,
  writeOfferUses,
} from './queries.ts'
export { type Amounts, type Arithmetic, noAmounts, targetOf } from './rules.ts'
export { presentTransaction, TransactionSchema } from './schema.ts'
export { type Change, type Group, isSameTerms, type PurchaseState, type Ruling, settle } from './settle.ts'
export { freezeTerms, type Terms } from './terms.ts'
export { STATUS_REASONS, type Status, type StatusReason, type Transaction } from './transaction.ts'
export { verifyRewards } from './verify.ts'
export { releaseRewards, withholdRewards } from './withhold.ts'
