/**
 * Claims: publishers and users report that a reward is missing or wrong, and a person decides. Guarantees that each
 * claim is decided once, that only a source event or an adjustment in the same commit can grant it, and that whoever
 * opened it is notified.
 */
export { type Candidates, listCandidates } from './candidates.ts'
export type { Claim, ClaimNote } from './claim.ts'
export {
  applyAdjustmentDecision,
  type ClaimAdjustment,
  decideAdjustment,
  declineClaim,
  declineOverdue,
  grantByAdjustment,
  grantByEvent,
} from './decide.ts'
export type { ClaimRefusal } from './errors.ts'
export { listNotes } from './note-queries.ts'
export {
  findClaim,
  grantedByEventsSince,
  listByDeadline,
  listClaims,
  listOverduePublishers,
  waitingClaims,
} from './queries.ts'
export { claimNotFound } from './record.ts'
export { claimRoutes } from './routes.ts'
export { CLAIM_KINDS, CLAIM_STATUSES, type ClaimStatus, PERSONS_REASONS, type PersonsReason } from './rules.ts'
export { ClaimParams, ClaimSchema, claimExample, noteExample, OperatorNoteBody, presentClaim } from './schema.ts'
export { addNote, claimIdIn, openClaim, withdrawClaim } from './service.ts'
