import type { Readable } from 'node:stream'
import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { EXPRESSIONS } from './columns.ts'

/**
 * The transactions bought in a span of time, the oldest first, in the text format of COPY. Each chunk that `read()`
 * returns holds whole rows: PostgreSQL sends one row a message, and the driver buffers messages.
 * @param span instants, the first inclusive and the last exclusive
 */
export async function copyTransactions(
  tx: Tx,
  publisherId: PublisherId,
  span: { readonly from: Date; readonly until: Date },
): Promise<Readable> {
  // COPY takes no parameters, so the id and the instants are written into it; neither holds a quote.
  const rows = await tx`
    copy (
      select ${tx.unsafe(EXPRESSIONS)}
      from transactions t join users u on u.user_id = t.user_id and u.publisher_id = t.publisher_id
      where t.publisher_id = ${literal(tx, publisherId)}
        and t.authorized_at >= ${literal(tx, span.from.toISOString())}
        and t.authorized_at < ${literal(tx, span.until.toISOString())}
      order by t.authorized_at, t.transaction_id
    ) to stdout`.readable()
  return resumedAtEnd(rows)
}

/**
 * The driver pauses its connection when the buffer of the stream is full, and resumes it when the stream is read. If
 * the copy ends in that moment, the stream is never read from the connection again, and the connection waits for ever:
 * https://github.com/porsager/postgres/issues/499
 */
function resumedAtEnd(rows: Readable): Readable {
  return rows.once('close', () => {
    try {
      rows._read(0)
    } catch {
      // The connection is lost; there is nothing to resume.
    }
  })
}

function literal(tx: Tx, text: string) {
  return tx.unsafe(`'${text}'`)
}

/** The server process of a transaction. */
export async function findBackend(tx: Tx): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

/** Cancels the statement that a server process runs; must not be called on its own connection. */
export async function cancelStatement(reader: Reader, backend: number): Promise<void> {
  await reader`select pg_cancel_backend(${backend})`
}
