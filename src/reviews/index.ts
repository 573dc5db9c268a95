/**
 * Reviews: merchants that look like a brand, but not certainly enough to reward anybody, waiting for a person's answer.
 * Promises one open item for each publisher and kind of descriptor, however many purchases it stands for, that an answer
 * is kept as an alias with who gave it and when, and that no card number is shown.
 */
export type { ReviewRefusal } from './errors.ts'
export { decidedExample, reviewExample } from './examples.ts'
export { type Doubt, noteDoubts } from './note.ts'
export { countReviews, findReview, listReviews } from './queries.ts'
export { reviewRoutes } from './routes.ts'
export {
  AnyAnswerSchema,
  AnyReviewQuery,
  AnyReviewSchema,
  DecidedSchema,
  presentAnyReview,
  presentDecided,
  REVIEW_SORTS,
} from './schema.ts'
export { type Decided, decideReview, decideReviewForAll, reviewIdOf } from './service.ts'
