import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { addDays, startOfDay } from '../platform/calendar.ts'
import type { Database, Tx } from '../platform/database.ts'
import { type ReadingBounds, streamSnapshot } from '../platform/streamed-snapshot.ts'
import type { Publisher } from '../publishers/index.ts'
import { listRequiredTerms } from '../users/index.ts'
import { COLUMNS, type ReportKind } from './columns.ts'
import type { RowWriter } from './formats.ts'
import { cancelStatement, copyRows, findBackend } from './queries.ts'
import { createRowWriter } from './row-writer.ts'
import type { DayRange } from './rules.ts'

type ReadingDeps = {
  /** The pool that reports run in. */
  readonly reports: Database
  /** Another one, whose connections no caller can exhaust, so that reports can always be cancelled. */
  readonly checks: Database
  /** Does a part of the work so that calls come first: see createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}

/** What of a publisher is reported. */
type ReportContent = {
  readonly publisher: Publisher
  readonly kind: ReportKind
  readonly period: DayRange
  /** The publisher's current time. */
  readonly now: Date
}

/** Streams a report, written by the writer. */
export function streamReport(
  deps: ReadingDeps,
  reported: ReportContent,
  writer: RowWriter,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(deps.reports, (tx) => reportOf(deps, tx, reported, writer), bounds)
}

/** The same rows as JSON, line by line in chunks, for a caller with a transaction of its own, who reads them all. */
export async function* transactionLines(tx: Tx, publisher: Publisher, period: DayRange): AsyncGenerator<string> {
  const writer = createRowWriter(COLUMNS.transactions, 'ndjson')
  for await (const chunk of await copyRows(tx, 'transactions', publisher.id, spanOf(publisher, period), []))
    yield String(writer.add(String(chunk)))
}

function spanOf({ timeZone }: Publisher, { from, to }: DayRange): { readonly from: Date; readonly until: Date } {
  return { from: startOfDay(from, timeZone), until: startOfDay(addDays(to, 1), timeZone) }
}

// A failure to cancel passes: the database or its connections are busy.
const CANCEL_AGAIN_MS = 250
const succeeded = () => true
const failed = () => false

async function* reportOf(
  { checks, givingWay }: ReadingDeps,
  tx: Tx,
  { publisher, kind, period, now }: ReportContent,
  writer: RowWriter,
): AsyncGenerator<string | Uint8Array> {
  const backend = await findBackend(tx)
  const required = await listRequiredTerms(tx, publisher.id, now)
  const rows = await copyRows(tx, kind, publisher.id, spanOf(publisher, period), required)
  // An error waits in the stream until it is read.
  rows.on('error', () => undefined)
  try {
    if (writer.head.length > 0) yield writer.head
    for await (const chunk of rows.iterator({ destroyOnReturn: false })) {
      const part = await givingWay(() => writer.add(String(chunk)))
      if (part.length > 0) yield part
    }
    const end = writer.end()
    if (end.length > 0) yield end
  } finally {
    if (!rows.readableEnded && !rows.destroyed) {
      // The connection is of no use before the driver has read all that the statement sends. So it is cancelled, again
      // if the database is too busy for that, and what it sends meanwhile is read.
      const ended = finished(rows).then(succeeded, succeeded)
      rows.resume()
      while (!(await cancelStatement(checks.reader, backend).then(succeeded, failed)))
        if (await Promise.race([ended, setTimeout(CANCEL_AGAIN_MS, false)])) break
      await ended
    }
  }
}
