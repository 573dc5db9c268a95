import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { addDays, startOfDay } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { linesOf, type ReportFormat } from './formats.ts'
import { cancelStatement, copyTransactions, findBackend } from './queries.ts'
import type { DayRange } from './rules.ts'

/**
 * Streams a report while it is read: a slow reader slows the database down, a reader who leaves ends the transaction,
 * and a failure destroys the stream, so that half a report never looks like a whole one.
 * `ended` is fulfilled once the transaction is over, whichever way.
 */
export function streamTransactions(
  db: Database,
  publisher: Publisher,
  period: DayRange,
  format: ReportFormat,
): { readonly stream: Readable; readonly ended: Promise<void> } {
  const stream = new PassThrough()
  const ended = db
    .snapshot((tx) => pipeline(reportOf(db, tx, publisher, period, format), stream))
    .catch((error: Error) => {
      // The pipeline has destroyed the stream already, unless the transaction could not begin.
      stream.destroy(error)
    })
  return { stream, ended }
}

async function* reportOf(
  db: Database,
  tx: Tx,
  publisher: Publisher,
  period: DayRange,
  format: ReportFormat,
): AsyncGenerator<string> {
  const backend = await findBackend(tx)
  const rows = await copyTransactions(tx, publisher.id, {
    from: startOfDay(period.from, publisher.timeZone),
    until: startOfDay(addDays(period.to, 1), publisher.timeZone),
  })
  // An error waits in the stream until it is read.
  rows.on('error', () => undefined)
  try {
    yield format.head
    for await (const chunk of rows.iterator({ destroyOnReturn: false })) yield linesOf(format, String(chunk))
  } finally {
    if (!rows.readableEnded && !rows.destroyed) {
      // The connection is of no use before the driver has read all that the statement sends. If it cannot be cancelled,
      // that is the rest of the rows.
      const ended = finished(rows).catch(() => undefined)
      await cancelStatement(db.reader, backend).catch(() => undefined)
      rows.resume()
      await ended
    }
  }
}
