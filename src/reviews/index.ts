/**
 * Reviews: merchants that resemble a brand too loosely to earn a reward and wait for a person to decide. Guarantees at
 * most one open review per publisher and descriptor template, no matter how many purchases share it. Every answer is
 * stored as an alias with its author and time, and no card number is ever displayed.
 */
export type { ReviewRefusal } from './errors.ts'
export { decidedExample, reviewExample } from './examples.ts'
export { countReviews, findReview, listAlike, listReviews, waitingReviews } from './queries.ts'
export { type Doubt, recordDoubts } from './record-doubts.ts'
export { reviewRoutes } from './routes.ts'
export {
  AnyAnswerSchema,
  AnyReviewQuery,
  AnyReviewSchema,
  DecidedSchema,
  presentAnyReview,
  presentDecided,
  presentDetail,
  presentReopened,
  REVIEW_SORTS,
  ReopenedSchema,
  ReviewDetailSchema,
} from './schema.ts'
export { type DecidedReview, decideReview, getReview, reviewIdOf, undoReview } from './service.ts'
