import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import type { Catalog } from '../catalog/index.ts'
import { findReview } from './queries.ts'
import { type DecidedReview, decideReview, parseReviewId, undoReview } from './service.ts'

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
  const of = isForAll ? null : ((await findReview(tx, null, reviewId))?.publisherId ?? null)
  const decided = await decideReview(tx, catalog, of, reviewId, answer, now)
  const { template } = decided.review
  const after = { template, brand_uid: brandUid, decided_by: name, for_all: isForAll, closed: decided.closed.length }
  await audit(tx, { actor: by, action: 'review.decided', subject: encodeId('rev', reviewId), after }, now)
  return decided
}

/**
 * Undoes the decision on a review and records this in the audit log.
 * @throws the same refusals as undoReview
 */
export async function undoReviewAs(tx: Tx, reviewUid: string, by: Actor, now: Date): Promise<DecidedReview> {
  const reviewId = parseReviewId(reviewUid)
  const before = await findReview(tx, null, reviewId)
  const undone = await undoReview(tx, reviewId, by.name, now)
  const was = { brand_uid: before?.brandUid ?? null, decided_by: before?.decidedBy ?? null }
  const entry = { actor: by, action: 'review.undone', subject: encodeId('rev', reviewId), before: was }
  await audit(tx, { ...entry, after: { template: undone.review.template, opened: undone.closed.length } }, now)
  return undone
}
