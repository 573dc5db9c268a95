/**
 * Transactions: ingests source events, derives transactions from them, makes the transactions searchable, and takes each
 * one's reward through its lifecycle: award, mature, adjust, claw back. Guarantees that each event is stored unchanged
 * and counted once, that a purchase's events produce the same transaction in any arrival order, and that posted amounts
 * always equal what the frozen terms owe.
 */
export { eraseEvents } from './erase.ts'
export type { TransactionRefusal } from './errors.ts'
export { type EventKind, type PurchaseFacts, SOURCES, type SourceEventInput } from './event.ts'
export { AUTHORIZATION_DAYS } from './fold/fold.ts'
export { evaluatePurchase, evaluatePurchases } from './intake/evaluate.ts'
export { expireAuthorizations } from './intake/expire.ts'
export { type IntakeDeps, ingestEvents, joinRefund } from './intake/intake.ts'
export {
  countOpenRefunds,
  countWaitingReportedRefunds,
  deleteOpenRefunds,
  findOpenRefund,
  type OpenRefund,
  selectOpenRefunds,
} from './intake/refund-queries.ts'
export { ingestReportedSale } from './intake/reported-sales.ts'
export { createListing } from './listing.ts'
export { findMerchantBrand, prepareMatching } from './load/match.ts'
export { operatorTransactionRoutes } from './operator-routes.ts'
export {
  listCardEvents,
  listCardPurchaseEvents,
  listLapsedPublishers,
  listPurchasesAround,
  mapCardEventsToPurchases,
  type StoredCardEvent,
} from './queries.ts'
export { listChanges, REMATCH_LIST } from './rematch/queries.ts'
export { REMATCH, type Rematch } from './rematch/rematch.ts'
export { parseDayFilter, presentChanges, presentPreview } from './rematch/schema.ts'
export { getRematch, previewRematch } from './rematch/service.ts'
export { applyRematchAs, undoRematchAs } from './rematch-by-operator.ts'
export { operatorRematchRoutes } from './rematch-operator-routes.ts'
export {
  countMatching,
  countTransactionsIn,
  type DayCount,
  listDayCounts,
  type Matching,
} from './rewards/count-queries.ts'
export { matureRewards } from './rewards/mature.ts'
export { showMaturing } from './rewards/metrics.ts'
export { listGroups, listRipePublishers, listTransactionsById } from './rewards/queries.ts'
export type { StatusReason } from './rewards/statuses.ts'
export { type PresentedTransaction, presentTransaction, TRANSACTION, type Transaction } from './rewards/transaction.ts'
export { selectRewardsToBook, verifyRewards } from './rewards/verify.ts'
export { releaseRewards } from './rewards/withheld-queries.ts'
export { withholdRewards } from './rewards/withhold.ts'
export { transactionRoutes } from './routes.ts'
export { readSourceEvent, type UserEventBody, UserEventSchema } from './schema.ts'
export { findTransactionBrand, findTransactions } from './search.ts'
export {
  findPurchaseFacts,
  findUnknownName,
  getTransaction,
  isKnownEvent,
  reportEvents,
  transactionNotFound,
} from './service.ts'
export { getDecision } from './trace/decision.ts'
export { addOfferNames } from './trace/trace.ts'
export { buildUserView, type Explained, findRefusingRule } from './trace/user-view.ts'
export { TraceSchema, UserViewSchema } from './trace-schema.ts'
export { verifyTransactions } from './verify.ts'
export { operatorVoucherRoutes } from './voucher-operator-routes.ts'
export { countPools } from './vouchers/pools.ts'
