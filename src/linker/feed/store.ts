import { type Account, listCardSpans } from '../../cards/index.ts'
import { addDays } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/database.ts'
import type { Publisher } from '../../publishers/index.ts'
import { takeUpEvents } from '../../transactions/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { Item } from '../item-queries.ts'
import { learnAccounts } from './accounts.ts'
import { type Ground, planUpdate } from './plan.ts'
import * as feed from './queries.ts'
import { readRow } from './reading.ts'
import type { Update } from './rows.ts'

// Refunds come within months; older purchases are not searched for them.
const REFUNDED_WITHIN_DAYS = 400

/** The update of an item's feed, and which item it is of. */
export type Read = {
  readonly item: Item
  readonly update: Update
  /** The update is all that the provider has of the item, read from the beginning. */
  readonly isSnapshot: boolean
  /** The login's accounts, where the update names one that was not known. */
  readonly accounts: readonly Account[] | null
}

/**
 * Hands one whole update over: source events and the rows to remember, in the commit of the run. The caller holds the
 * user's cards and the item.
 */
export async function storeUpdate(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  { item, update, accounts }: Read,
  now: Date,
): Promise<void> {
  if (accounts !== null) await learnAccounts(tx, publisher, item, accounts, now)
  if (update.rows.length + update.removed.length === 0) return
  const { events, rows } = planUpdate(await groundOf(tx, publisher, { item, update }, now), update)
  const outcomes = events.length === 0 ? [] : await takeUpEvents(tx, deps, publisher, events, now)
  const refused = outcomes.filter((outcome) => 'refusal' in outcome).length
  if (refused > 0) deps.log.warn({ link_id: item.linkId, refused }, 'rows of a feed were known for another user')
  if (rows.length > 0) await feed.upsertRows(tx, publisher.id, item, rows)
}

/** Everything that the plan judges by, in a handful of statements however large the update is. */
async function groundOf(
  tx: Tx,
  publisher: Publisher,
  { item, update }: Pick<Read, 'item' | 'update'>,
  now: Date,
): Promise<Ground> {
  const ids = update.rows.flatMap((row) => (row.pendingRowId === null ? [row.rowId] : [row.rowId, row.pendingRowId]))
  const readings = update.rows.map((row) => readRow(row, publisher.timeZone))
  const days = [...new Set(readings.map((reading) => reading.boughtOn))]
  const refunds = readings.filter((reading) => reading.kind === 'REFUND')
  const merchants = [...new Set(refunds.map((refund) => refund.merchant))]
  const earliest = refunds.map((refund) => refund.boughtOn).toSorted()[0]
  const spans = await listCardSpans(tx, publisher.id, [item.userId])
  return {
    userId: item.userId,
    timeZone: publisher.timeZone,
    now,
    generation: item.generation,
    cardOfAccount: new Map(spans.map((span) => [span.accountId, span.cardId])),
    known: await feed.listRows(tx, publisher.id, item.userId, [...ids, ...update.removed]),
    older: item.generation === 1 ? [] : await feed.listOlderRows(tx, publisher.id, item, days),
    purchases:
      earliest === undefined
        ? []
        : await feed.listPurchases(tx, publisher.id, item, merchants, addDays(earliest, -REFUNDED_WITHIN_DAYS)),
  }
}
