/**
 * Adjustments: manual corrections of balances. Guarantees that each one is booked exactly once, in its own journal.
 * Giving more than the publisher's daily limit, or writing off a debt, requires a second person.
 */
export type { Adjustment } from './adjustment.ts'
export type { AdjustmentRefusal } from './errors.ts'
export { findAdjustment, listAdjustments, waitingAdjustments } from './queries.ts'
export { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'
export { AdjustmentSchema, adjustmentExample, presentAdjustment } from './schema.ts'
export { type AdjustmentDecision, adjustmentIdIn, bookOrDecline, proposeAdjustment, sumGivenToday } from './service.ts'
export { adjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
