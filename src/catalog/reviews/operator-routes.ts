import Type from 'typebox'
import { idField } from '../../platform/http/index.ts'
import { listOperation, type OperatorOperation } from '../../tenants/access/index.ts'
import type { CatalogOperatorDeps } from '../catalog/index.ts'
import { decideReviewAs, undoReview } from './decide.ts'
import { listAlike, REVIEW_LIST } from './queries.ts'
import { OPERATOR_REVIEW, REVIEW } from './review.ts'
import {
  AnyAnswerSchema,
  DecidedSchema,
  decidedExample,
  presentDecided,
  presentDetail,
  presentReopened,
  ReopenedSchema,
  ReviewDetailSchema,
} from './schema.ts'
import { getReview, parseReviewId } from './service.ts'

const ReviewParams = Type.Object({ review_uid: idField('The review.') })
const alikeExample = { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', publisher_name: 'Acme', purchases: 3 }

/** Registers the operator routes for reviews, across all publishers. */
export function operatorReviewRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  readingRoutes(operation, deps)
  decidingRoutes(operation, deps)
}

function readingRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/reviews',
    permission: 'reviews:read',
    id: 'listAllReviews',
    summary: 'List reviews of uncertain merchants across all publishers',
    description:
      'Most recently seen first. Purchases at these merchants are CANCELLED as unmatched until the review is decided.',
    list: REVIEW_LIST,
    resource: OPERATOR_REVIEW,
    refusals: ['publisher_not_found'],
  })

  operation('GET /operator/reviews/:review_uid', {
    config: { permission: 'reviews:read' },
    id: 'getAnyReview',
    summary: 'Get a review and the reviews that an answer for all publishers would decide',
    description: 'Read this before answering for all publishers: it counts the waiting purchases of each review.',
    params: ReviewParams,
    answer: ReviewDetailSchema,
    example: { ...OPERATOR_REVIEW.example, alike: [alikeExample] },
    refusals: ['review_not_found'],
    handler: async ({ params }) => {
      const review = await getReview(deps.db.reader, null, parseReviewId(params.review_uid))
      return presentDetail(review, await listAlike(deps.db.reader, review.template))
    },
  })
}

function decidingRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/reviews/:review_uid/undo', {
    config: { permission: 'reviews:decide' },
    id: 'undoReview',
    summary: 'Undo the answer to a review',
    description:
      'The merchant is no longer bound to a brand, and every review that the answer closed is open again. Purchases decided in the meantime keep their outcome until a re-match; the response includes the filter for it.',
    params: ReviewParams,
    answer: ReopenedSchema,
    example: { review: REVIEW.example, opened: 1, rematch: decidedExample.rematch },
    refusals: ['decider_invalid', 'review_not_found', 'review_not_undoable'],
    handler: ({ params, actor, once }) =>
      once(async (tx) => presentReopened(await undoReview(tx, params.review_uid, actor, deps.clock.now()))),
  })

  operation('POST /operator/reviews/:review_uid/decide', {
    config: { permission: 'reviews:decide' },
    id: 'decideReviewForAll',
    summary: "Decide a merchant's brand for one or all publishers",
    description:
      'Applies to purchases from now on, within a second in every process. Earlier purchases do not change until a re-match.',
    params: ReviewParams,
    body: AnyAnswerSchema,
    bodyExample: { brand_uid: 'brand-market', scope: 'ALL', note: 'Its register on Main Street' },
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
