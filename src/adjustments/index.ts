/**
 * Adjustments: manual corrections of balances. Promises that each is booked once, by a journal of its own, and that
 * nobody gives more than the publisher's limit in a day, nor writes off a debt, without a second person.
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
  givenAloneToday,
  proposeAdjustment,
} from './service.ts'
export { adjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
