/**
 * Reviews: merchants that resemble a brand, but not certainly enough for a reward, waiting for a person's answer.
 * Promises one open review per publisher and descriptor template, however many purchases it represents, that an answer
 * is kept as an alias with its author and time, and that no card number is shown.
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
