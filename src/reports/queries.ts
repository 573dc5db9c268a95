import type { Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { type Transaction, transactionColumns, transactionOf } from '../rewards/index.ts'

export type ReportedTransaction = { readonly transaction: Transaction; readonly publisherUserId: string }
type Row = Parameters<typeof transactionOf>[0] & { readonly publisherUserId: string }

// Large enough that the round trip does not count, small enough that a batch is a few hundred kilobytes.
const BATCH_ROWS = 1_000

/** Every statement of this transaction sees the same instant, and none can write. Must be its first. */
export async function readSnapshot(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read read only`
}

/**
 * The transactions bought in a span of time, the oldest first, in batches: the next is fetched when it is asked for.
 * A cursor of SQL and not of the driver: that one, told to go on after its connection broke, takes the process down.
 */
export async function* eachTransaction(
  tx: Tx,
  publisherId: PublisherId,
  span: { readonly from: Date; readonly until: Date },
): AsyncGenerator<ReportedTransaction[]> {
  await tx`
    declare report no scroll cursor for
    select ${transactionColumns(tx)}, u.publisher_user_id as "publisherUserId"
    from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
    where t.publisher_id = ${publisherId} and t.authorized_at >= ${span.from} and t.authorized_at < ${span.until}
    order by t.authorized_at, t.transaction_id`
  for (;;) {
    const rows = await tx<Row[]>`fetch ${tx.unsafe(String(BATCH_ROWS))} from report`
    if (rows.length === 0) return
    yield rows.map((row) => ({ transaction: transactionOf(row), publisherUserId: row.publisherUserId }))
  }
}
