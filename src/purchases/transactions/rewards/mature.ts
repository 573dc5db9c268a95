import { recordEvents } from '../../../events/index.ts'
import { closeBook, mature, openBook } from '../../../ledger/index.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listUserNames } from '../../../users/users/index.ts'
import { countChanges } from './count-queries.ts'
import { listRipe, listTransactionsById, markEarned } from './queries.ts'
import { toCause } from './settle.ts'
import { presentTransaction, type Transaction } from './transaction.ts'
import { listWithheld } from './withheld-queries.ts'

// Large enough to amortize the fixed cost of a statement, small enough not to lock users for long.
const MATURE_BATCH = 1_000

/**
 * Matures a batch of a publisher's due rewards in a handful of statements. Skips users locked by another transaction,
 * so workers never wait for each other; with `isAwaited`, waits for them instead.
 * @returns the number of rewards matured, and whether more are due
 */
export async function matureRewards(
  tx: Tx,
  publisher: Publisher,
  now: Date,
  { limit = MATURE_BATCH, isAwaited = false } = {},
): Promise<{ matured: number; more: boolean }> {
  const ripe = await listRipe(tx, publisher.id, now, limit)
  if (ripe.length === 0) return { matured: 0, more: false }
  const owners = [...new Set(ripe.map((one) => one.userId))]
  const book = await openBook(tx, publisher, owners, { skipLocked: !isAwaited })
  const locked = ripe.filter((one) => book.wallets.has(one.userId)).map((one) => one.transactionId)
  const withheld = await listWithheld(tx, publisher.id, [...book.wallets.keys()])
  const rows = (await listTransactionsById(tx, publisher.id, locked)).filter(
    (row) => isRipe(row, now) && !withheld.has(row.adjusts ?? row.transactionId),
  )
  // Another worker may have matured the entire batch while this one waited, so there may be more to do.
  if (rows.length === 0) return { matured: 0, more: isAwaited && ripe.length === limit }
  // Everything from here on must succeed. effectiveAt is the promised time, so statements are correct even if a worker
  // is late.
  for (const row of rows)
    mature(book, row.userId, toCause({ ...row, version: row.version + 1 }, row.maturesAt ?? now), row.amounts)
  await awaitAll([
    closeBook(tx, book),
    markEarned(tx, publisher.id, rows, now),
    countChanges(
      tx,
      publisher.id,
      rows.map((row) => ({ before: row, after: { ...row, status: 'EARNED' } })),
    ),
    announceEarned(tx, publisher, rows, now),
  ])
  return { matured: rows.length, more: ripe.length === limit }
}

/** Rechecks under the lock, because a refund may have arrived in the meantime. */
function isRipe(row: Transaction, now: Date): boolean {
  return row.status === 'PENDING' && row.maturesAt !== null && row.maturesAt.getTime() <= now.getTime()
}

async function announceEarned(tx: Tx, publisher: Publisher, rows: readonly Transaction[], now: Date): Promise<void> {
  const names = await listUserNames(tx, publisher.id, [...new Set(rows.map((row) => row.userId))])
  const records = rows.flatMap((row) => {
    const { userId, status } = row
    const later = { maturesAt: null, version: row.version + 1, updatedAt: now }
    const earned: Transaction = { ...row, ...later, status: 'EARNED', earnedAt: now }
    const event = { userId, data: presentTransaction(earned, names.get(userId) ?? ''), previous: { status } }
    return [
      { type: 'transaction.updated' as const, ...event },
      { type: 'reward.available' as const, ...event },
    ]
  })
  await recordEvents(tx, publisher, records, now)
}
