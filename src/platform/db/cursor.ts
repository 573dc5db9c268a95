import type postgres from 'postgres'
import type { Tx } from './database.ts'

/**
 * Reads a query in batches. The transaction can do other work between batches, which the driver's cursors do not allow.
 */
export async function* inBatches<Row>(
  tx: Tx,
  cursor: string,
  size: number,
  query: postgres.PendingQuery<postgres.Row[]>,
): AsyncGenerator<readonly Row[]> {
  await tx`declare ${tx(cursor)} no scroll cursor for ${query}`
  for (;;) {
    const rows = await tx`fetch ${tx.unsafe(String(size))} from ${tx(cursor)}`
    if (rows.length > 0) yield rows as unknown as Row[]
    if (rows.length < size) break
  }
  await tx`close ${tx(cursor)}`
}
