import type { DecisionFault } from './rules.ts'

/** src/refusals.ts has the status and title of each. */
export type ClaimRefusal =
  | DecisionFault
  | 'claim_not_found'
  | 'claim_conflict'
  | 'claim_earns_nothing'
  | 'claim_above_limit'
  | 'claim_notes_full'
