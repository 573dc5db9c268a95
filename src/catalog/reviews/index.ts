/**
 * Reviews: merchants that resemble a brand too loosely to earn a reward until a person decides. Guarantees at most one
 * open review per publisher and descriptor template, no matter how many purchases share it. Every answer is stored as
 * an alias with its author and time, and no card number is ever displayed.
 */
export { decideReviewAs } from './decide.ts'
export type { ReviewRefusal } from './errors.ts'
export { operatorReviewRoutes } from './operator-routes.ts'
export { countWaitingReviews, findReview, listReviews } from './queries.ts'
export { type Doubt, recordDoubts } from './record-doubts.ts'
export { OPERATOR_REVIEW } from './review.ts'
export { reviewRoutes } from './routes.ts'
export { presentDecided } from './schema.ts'
export { parseReviewId } from './service.ts'
