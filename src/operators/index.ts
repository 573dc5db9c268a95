/**
 * Operators: the people of the operating company, their keys and roles, and the audit log. The last room: its routes
 * under `/operator/` and the commands call the verbs of other rooms and audit them. Promises that an Operator value
 * exists only after a live key was checked, and that the audit log is only appended to.
 */
export { saveAssortment } from './assortments.ts'
export { audit } from './audit.ts'
export { authenticateOperators } from './authenticate.ts'
export { importCatalogAs } from './catalog.ts'
export { declineClaimAs } from './claims.ts'
export type { OperatorRefusal } from './errors.ts'
export { presentFailedFact } from './fact-routes.ts'
export { retryFactsAs } from './facts.ts'
export { allowRevealAs } from './gift-cards.ts'
export { type Actor, localActor, ROLES, type Role } from './operator.ts'
export { assignPostbackAs, dismissPostbackAs } from './postbacks.ts'
export { type AuditEntry, listAudit, listOperators, retainedOperatorAnswers } from './queries.ts'
export {
  answerPayoutFileAs,
  createPayoutFileAs,
  openPayoutFileAs,
  setPayerAs,
} from './redemptions.ts'
export { applyRematchAs, undoRematchAs } from './rematches.ts'
export { decideReviewAs } from './reviews.ts'
export { operatorRoutes } from './routes.ts'
export { createOperator, revokeOperator } from './service.ts'
export { closeMonthAs, presentClosed } from './settlement.ts'
export { presentTrialBalance } from './trial-balance-schema.ts'
export { namesOfUsers } from './user-names.ts'
