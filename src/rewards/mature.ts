import { recordEvents } from '../events/index.ts'
import { closeBook, mature, openBook } from '../ledger/index.ts'
import { awaitAll, type Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { listUserNames } from '../users/index.ts'
import { listRipe, listTransactionsById, lockFreeUsers, markEarned } from './queries.ts'
import { presentTransaction } from './schema.ts'
import { causeOf, splitOfRow } from './settle.ts'
import type { Transaction } from './transaction.ts'
import { listWithheld } from './withheld-queries.ts'

// Large enough that a statement's fixed cost vanishes, small enough that users are not held for long.
const MATURE_BATCH = 1_000

/**
 * Makes ripe rewards available: one batch of one publisher, in a handful of statements. Users that someone else is
 * working on are left for the next batch, so many workers never wait for each other; but where somebody waits for all that
 * is due, they are waited for.
 * Answers how many matured, and whether more are due.
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
  const userIds = isAwaited ? owners : await lockFreeUsers(tx, publisher.id, owners)
  const book = await openBook(tx, publisher, userIds)
  const held = ripe.filter((one) => book.balances.has(one.userId)).map((one) => one.transactionId)
  const withheld = await listWithheld(tx, publisher.id, userIds)
  const rows = (await listTransactionsById(tx, publisher.id, held)).filter(
    (row) => isRipe(row, now) && !withheld.has(row.adjusts ?? row.transactionId),
  )
  // Where all were waited for, others have made them available meanwhile, and the next are looked for.
  if (rows.length === 0) return { matured: 0, more: isAwaited && ripe.length === limit }
  // From here on it must succeed. effectiveAt is the promised instant, so statements are right even when a worker was late.
  for (const row of rows) {
    mature(
      book,
      row.userId,
      { ...causeOf({ ...row, version: row.version + 1 }, row.maturesAt ?? now) },
      splitOfRow(row.amounts),
    )
  }
  await awaitAll([closeBook(tx, book), markEarned(tx, publisher.id, rows, now), tellEarned(tx, publisher, rows, now)])
  return { matured: rows.length, more: ripe.length === limit }
}

/** Judged again under the lock: a refund may have come between. */
function isRipe(row: Transaction, now: Date): boolean {
  return row.status === 'PENDING' && row.maturesAt !== null && row.maturesAt.getTime() <= now.getTime()
}

async function tellEarned(tx: Tx, publisher: Publisher, rows: readonly Transaction[], now: Date): Promise<void> {
  const names = await listUserNames(tx, publisher.id, [...new Set(rows.map((row) => row.userId))])
  const records = rows.flatMap((row) => {
    const earned: Transaction = {
      ...row,
      status: 'EARNED',
      earnedAt: now,
      maturesAt: null,
      version: row.version + 1,
      updatedAt: now,
    }
    const told = {
      userId: row.userId,
      data: presentTransaction(earned, names.get(row.userId) ?? ''),
      previous: { status: row.status },
    }
    return [
      { type: 'transaction.updated' as const, ...told },
      { type: 'reward.available' as const, ...told },
    ]
  })
  await recordEvents(tx, publisher, records, now)
}
