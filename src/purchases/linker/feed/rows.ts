import type { Day } from '../../../platform/calendar.ts'
import type { CardId } from '../../../sources/cards/index.ts'
import type { FeedPage, ProviderRow } from '../provider.ts'

/** The kinds of source events that rows become. */
export type HandedKind = 'AUTHORIZATION' | 'CLEARING' | 'REFUND'

/**
 * A feed row as it was last seen, with its source event.
 *
 * - live: the bank shows it
 * - waiting: it has vanished, but its event remains in effect until `waitsUntil`, because it may return under another
 *   id
 * - removed: it has vanished, and its event was reversed
 * - replaced: another row has replaced it, and further changes to it are ignored
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

/** A complete update: its rows in their last state, and the ids of removed rows. */
export type Update = { readonly rows: readonly ProviderRow[]; readonly removed: readonly string[] }

/** Folds the pages of an update. A row may be added, modified and removed on different pages; the last change wins. */
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
