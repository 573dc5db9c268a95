import { query } from '../../api/query.ts'
import { choice } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

/** All publishers' open or decided reviews, a hundred at a time. */
export const REVIEWS = operatorList('/operator/reviews', {
  status: choice('Which', { OPEN: 'Waiting', DECIDED: 'Answered' }, 'OPEN'),
})

/** Queries a review, with the effects of an answer on all publishers. */
export const review = (review_uid: string) => query('/operator/reviews/{review_uid}', { path: { review_uid } })
