import type { Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { EXPRESSIONS } from './columns.ts'

// A batch is about a megabyte. So many are asked for ahead that on a busy machine the server and this process each go on
// with what they have when the other has to wait its turn; with one, either was idle a third of the time.
const BATCH_ROWS = 2_000
const BATCHES_AHEAD = 3

/** Every statement of this transaction sees the same instant, and none can write. Must be its first. */
export async function readSnapshot(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read read only`
}

/**
 * The transactions bought in a span of time, the oldest first, each as the bytes of its row, in batches: while one is
 * written out a few more are fetched, and none after those before it is asked for.
 * A cursor of SQL and not of the driver: that one, told to go on after its connection broke, takes the process down.
 * Nor COPY, which costs the server almost as much: its stream, once its reader left, holds its connection forever.
 */
export async function* eachTransaction(
  tx: Tx,
  publisherId: PublisherId,
  span: { readonly from: Date; readonly until: Date },
): AsyncGenerator<readonly Buffer[]> {
  await tx`
    declare report binary no scroll cursor for
    select row(${tx.unsafe(EXPRESSIONS)})
    from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
    where t.publisher_id = ${publisherId} and t.authorized_at >= ${span.from} and t.authorized_at < ${span.until}
    order by t.authorized_at, t.transaction_id`
  const ask = () => {
    // Asked for by the extended protocol, it would be the driver that says text or binary, and it says text.
    const batch = tx`fetch ${tx.unsafe(String(BATCH_ROWS))} from report`.simple().raw()
    // This begins it; and while its reader is slow nobody is there to hear that it failed, which is told by the wait for it.
    batch.catch(() => undefined)
    return batch
  }
  const asked = Array.from({ length: BATCHES_AHEAD }, ask)
  try {
    for (;;) {
      const batch: readonly (readonly Buffer[])[] = (await asked.shift()) ?? []
      if (batch.length === 0) return
      asked.push(ask())
      yield batch.flat()
    }
  } finally {
    // Whoever leaves has no use for what is under way, but the transaction must not end before it.
    await Promise.allSettled(asked)
  }
}
