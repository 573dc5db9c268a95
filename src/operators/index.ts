/**
 * Operators: the operating company's people, their keys, and what their roles permit. This is the outermost module: its
 * routes under `/operator/` and the CLI commands call other modules and audit the calls. Guarantees that an Operator
 * value only exists after a live key or session was verified.
 */
export { saveAssortment } from './assortments.ts'
export { authenticateOperators } from './authenticate.ts'
export { importCatalogAs } from './catalog.ts'
export { declineClaimAs } from './claims.ts'
export { operatorsAsDeputies } from './deputies.ts'
export type { OperatorRefusal } from './errors.ts'
export { presentFailedFact } from './fact-routes.ts'
export { retryFactsAs } from './facts.ts'
export { allowRevealAs } from './gift-cards.ts'
export { createKeyAs, revokeKeyAs } from './keys.ts'
export { assignPostbackAs, dismissPostbackAs } from './postbacks.ts'
export {
  addCurrencyAs,
  allowAs,
  changeSettingsAs,
  createPublisherWithKeyAs,
  disallowAs,
} from './publishers.ts'
export { listOperators, retainedOperatorAnswers } from './queries.ts'
export {
  answerPayoutFileAs,
  createPayoutFileAs,
  openPayoutFileAs,
  readAnswerTo,
  setPayerAs,
} from './redemptions.ts'
export { assignRefundAs, dismissRefundAs } from './refunds.ts'
export { applyRematchAs, undoRematchAs } from './rematches.ts'
export { decideReviewAs } from './reviews.ts'
export { operatorRoutes } from './routes.ts'
export { createOperator, revokeOperator } from './service.ts'
export { closeMonthAs, presentClosed } from './settlement.ts'
export { presentTrialBalance } from './trial-balance-schema.ts'
export { namesOfUsers } from './user-names.ts'
