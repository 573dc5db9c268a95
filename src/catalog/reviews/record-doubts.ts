import type { Tx } from '../../platform/db/database.ts'
import { newUuid, type PublisherId, type TransactionId } from '../../platform/ids.ts'
import type { BrandMatch } from '../merchants/index.ts'
import { type ReviewDraft, SAMPLES_MAX, upsertReviews } from './queries.ts'
import { removeNumbers } from './rules.ts'

/** A purchase whose merchant resembles a brand. */
export type Doubt = {
  readonly template: string
  readonly match: BrandMatch
  readonly transactionId: TransactionId
  /** True if the purchase is being recorded for the first time. A review counts each purchase only once. */
  readonly isNew: boolean
  /** The time of the purchase. */
  readonly at: Date
}

/** Opens a review for each descriptor template that has none and updates the existing ones, in a single statement. */
export async function recordDoubts(
  tx: Tx,
  publisherId: PublisherId,
  doubts: readonly Doubt[],
  now: Date,
): Promise<void> {
  const byTemplate = [...Map.groupBy(doubts, (doubt) => doubt.template)]
  const drafts = byTemplate.flatMap(([template, alike]) => draftReview(template, alike))
  if (drafts.length > 0) await upsertReviews(tx, publisherId, drafts, now)
}

function draftReview(template: string, doubts: readonly Doubt[]): ReviewDraft[] {
  const last = doubts.at(-1)
  if (last === undefined || last.match.proposedUid === null) return []
  const { proposedUid, score, method, evidence, runnerUp } = last.match
  return [
    {
      reviewId: newUuid<'review'>(),
      template,
      proposedUid,
      score,
      method,
      evidence: evidence.map((one) => ({
        ...one,
        value: removeNumbers(one.value),
        matched: removeNumbers(one.matched),
      })),
      runnerUp,
      purchases: doubts.filter((doubt) => doubt.isNew).length,
      samples: [...new Set(doubts.map((doubt) => doubt.transactionId))].slice(0, SAMPLES_MAX),
      lastSeenAt: new Date(Math.max(...doubts.map((doubt) => doubt.at.getTime()))),
      firstSeenAt: new Date(Math.min(...doubts.map((doubt) => doubt.at.getTime()))),
    },
  ]
}
