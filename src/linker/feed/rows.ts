import type { CardId } from '../../cards/index.ts'
import type { Day } from '../../platform/calendar.ts'
import type { FeedPage, ProviderRow } from '../provider.ts'
import type { HandedKind } from './plan/parse-row.ts'

/**
 * A row of the feed as it was last seen, and the source event it stands behind.
 *
 * - live: the bank shows it
 * - waiting: it is gone, and its event stands until `waitsUntil`, because it may return under another id
 * - removed: it is gone, and its event was reversed
 * - replaced: another row has taken its place, and changes of this one mean nothing
 */
export type FeedRow = {
  readonly rowId: string
  readonly generation: number
  readonly cardId: CardId | null
  readonly accountId: string | null
  readonly externalId: string
  readonly handedAs: HandedKind | null
  readonly refundOf: string | null
  readonly amount: bigint
  readonly peakAmount: bigint
  readonly currency: string
  readonly boughtOn: Day
  readonly occurredAt: Date
  readonly merchantKeys: readonly string[]
  readonly contentHash: Buffer
  readonly revision: number
  readonly replacedBy: string | null
  readonly waitsUntil: Date | null
  readonly removed: boolean
  readonly isOrphan: boolean
}

/** What a whole update comes to: each row as it is at its end, and which rows are gone. */
export type Update = { readonly rows: readonly ProviderRow[]; readonly removed: readonly string[] }

/** A row may come, change and go on different pages; the last word counts. What is only said to have changed is taken as it is. */
export function foldPages(pages: readonly FeedPage[]): Update {
  const rows = new Map<string, ProviderRow>()
  const removed = new Set<string>()
  for (const page of pages) {
    for (const row of [...page.added, ...page.modified]) {
      rows.set(row.rowId, row)
      removed.delete(row.rowId)
    }
    for (const rowId of page.removed) {
      rows.delete(rowId)
      removed.add(rowId)
    }
  }
  return { rows: [...rows.values()], removed: [...removed] }
}

/** Whether the bank no longer shows the row, so that another may take its place. */
export function isVacant(row: FeedRow): boolean {
  return row.removed || row.waitsUntil !== null
}
