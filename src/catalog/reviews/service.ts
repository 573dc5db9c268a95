import type { Tx } from '../../platform/db/database.ts'
import { decodeId, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Catalog, type CatalogRefusal, decideAlias } from '../catalog/index.ts'
import type { ReviewRefusal } from './errors.ts'
import { closeReviews, findReview } from './queries.ts'
import type { Review, ReviewId } from './review.ts'

type Answer = {
  /** Null if the merchant is not a brand in this catalog. */
  readonly brandUid: string | null
  readonly by: string
  readonly note: string | null
}
export type DecidedReview = {
  readonly review: Review
  /** All reviews closed by this answer. */
  readonly closed: readonly Review[]
}

/**
 * Stores a person's answer for one publisher, or for all if `publisherId` is null, and closes the open reviews of the
 * same template. Repeating the same answer is a no-op.
 * @throws Refusal review_not_found, review_decided, brand_not_found, decider_invalid
 */
export async function decideReview(
  tx: Tx,
  catalog: Catalog,
  publisherId: PublisherId | null,
  reviewId: ReviewId,
  { brandUid, by, note }: Answer,
  now: Date,
): Promise<DecidedReview> {
  const review = await getReview(tx, publisherId, reviewId, { isLocked: true })
  if (brandUid !== null && catalog.brands.get(brandUid)?.retired !== false)
    throw new Refusal<CatalogRefusal>('brand_not_found', 'There is no such brand.', { field: 'brand_uid' })
  if (review.decidedAt !== null) {
    if (review.brandUid !== brandUid)
      throw new Refusal<ReviewRefusal>('review_decided', `${review.decidedBy} has already answered this review.`)
    // An answer for one publisher can still be extended to all.
    if (publisherId !== null || review.isForAll) return { review, closed: [] }
  }
  const aliasUid = await decideAlias(tx, { publisherId, key: review.template, brandUid, by, note }, now)
  const closed = await closeReviews(tx, publisherId, { template: review.template, brandUid, aliasUid, by, now })
  return { review: closed.find((one) => one.reviewId === review.reviewId) ?? review, closed }
}

/** @throws Refusal review_not_found */
export async function getReview(...args: Parameters<typeof findReview>): Promise<Review> {
  return found(await findReview(...args))
}

/** @throws Refusal review_not_found if the text is not a review id. */
export function parseReviewId(text: string): ReviewId {
  return found(decodeId<'review'>('rev', text))
}

function found<T>(review: T | null): T {
  if (review === null) throw new Refusal<ReviewRefusal>('review_not_found', 'There is no such review.')
  return review
}
