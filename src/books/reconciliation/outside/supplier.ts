import type { Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import type { Comparison } from '../comparisons.ts'
import { formatAmount } from '../read-rows.ts'
import { type BookRow, sortRows } from '../rules.ts'
import type { ComparedSpan } from '../span.ts'
import { type OutsideLine, readStatement, unreadable } from './file-statement.ts'
import { type KnownOrder, listOrders } from './queries.ts'

const STATUSES = ['processing', 'delivered', 'partially_delivered', 'failed', 'refunded']

/**
 * Compares a supplier's order list with the recorded gift card orders.
 * @throws Refusal statement_unreadable
 */
export function compareSupplierFile(text: string): Comparison {
  const lines = readStatement(text, STATUSES)
  const ids = lines.map(({ reference }) => decodeId('gco', reference) ?? reference)
  if (new Set(ids).size < ids.length) throw unreadable(['two of its lines refer to the same order'])
  return {
    left: 'gift-card orders',
    right: 'supplier',
    hint: 'an order that has ended at the supplier is queried again automatically; otherwise ask the supplier',
    sides: (tx, span) => readSides(tx, span, lines),
  }
}

async function readSides(
  tx: Tx,
  span: ComparedSpan,
  lines: readonly OutsideLine[],
): Promise<readonly [BookRow[], BookRow[]]> {
  const ids = lines.map(({ reference }) => decodeId('gco', reference))
  const all = await listOrders(
    tx,
    span,
    ids.flatMap((id) => id ?? []),
  )
  const known = all.filter(({ isOwn }) => isOwn)
  const foreign = new Set<string | null>(all.filter(({ isOwn }) => !isOwn).map(({ orderId }) => orderId))
  const byId = new Map(known.map((one) => [one.orderId, one]))
  const named = new Set<string | null>(ids)
  return [
    // The supplier has no record of orders that it rejected.
    sortRows(known.filter((one) => one.status !== 'failed' || named.has(one.orderId)).map(orderRow)),
    sortRows(
      lines.flatMap((line, index) =>
        foreign.has(ids[index] ?? null) ? [] : [lineRow(line, byId.get(ids[index] ?? ''))],
      ),
    ),
  ]
}

function orderRow({ orderId, total, currency, status }: KnownOrder): BookRow {
  return {
    key: encodeId('gco', orderId),
    values: { total: formatAmount(total, currency), status: status === 'ordered' ? 'processing' : status },
    waits: status === 'ordered',
  }
}

/** Returns the row for a line. Values that the file omits are taken from the recorded order, so they never differ. */
function lineRow({ reference, status, amount, currency }: OutsideLine, known: KnownOrder | undefined): BookRow {
  const total = amount ?? known?.total ?? null
  const said = total === null ? {} : { total: formatAmount(total, currency ?? known?.currency ?? null) }
  return { key: known === undefined ? reference : encodeId('gco', known.orderId), values: { ...said, status } }
}
