/**
 * Operators: the people of the operating company, their keys and roles, and what they did. The last room: its routes under
 * `/operator/` and the commands call the other rooms' verbs and write down who did what.
 * Promises that whoever holds an Operator value came with a live key, and that an entry of the audit log is never changed.
 */
export { saveAssortment } from './assortments.ts'
export { audit } from './audit.ts'
export { authenticateOperators } from './authenticate.ts'
export { importCatalogAs } from './catalog.ts'
export type { OperatorRefusal } from './errors.ts'
export { type Actor, localActor, type OperatorId, ROLES, type Role } from './operator.ts'
export { type AuditEntry, deleteOldOperatorResponses, listAudit, listOperators } from './queries.ts'
export { applyRematchAs, undoRematchAs } from './rematches.ts'
export { decideReviewAs } from './reviews.ts'
export { operatorRoutes } from './routes.ts'
export { createOperator, revokeOperator } from './service.ts'
