/**
 * Ledger: journals, postings and balances. The only module that writes money. Guarantees that every journal sums to
 * zero, that no cause is booked twice, that nothing booked ever changes, and that a user's balances are never negative
 * and always equal the sum of their postings.
 */

export { type AccountLine, readAccountStatement } from './account-statement.ts'
export type { UserAmounts, UserJournalKind } from './account-statement-queries.ts'
export {
  accrue,
  adjust,
  type Book,
  balancesIn,
  clawBack,
  closeBook,
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
export { instantText } from './cut-queries.ts'
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
export { openBalances, walletsOf } from './queries.ts'
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
export { chains, journalShapes, periodOf, SHARED_BOOKS, sharedBooksOf } from './shape-queries.ts'
export { listPostingsOf, type StatementLine } from './statement.ts'
export { readTrialBalance, type TrialBalance } from './trial-balance.ts'
export { trialBalanceRoutes } from './trial-balance-routes.ts'
export { presentTrialBalance } from './trial-balance-schema.ts'
export { showVerification, verifyNext } from './verification.ts'
export { readVerification } from './verification-queries.ts'
export {
  balanceSums,
  bookedAdjustments,
  bookedPayments,
  bookedRewards,
  DIFFERENCES_MAX,
  type Difference,
  pendingBalances,
  postingsFor,
  redemptionPostings,
  verifyLedger,
} from './verify.ts'
