import Type from 'typebox'
import { idField, pageExample, pageOf, pageSchema, sortOf } from '../platform/http/index.ts'
import {
  AnyAnswerSchema,
  AnyReviewQuery,
  AnyReviewSchema,
  countReviews,
  DecidedSchema,
  decidedExample,
  listReviews,
  presentAnyReview,
  presentDecided,
  REVIEW_SORTS,
  reviewExample,
} from '../reviews/index.ts'
import type { OperatorDeps } from './deps.ts'
import { publisherIdIn } from './ids.ts'
import type { OperatorOperation } from './operations.ts'
import { decideReviewAs } from './reviews.ts'

/** Merchants that look like a brand, of all publishers. */
export function operatorReviewRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/reviews', {
    config: { permission: 'reviews:read' },
    id: 'listAllReviews',
    summary: 'Reviews of uncertain merchants, of all publishers',
    description: 'Last seen first. Their purchases are CANCELLED as unmatched until a review is decided.',
    query: AnyReviewQuery,
    answer: pageSchema(AnyReviewSchema),
    example: pageExample([
      { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', publisher_name: 'Acme', ...reviewExample },
    ]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, status } = query
      const paging = sortOf(query, REVIEW_SORTS)
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      const filter = { publisherId, isOpen: status !== 'DECIDED' }
      const [reviews, total] = await Promise.all([
        listReviews(deps.db.reader, filter, paging),
        countReviews(deps.db.reader, filter),
      ])
      return pageOf(reviews.map(presentAnyReview), total, paging)
    },
  })

  operation('POST /operator/reviews/:review_uid/decide', {
    config: { permission: 'reviews:decide' },
    id: 'decideReviewForAll',
    summary: 'Decide the brand of a merchant, for one publisher or for all',
    description:
      'Applies to purchases from now on, within a second in every process. Earlier ones do not change until a re-match.',
    params: Type.Object({ review_uid: idField('The review.') }),
    body: AnyAnswerSchema,
    bodyExample: { brand_uid: 'brand-market', scope: 'ALL', note: 'Its till on Main Street' },
    answer: DecidedSchema,
    example: decidedExample,
    refusals: ['decider_invalid', 'review_not_found', 'brand_not_found', 'review_decided'],
    handler: async ({ params, body, actor, once }) => {
      const { brand_uid: brandUid, scope, note = null } = body
      const asked = { reviewUid: params.review_uid, isForAll: scope === 'ALL', brandUid, note }
      await deps.catalog.lookFor([{ brandUid: brandUid ?? undefined }])
      const catalog = await deps.catalog.current()
      return once(async (tx) =>
        presentDecided(await decideReviewAs(tx, catalog, { ...asked, by: actor, name: actor.name }, deps.clock.now())),
      )
    },
  })
}
