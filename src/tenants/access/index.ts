/**
 * Access: who is calling and what they may do. Guards for publishers and operators, roles and permissions, API keys,
 * staff, and writes that happen once per Idempotency-Key. Guarantees that a handler receives a publisher or an operator
 * only after a valid key or session has been checked, and that every operation declares the permission it requires.
 */
export { actorName, presentRow, presentRows } from './actor-names.ts'
export { retainedAnswers, retainedOperatorAnswers } from './answer-queries.ts'
export { auditRoute } from './audit/operator-routes.ts'
export { authenticateOperators } from './authenticate-operators.ts'
export { authenticatePublishers, getCallingPublisher } from './authenticate-publishers.ts'
export { findRepeatedAnswer, rememberAnswer } from './idempotency.ts'
export { faultAt, PUBLISHER_FIELD, PublisherParams, parsePublisherId, parseUserId } from './ids.ts'
export { createKeyAs, revokeKeyAs } from './keys/audited-keys.ts'
export { createApiKey } from './keys/keys.ts'
export { keyRoutes } from './keys/operator-routes.ts'
export { listApiKeys } from './keys/queries.ts'
export {
  dayFilters,
  equals,
  exceptSortedBy,
  type OperatorList,
  publisherFilter,
  readFirstRows,
  readList,
  requiredIn,
  unindexed,
  userFilters,
} from './list-queries.ts'
export type { OperatorDeps } from './operator-deps.ts'
export type { OperatorRefusal } from './operator-errors.ts'
export { createOperator, revokeOperator } from './operator-keys.ts'
export { listOperation } from './operator-lists.ts'
export { type OperatorOperation, operatorOperations } from './operator-operations.ts'
export { countLiveActors, listOperators } from './operator-queries.ts'
export { operatorRoute } from './operator-routes.ts'
export { getPermissions, type Permission } from './permissions.ts'
export {
  type OperationDeps,
  type PublisherCaller,
  type PublisherOperation,
  publisherOperations,
} from './publisher-operations.ts'
export { type DueWork, ownPublisherRoutes, sandboxRoutes } from './routes.ts'
export { staffRoutes } from './staff/operator-routes.ts'
export { publisherStaffRoutes, readActor } from './staff/routes.ts'
export { nameUserLine } from './user-lines.ts'
