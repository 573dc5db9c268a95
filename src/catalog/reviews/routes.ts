import Type from 'typebox'
import { type App, buildPage, idField, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../../tenants/access/index.ts'
import type { CatalogStore } from '../catalog/index.ts'
import { countReviews, listReviews } from './queries.ts'
import { REVIEW } from './review.ts'
import { AnswerSchema, DecidedSchema, decidedExample, presentDecided, REVIEW_SORTS, ReviewQuery } from './schema.ts'
import { decideReview, parseReviewId } from './service.ts'

type Deps = OperationDeps & { readonly catalog: Pick<CatalogStore, 'current' | 'lookFor'> }

export function reviewRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Reviews')
  operation('GET /reviews', {
    config: { scope: 'transactions:read' },
    id: 'listReviews',
    summary: 'List reviews of uncertain merchants',
    description:
      'Most recently seen first. Purchases at these merchants are CANCELLED as unmatched until the review is decided.',
    query: ReviewQuery,
    answer: pageSchema(REVIEW.schema),
    example: pageExample([REVIEW.example]),
    handler: async ({ query, publisher }) => {
      const paging = readPaging(query, REVIEW_SORTS)
      const filter = { publisherId: publisher.id, isOpen: query.status !== 'DECIDED' }
      const [reviews, total] = await Promise.all([
        listReviews(deps.db.reader, filter, paging),
        countReviews(deps.db.reader, filter),
      ])
      return buildPage(reviews.map(REVIEW.present), total, paging)
    },
  })

  operation('POST /reviews/:review_uid/decide', {
    config: { scope: 'transactions:write' },
    id: 'decideReview',
    summary: 'Decide which brand a merchant belongs to',
    description:
      'Applies to new purchases, within a second in every process. Earlier purchases do not change until an operator re-matches them: send the `rematch` from the response to the operating company.',
    params: Type.Object({ review_uid: idField('The review.') }),
    body: AnswerSchema,
    answer: DecidedSchema,
    example: decidedExample,
    bodyExample: {
      brand_uid: 'brand-market',
      scope: 'PUBLISHER',
      decided_by: 'Ana',
      note: 'Its register on Main Street',
    },
    refusals: ['decider_invalid', 'review_not_found', 'brand_not_found', 'review_decided'],
    handler: async ({ params, body, publisher, once }) => {
      const reviewId = parseReviewId(params.review_uid)
      const { brand_uid: brandUid, decided_by, note } = body
      const answer = { brandUid, by: decided_by ?? publisher.name, note: note ?? null }
      await deps.catalog.lookFor([{ brandUid: brandUid ?? undefined }])
      const catalog = await deps.catalog.current()
      return once(async (tx) =>
        presentDecided(
          // Decisions are stamped with the real time, even in a sandbox with a moved clock.
          await decideReview(tx, catalog, publisher.id, reviewId, answer, deps.clock.now()),
        ),
      )
    },
  })
}
