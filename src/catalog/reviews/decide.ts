import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { type Catalog, revokeDecision } from '../catalog/index.ts'
import type { ReviewRefusal } from './errors.ts'
import { reopenReviews } from './queries.ts'
import { type DecidedReview, decideReview, getReview, parseReviewId } from './service.ts'

type Asked = {
  readonly reviewUid: string
  readonly isForAll: boolean
  readonly brandUid: string | null
  readonly note: string | null
  /** The name of the person who decided, and the operator who entered the decision. */
  readonly name: string
  readonly by: Actor
}

/**
 * Decides a review and records the decision in the audit log.
 * @throws Refusal review_not_found, review_decided, brand_not_found, decider_invalid
 */
export async function decideReviewAs(
  tx: Tx,
  catalog: Catalog,
  { reviewUid, isForAll, brandUid, note, name, by }: Asked,
  now: Date,
): Promise<DecidedReview> {
  const reviewId = parseReviewId(reviewUid)
  const answer = { brandUid, by: name, note }
  const of = isForAll ? null : (await getReview(tx, null, reviewId)).publisherId
  const decided = await decideReview(tx, catalog, of, reviewId, answer, now)
  const { template } = decided.review
  const after = { template, brand_uid: brandUid, decided_by: name, for_all: isForAll, closed: decided.closed.length }
  await audit(tx, { actor: by, action: 'review.decided', subject: encodeId('rev', reviewId), after }, now)
  return decided
}

/**
 * Undoes the answer to a review and records this in the audit log: unbinds the merchant and reopens the reviews that
 * the answer closed. If the same answer applies to all publishers, it is revoked for all of them, except those that
 * gave it themselves. Purchases decided in the meantime keep their outcome until they are re-matched.
 * @throws Refusal review_not_found, review_not_undoable, decider_invalid
 */
export async function undoReview(tx: Tx, reviewUid: string, by: Actor, now: Date): Promise<DecidedReview> {
  const reviewId = parseReviewId(reviewUid)
  const review = await getReview(tx, null, reviewId, { isLocked: true })
  const revoked = review.aliasUid === null ? [] : await revokeDecision(tx, review.aliasUid, by.name, now)
  if (revoked.length === 0)
    throw new Refusal<ReviewRefusal>(
      'review_not_undoable',
      'The review has no answer, or a newer answer has replaced it.',
    )
  const opened = await reopenReviews(tx, revoked)
  const before = { brand_uid: review.brandUid, decided_by: review.decidedBy }
  const after = { template: review.template, opened: opened.length }
  await audit(tx, { actor: by, action: 'review.undone', subject: encodeId('rev', reviewId), before, after }, now)
  return { review: opened.find((one) => one.reviewId === reviewId) ?? review, closed: opened }
}
