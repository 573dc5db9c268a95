import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addDays, startOfDay } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { lineWriter } from './lines.ts'
import { eachTransaction, readSnapshot } from './queries.ts'
import type { Period } from './rules.ts'
import type { ReportFormat } from './schema.ts'

/**
 * Writes a report into a stream while it is read: a slow reader slows the database's cursor down, a reader who leaves
 * ends the transaction, and a failure destroys the stream, so that half a report never looks like a whole one.
 * `ended` is fulfilled once the transaction is over, whichever way.
 */
export function streamTransactions(
  db: Database,
  publisher: Publisher,
  period: Period,
  format: ReportFormat,
): { readonly stream: Readable; readonly ended: Promise<void> } {
  const stream = new PassThrough()
  const ended = db
    .transaction((tx) => pipeline(linesOf(tx, publisher, period, format), stream))
    .catch((error: Error) => {
      // The pipeline has destroyed the stream already, unless the transaction could not begin.
      stream.destroy(error)
    })
  return { stream, ended }
}

async function* linesOf(
  tx: Tx,
  publisher: Publisher,
  period: Period,
  format: ReportFormat,
): AsyncGenerator<string | Buffer> {
  await readSnapshot(tx)
  const span = {
    from: startOfDay(period.from, publisher.timeZone),
    until: startOfDay(addDays(period.to, 1), publisher.timeZone),
  }
  const write = lineWriter(format)
  yield format.head
  for await (const batch of eachTransaction(tx, publisher.id, span)) yield* write(batch)
}
