/** The refusals of this room and the status each has in src/refusals.ts: review_not_found 404, review_decided 409. */
export type ReviewRefusal = 'review_not_found' | 'review_decided'
