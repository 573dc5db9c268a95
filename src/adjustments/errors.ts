import type { AdjustmentFault } from './rules.ts'

/** src/refusals.ts has the status and title of each. Shown to operators only. */
export type AdjustmentRefusal =
  | AdjustmentFault
  | 'adjustment_not_found'
  | 'adjustment_conflict'
  | 'adjustment_decided'
  | 'adjustment_proposed_by_you'
