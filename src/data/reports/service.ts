import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { type ReadingBounds, streamSnapshot } from '../../platform/db/streamed-snapshot.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { listRequiredTerms } from '../../users/users/index.ts'
import { COLUMNS, type ReportKind } from './columns.ts'
import type { RowWriter } from './formats.ts'
import { cancelStatement, copyRows, findBackend } from './queries.ts'
import { createRowWriter } from './row-writer.ts'
import type { DayRange } from './rules.ts'

type ReadingDeps = {
  /** The connection pool for reports. */
  readonly reports: Database
  /** A separate pool that reports cannot exhaust, so that they can always be canceled. */
  readonly checks: Database
  /** Runs part of the work at a lower priority than API calls. See createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}

type ReportContent = {
  readonly publisher: Publisher
  readonly kind: ReportKind
  readonly period: DayRange
  /** The publisher's current time. */
  readonly now: Date
}

/** Streams a report in the writer's format. */
export function streamReport(
  deps: ReadingDeps,
  reported: ReportContent,
  writer: RowWriter,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(deps.reports, (tx) => yieldReport(deps, tx, reported, writer), bounds)
}

/**
 * Yields a transactions report as NDJSON in chunks. Callers use their own database transaction and must read to the
 * end.
 */
export async function* yieldTransactionLines(tx: Tx, publisher: Publisher, period: DayRange): AsyncGenerator<string> {
  const writer = createRowWriter(COLUMNS.transactions, 'ndjson')
  for await (const chunk of await copyRows(tx, 'transactions', publisher.id, toSpan(publisher, period), []))
    yield String(writer.add(String(chunk)))
}

function toSpan({ timeZone }: Publisher, { from, to }: DayRange): { readonly from: Date; readonly until: Date } {
  return { from: startOfDay(from, timeZone), until: startOfDay(addDays(to, 1), timeZone) }
}

// If a cancellation fails, the database or its connections are busy, so it is worth retrying.
const CANCEL_AGAIN_MS = 250
const succeeded = () => true
const failed = () => false

async function* yieldReport(
  { checks, givingWay }: ReadingDeps,
  tx: Tx,
  { publisher, kind, period, now }: ReportContent,
  writer: RowWriter,
): AsyncGenerator<string | Uint8Array> {
  const backend = await findBackend(tx)
  const required = await listRequiredTerms(tx, publisher.id, now)
  const rows = await copyRows(tx, kind, publisher.id, toSpan(publisher, period), required)
  // The error stays in the stream and is thrown to its reader.
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
      // The connection is unusable until the driver has read everything that the statement sends. Cancels the
      // statement, retrying while the database is too busy, and discards its output in the meantime.
      const ended = finished(rows).then(succeeded, succeeded)
      rows.resume()
      while (!(await cancelStatement(checks.reader, backend).then(succeeded, failed)))
        if (await Promise.race([ended, setTimeout(CANCEL_AGAIN_MS, false)])) break
      await ended
    }
  }
}
