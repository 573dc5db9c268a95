import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { addDays, startOfDay } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Publisher } from '../publishers/index.ts'
import { linesOf, type ReportFormat } from './formats.ts'
import { cancelStatement, copyTransactions, findBackend } from './queries.ts'
import type { DayRange } from './rules.ts'

/** The pool that reports run in, and another, in which they can be cancelled while all its connections are taken. */
type Deps = {
  readonly reports: Database
  readonly db: Database
  /** Does a part of the work so that calls come first: see createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}

/** How slowly a report may be read. Its snapshot keeps the database from removing old rows. */
type ReadingBounds = {
  readonly windowMs: number
  /** How much must be read in each window. */
  readonly windowBytesMin: number
  /** How long all of it may take. */
  readonly wholeMs: number
}

// A reader at 10 Mbit/s gets a million transactions in time; one below 0.2 Mbit/s is not really reading.
const BOUNDS: ReadingBounds = { windowMs: 60_000, windowBytesMin: 1024 * 1024, wholeMs: 10 * 60_000 }

/**
 * Streams a report as it is read: a slow reader slows the statement down, a reader who leaves or is too slow ends the
 * transaction, and a failure destroys the stream, so that half a report never looks like a whole one.
 * `begun` is fulfilled when its snapshot is open, or rejected with the refusal; `ended` is fulfilled once the
 * transaction is over, whichever way.
 */
export function streamTransactions(
  deps: Deps,
  publisher: Publisher,
  period: DayRange,
  format: ReportFormat,
  bounds = BOUNDS,
): { readonly stream: Readable; readonly begun: Promise<void>; readonly ended: Promise<void> } {
  const stream = new PassThrough()
  const begun = Promise.withResolvers<void>()
  const ended = deps.reports
    .snapshot(async (tx) => {
      begun.resolve()
      const texts = reportOf(deps, tx, publisher, period, format)
      const tooSlow = () => stream.destroy(new Error('the report was read too slowly'))
      await pipeline(watched(texts, bounds, tooSlow), stream)
    })
    .catch((error: Error) => {
      begun.reject(error)
      // The pipeline has destroyed the stream already, unless the transaction could not begin.
      stream.destroy(error)
    })
  return { stream, begun: begun.promise, ended }
}

/** Passes the texts on, and calls tooSlow if their reader, rather than the database, is slow. */
async function* watched(texts: AsyncIterable<string>, bounds: ReadingBounds, tooSlow: () => void) {
  let [taken, before, isUnread] = [0, 0, false]
  const window = setInterval(() => {
    if (isUnread && taken - before < bounds.windowBytesMin) tooSlow()
    before = taken
  }, bounds.windowMs)
  const whole = setTimeout(tooSlow, bounds.wholeMs)
  try {
    for await (const text of texts) {
      taken += text.length
      isUnread = true
      yield text
      isUnread = false
    }
  } finally {
    clearInterval(window)
    clearTimeout(whole)
  }
}

async function* reportOf(
  { db, givingWay }: Omit<Deps, 'reports'>,
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
    for await (const chunk of rows.iterator({ destroyOnReturn: false }))
      yield await givingWay(() => linesOf(format, String(chunk)))
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
