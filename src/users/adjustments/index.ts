/**
 * Adjustments: manual corrections of balances. Guarantees that each one is booked exactly once, in its own journal.
 * Giving more than the publisher's daily limit, or writing off a debt, requires a second person.
 */
export { ADJUSTMENT, type Adjustment } from './adjustment.ts'
export type { AdjustmentRefusal } from './errors.ts'
export { ADJUSTMENT_LIST, bookedAloneSince, findAdjustment, lockGiver, waitingAdjustments } from './queries.ts'
export { ADJUSTMENT_KINDS, PAYERS } from './rules.ts'
export {
  type AdjustmentDecision,
  adjustmentIdIn,
  bookOrDecline,
  openProposal,
  type ProposedAdjustment,
  recordProposal,
} from './service.ts'
export { adjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
