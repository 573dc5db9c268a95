/**
 * Claims: publishers and users report that a reward is missing or wrong, and a person decides. Guarantees that each
 * claim is decided once, that none is granted without a stored source event or a booked adjustment, and that the
 * publisher is notified.
 */
export { operatorAdjustmentRoutes } from './adjustment-operator-routes.ts'
export { CLAIM, type Claim } from './claim.ts'
export { applyAdjustmentDecision, declineOverdue } from './decide.ts'
export { declineClaimAs } from './decide-claim.ts'
export type { ClaimRefusal } from './errors.ts'
export { listNotes } from './note-queries.ts'
export { operatorClaimRoutes } from './operator-routes.ts'
export { OPERATOR_CLAIM } from './operator-schema.ts'
export { CLAIM_LIST, countWaitingClaims, findClaim, listClaims, listOverduePublishers } from './queries.ts'
export { claimNotFound } from './record.ts'
export { claimRoutes } from './routes.ts'
export { CLAIM_STATUSES, type ClaimStatus, PERSONS_REASONS, type PersonsReason } from './rules.ts'
export { addNote, claimIdIn, openClaim, withdrawClaim } from './service.ts'
