/**
 * Adjustments: manual corrections of balances. Guarantees that each one is booked exactly once, in its own journal.
 * Giving more than the publisher's daily limit, or writing off a debt, requires a second person's approval.
 */
export { ADJUSTMENT, type Adjustment } from './adjustment.ts'
export type { AdjustmentRefusal } from './errors.ts'
export { ADJUSTMENT_LIST, countWaitingAdjustments, findAdjustment, lockGiver, sumBookedAloneSince } from './queries.ts'
export { ADJUSTMENT_KINDS, PAYERS } from './rules.ts'
export {
  type AdjustmentDecision,
  bookOrDecline,
  openProposal,
  type ProposedAdjustment,
  parseAdjustmentId,
  recordProposal,
} from './service.ts'
export { selectAdjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
