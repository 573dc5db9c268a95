/**
 * Ledger: journals, postings and balances. The only room that books money. Guarantees that every journal sums to zero,
 * that no cause is booked twice, that nothing booked ever changes, and that a user's balances are never negative and
 * always equal the sum of their postings.
 */

export { type AccountLine, readAccountStatement } from './account-statement.ts'
export type { UserAmounts, UserJournalKind } from './account-statement-queries.ts'
export {
  accrue,
  adjust,
  type Book,
  clawBack,
  closeBook,
  getBalances,
  holdForRedemption,
  mature,
  openBook,
  payRedemption,
  reassign,
  releaseRedemption,
  returnRedemption,
  writeOff,
} from './book.ts'
export { takeCut } from './cut.ts'
export { formatInstant } from './cut-queries.ts'
export { addUpLedger } from './daily-sums.ts'
export {
  addUpImported,
  findAddedUp,
  listMoney,
  listRewardDays,
  type MoneyByState,
  type RewardDay,
} from './daily-sums-queries.ts'
export { foldDeltas } from './fold-deltas.ts'
export { showDeltas } from './metrics.ts'
export { operatorLedgerRoutes } from './operator-routes.ts'
export { bookPayments } from './payments.ts'
export { openBalances, readWallets } from './queries.ts'
export {
  ACCOUNTS,
  type Account,
  type Balances,
  type Cause,
  JOURNAL_KINDS,
  type JournalKind,
  noBalances,
  type PaidAccount,
  type Wallet,
} from './rules.ts'
export { derivePeriod, deriveSharedBooks, SHARED_BOOKS, selectChains, selectJournalShapes } from './shape-queries.ts'
export { listPostingsByCause, type StatementLine } from './statement.ts'
export { readTrialBalance, type TrialBalance } from './trial-balance.ts'
export { trialBalanceRoutes } from './trial-balance-routes.ts'
export { presentTrialBalance } from './trial-balance-schema.ts'
export { showVerification, verifyNext } from './verification.ts'
export { readVerification } from './verification-queries.ts'
export {
  DIFFERENCES_MAX,
  type Difference,
  selectBalanceSums,
  selectBookedAdjustments,
  selectBookedPayments,
  selectBookedRewards,
  selectPendingBalances,
  selectPostings,
  selectRedemptionPostings,
  verifyLedger,
} from './verify.ts'
