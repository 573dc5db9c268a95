/**
 * Rewards: the transaction as publishers see it and the life of its reward: award, mature, adjust, claw back, with the
 * decision trace. Promises that what is posted always equals what the frozen terms owe for the purchase as it stands.
 */
export { type Activation, activationsOf, listActivations } from './activation-queries.ts'
export {
  type BoundOf,
  type Earning,
  listBounds,
  listBoundsOfUsers,
  listEarnings,
  writeBounds,
} from './bound-queries.ts'
export { listBudgets, listReservations, writeReservations } from './budget-queries.ts'
export { NEARLY_SPENT_PERCENT, warnOfBudgets } from './budget-warnings.ts'
export {
  type BudgetKey,
  type BudgetState,
  budgetName,
  budgetsOf,
  type OfferBudget,
  openBudgets,
  type Reservation,
  type Take,
} from './budgets.ts'
export { writeChanges } from './changes.ts'
export { type Code, countCodes, listCodes, listCodesByFingerprint, markCodes } from './code-queries.ts'
export type { RewardRefusal } from './errors.ts'
export { matureRewards } from './mature.ts'
export { activateOffer, deactivateOffer, fingerprintOf, handOutCode, type ImportedCode, importCodes } from './offers.ts'
export { periodStart } from './periods.ts'
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
export { offerRoutes } from './routes.ts'
export { presentTransaction, TransactionSchema } from './schema.ts'
export { type Change, type Group, isSameTerms, type PurchaseState, type Ruling, settle } from './settle.ts'
export { lockWholeBudgets, takeFromBudgets } from './take-budgets.ts'
export { STATUS_REASONS, type Status, type StatusReason, type Transaction } from './transaction.ts'
export { budgetsOfDay, createOffersOfUser, exhaustedOffers, type OffersOfUser, usedUpOffers } from './used-up.ts'
export { verifyRewards } from './verify.ts'
export { releaseRewards, withholdRewards } from './withhold.ts'
