import type { DecisionFault } from './rules.ts'

/** Statuses and titles are in src/refusals-purchases.ts. */
export type ClaimRefusal =
  | DecisionFault
  | 'claim_not_found'
  | 'claim_conflict'
  | 'claim_earns_nothing'
  | 'claim_above_limit'
  | 'claim_notes_full'
