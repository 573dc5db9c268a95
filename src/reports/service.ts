import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { addDays, startOfDay } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import { type ReadingBounds, streamSnapshot } from '../platform/streamed-snapshot.ts'
import type { Publisher } from '../publishers/index.ts'
import { linesOf, type ReportFormat } from './formats.ts'
import { cancelStatement, copyTransactions, findBackend } from './queries.ts'
import type { DayRange } from './rules.ts'

type Deps = {
  /** The pool that reports run in. */
  readonly reports: Database
  /** Another, whose connections no caller can take up, so that reports can always be cancelled. */
  readonly checks: Database
  /** Does a part of the work so that calls come first: see createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}

/** Streams the transactions of a period. */
export function streamTransactions(
  deps: Deps,
  publisher: Publisher,
  period: DayRange,
  format: ReportFormat,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(deps.reports, (tx) => reportOf(deps, tx, publisher, period, format), bounds)
}

// A failure to cancel passes: the database or its connections are busy.
const CANCEL_AGAIN_MS = 250
const [isTrue, isFalse] = [() => true, () => false]

async function* reportOf(
  { checks, givingWay }: Deps,
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
      // The connection is of no use before the driver has read all that the statement sends. So it is cancelled, again
      // if the database is too busy for that, and what it sends meanwhile is read.
      const ended = finished(rows).then(isTrue, isTrue)
      rows.resume()
      while (!(await cancelStatement(checks.reader, backend).then(isTrue, isFalse)))
        if (await Promise.race([ended, setTimeout(CANCEL_AGAIN_MS, false)])) break
      await ended
    }
  }
}
