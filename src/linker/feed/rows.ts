import type { CardId } from '../../cards/index.ts'
import type { Day } from '../../platform/calendar.ts'
import type { FeedPage, ProviderRow } from '../provider.ts'
import type { HandedKind, Reading } from './reading.ts'

/** A row of the feed as it was last seen, and the source event it stands behind. */
export type FeedRow = {
  readonly rowId: string
  readonly generation: number
  readonly cardId: CardId | null
  readonly externalId: string
  readonly handedAs: HandedKind | null
  readonly refundOf: string | null
  readonly amount: bigint
  readonly peakAmount: bigint
  readonly currency: string
  readonly boughtOn: Day
  readonly occurredAt: Date
  readonly merchant: string
  readonly contentHash: Buffer
  readonly revision: number
  readonly superseded: boolean
  readonly removed: boolean
}

/** What a whole update comes to: each row as it is at its end, and which rows are gone. */
export type Update = { readonly rows: readonly ProviderRow[]; readonly removed: readonly string[] }

/** A row may come, change and go on different pages; the last word counts. */
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

/**
 * After a user linked the same login again every row comes once more under a new id. This is the row of the older item
 * that a new one repeats: same card, merchant, day and amount, and not yet taken by another.
 */
export function rowBefore(older: readonly FeedRow[], cardId: CardId | null, reading: Reading): FeedRow | null {
  const same = older.find(
    (row) =>
      row.cardId !== null &&
      row.cardId === cardId &&
      row.amount === reading.amount &&
      row.currency === reading.currency &&
      row.boughtOn === reading.boughtOn &&
      row.merchant === reading.merchant &&
      (row.handedAs === 'REFUND') === (reading.kind === 'REFUND'),
  )
  return same ?? null
}

/**
 * The purchase that a refund gives back, where that is certain: same card and merchant, bought before, enough of it
 * left; of several only the latest of exactly this amount. Refunds carry no reference to what they refund.
 */
export function purchaseOf(rows: readonly FeedRow[], cardId: CardId | null, refund: Reading): FeedRow | null {
  if (cardId === null) return null
  // A row and its repetition under a later item stand for one source event.
  const distinct = new Map(rows.map((row) => [row.externalId, row])).values()
  const live = [...distinct].filter((row) => row.cardId === cardId && !row.removed && row.currency === refund.currency)
  const refunded = (purchase: FeedRow): bigint =>
    live.reduce((sum, row) => (row.refundOf === purchase.externalId ? sum + row.amount : sum), 0n)
  const candidates = live
    .filter((row) => row.handedAs === 'CLEARING' && row.merchant === refund.merchant && row.boughtOn <= refund.boughtOn)
    .filter((row) => row.amount - refunded(row) >= refund.amount)
  const exact = candidates.filter((row) => row.amount === refund.amount)
  if (exact.length > 0) return exact.toSorted((a, b) => (a.boughtOn < b.boughtOn ? 1 : -1))[0] ?? null
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}
