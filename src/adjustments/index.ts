/**
 * Adjustments: manual corrections of balances. Promises that each is booked once, by a journal of its own, and that
 * one person never books more than the publisher's limit, nor writes off a debt.
 */
export type { Adjustment } from './adjustment.ts'
export type { AdjustmentRefusal } from './errors.ts'
export { bookedAloneSince, listAdjustments, waitingAdjustments } from './queries.ts'
export { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES, PAYERS } from './rules.ts'
export { AdjustmentSchema, adjustmentExample, presentAdjustment } from './schema.ts'
export { type AdjustmentDecision, adjustmentIdIn, bookOrDecline, proposeAdjustment } from './service.ts'
export { adjustmentsToBook, verifyAdjustments } from './verify-queries.ts'
