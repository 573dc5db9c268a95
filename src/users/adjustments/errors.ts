import type { AdjustmentFault } from './rules.ts'

/** Statuses and titles are in src/refusals-money.ts. Only operators see these codes. */
export type AdjustmentRefusal =
  | AdjustmentFault
  | 'adjustment_not_found'
  | 'adjustment_conflict'
  | 'adjustment_decided'
  | 'adjustment_proposed_by_you'
