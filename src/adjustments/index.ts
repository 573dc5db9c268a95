/**
 * Adjustments: manual corrections of balances. Promises that each is booked once, by a journal of its own, and that
 * giving more than the publisher's limit in a day, or writing off a debt, takes a second person.
 */
export type { Adjustment } from './adjustment.ts'
export type { AdjustmentRefusal } from './errors.ts'
export { findAdjustment, listAdjustments, waitingAdjustments } from './queries.ts'
export { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'
export { AdjustmentSchema, adjustmentExample, presentAdjustment } from './schema.ts'
export {
  type AdjustmentDecision,
  adjustmentIdIn,
  bookOrDecline,
  proposeAdjustment,
  sumGivenToday,
} from './service.ts'
export { adjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
