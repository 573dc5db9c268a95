import type { Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { EXPRESSIONS } from './columns.ts'

// Large enough that the round trip does not count, small enough that a batch is a few hundred kilobytes.
const BATCH_ROWS = 1_000

/** Every statement of this transaction sees the same instant, and none can write. Must be its first. */
export async function readSnapshot(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read read only`
}

/**
 * The transactions bought in a span of time, the oldest first, each as the text of its row, in batches: while one is
 * written out the next is fetched, and none after that before it is asked for.
 * A cursor of SQL and not of the driver: that one, told to go on after its connection broke, takes the process down.
 */
export async function* eachTransaction(
  tx: Tx,
  publisherId: PublisherId,
  span: { readonly from: Date; readonly until: Date },
): AsyncGenerator<readonly { readonly record: string }[]> {
  await tx`
    declare report no scroll cursor for
    select row(${tx.unsafe(EXPRESSIONS)})::text as record
    from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
    where t.publisher_id = ${publisherId} and t.authorized_at >= ${span.from} and t.authorized_at < ${span.until}
    order by t.authorized_at, t.transaction_id`
  const ask = () => {
    const batch = tx<{ record: string }[]>`fetch ${tx.unsafe(String(BATCH_ROWS))} from report`
    // This begins it; and while its reader is slow nobody is there to hear that it failed, which is told by the wait for it.
    batch.catch(() => undefined)
    return batch
  }
  let next = ask()
  try {
    for (;;) {
      const batch = await next
      if (batch.length === 0) return
      next = ask()
      yield batch
    }
  } finally {
    // Whoever leaves has no use for the batch under way, but the transaction must not end before it.
    await next.catch(() => undefined)
  }
}
