import type { BrandMatch } from '../merchants/index.ts'
import type { Tx } from '../platform/database.ts'
import { newUuid, type PublisherId, type TransactionId } from '../platform/ids.ts'
import { type NotedItem, upsertItems } from './queries.ts'
import { withoutNumbers } from './rules.ts'

/** A purchase whose merchant looks like a brand. */
export type Doubt = {
  readonly template: string
  readonly match: BrandMatch
  readonly transactionId: TransactionId
  /** Whether the purchase is noted for the first time; it counts once. */
  readonly isNew: boolean
  /** When it was made. */
  readonly at: Date
}

// Enough to see what kind of purchases they are.
const SAMPLES_MAX = 5

/** Opens an item for each kind of descriptor that has none, and brings the others up to date: one statement, however many. */
export async function noteDoubts(tx: Tx, publisherId: PublisherId, doubts: readonly Doubt[], now: Date): Promise<void> {
  const byTemplate = [...Map.groupBy(doubts, (doubt) => doubt.template)]
  const items = byTemplate.flatMap(([template, alike]) => itemOf(template, alike))
  if (items.length > 0) await upsertItems(tx, publisherId, items, now)
}

function itemOf(template: string, doubts: readonly Doubt[]): NotedItem[] {
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
        value: withoutNumbers(one.value),
        matched: withoutNumbers(one.matched),
      })),
      runnerUp,
      purchases: doubts.filter((doubt) => doubt.isNew).length,
      samples: [...new Set(doubts.map((doubt) => doubt.transactionId))].slice(0, SAMPLES_MAX),
      lastSeenAt: new Date(Math.max(...doubts.map((doubt) => doubt.at.getTime()))),
      firstSeenAt: new Date(Math.min(...doubts.map((doubt) => doubt.at.getTime()))),
    },
  ]
}
