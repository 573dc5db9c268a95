import { recordEvents } from '../events/index.ts'
import { closeBook, mature, openBook } from '../ledger/index.ts'
import { awaitAll, type Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { listUserNames } from '../users/index.ts'
import { countChanges } from './count-queries.ts'
import { listRipe, listTransactionsById, markEarned } from './queries.ts'
import { presentTransaction } from './schema.ts'
import { causeOf } from './settle.ts'
import type { Transaction } from './transaction.ts'
import { listWithheld } from './withheld-queries.ts'

// Large enough that a statement's fixed cost vanishes, small enough that users are not held for long.
const MATURE_BATCH = 1_000

/**
 * Makes a batch of due rewards of one publisher available, in a handful of statements. Skips users that another
 * transaction has locked, so that workers do not wait for each other; with `isAwaited` it waits for them.
 * @returns how many matured, and whether more are due
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
  // While this worker waited, another may have matured the whole batch; there may be a next one.
  if (rows.length === 0) return { matured: 0, more: isAwaited && ripe.length === limit }
  // From here on it must succeed. effectiveAt is the promised instant, so statements are right even if a worker is
  // late.
  for (const row of rows)
    mature(book, row.userId, causeOf({ ...row, version: row.version + 1 }, row.maturesAt ?? now), row.amounts)
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

/** Checked again under the lock: a refund may have arrived in between. */
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
