import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { recordEvents } from '../../../events/index.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Pools } from '../../../platform/db/pools.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { createLeasedWork, type LeasedWork, workOff } from '../../../platform/queue/leased-work.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { COLUMNS } from '../columns.ts'
import { MEDIA_TYPES } from '../formats.ts'
import { createRowWriter } from '../row-writer.ts'
import { streamReport } from '../service.ts'
import { type ReportStorage, StorageError } from '../storage/storage.ts'
import { countMade } from './metrics.ts'
import { buildStoredName, REPORT, type ReportFailure, type ReportOrder } from './order.ts'
import * as queries from './queries.ts'

/**
 * Each process generates one report at a time, which leaves connections for callers who stream reports. Every attempt
 * writes a file under its own name. A file is served only once the row refers to it, from the commit that announces the
 * report. If a process dies, its lease expires and the next attempt starts over. Eventually, the files of all attempts
 * are removed.
 */

// Longer than any snapshot can last.
const RUN_MAX_MS = 15 * MINUTE_MS
// The delays before further attempts, after which the report fails. They outlast half an hour of full or unavailable
// storage.
const RETRY_MINUTES = [0.2, 1, 5, 30]

/** Dependencies for generating reports. */
export type ReportWorkDeps = {
  readonly db: Database
  readonly pools: Pools
  readonly clock: Clock
  readonly log: Log
  readonly reportStorage: ReportStorage
  readonly reportRetentionDays: number
  /** Runs part of the work at a lower priority than API calls. See createApp. */
  readonly givingWay: <T>(part: () => T) => Promise<T>
}

/** Creates the background work that generates due reports, for all publishers or for one. */
export function createReportWork(deps: ReportWorkDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<ReportOrder, void>(deps, {
    name: 'reports',
    everyMs: 500,
    heldMax: 1,
    runMaxMs: RUN_MAX_MS,
    toKey: (order) => order.publisherId,
    claim: async (capacity) => {
      const order = await queries.claimOrder(reader, publisherId, capacity)
      return order === null ? [] : [order]
    },
    renew: (orders, leasedUntil) => queries.renewLeases(reader, orders, leasedUntil),
    process: (order, isStopping) => make(deps, order, isStopping),
  })
}

// The maximum time a caller waits for a report that another process is generating.
const OTHERS_MAX_MS = 10_000
const LOOK_EVERY_MS = 50

/** Generates a publisher's due reports and waits for those that other processes are generating. */
export async function makeReports(deps: ReportWorkDeps, publisher: Publisher): Promise<void> {
  for (const late = AbortSignal.timeout(OTHERS_MAX_MS); ; await pause(LOOK_EVERY_MS)) {
    await workOff(createReportWork(deps, publisher.id))
    if (late.aborted || !(await queries.isRunning(deps.db.reader, publisher.id, deps.clock.now()))) return
  }
}

/** Thrown when the process stops, so that another process generates the report. */
class Stopped extends Error {}

async function make(deps: ReportWorkDeps, order: ReportOrder, isStopping: () => boolean): Promise<void> {
  const { reader } = deps.db
  const name = buildStoredName(order, order.attempt)
  try {
    // A file left by an earlier attempt may contain the data of a user who has since been erased.
    await removeAttempts(deps, order, order.attempt - 1)
    // Another attempt would probably kill the process again.
    if (order.failures > RETRY_MINUTES.length) return await fail(deps, order, 'interrupted')
    const publisher = await getPublisher(reader, order.publisherId)
    const made = await store(deps, publisher, order, name, isStopping)
    if (!(await announce(deps, publisher, order, made))) await deps.reportStorage.remove(name)
  } catch (error) {
    await giveBack(deps, order, error)
  }
}

type Made = Pick<queries.Finished, 'rowCount' | 'byteCount' | 'sha256'>

async function store(
  deps: ReportWorkDeps,
  publisher: Publisher,
  order: ReportOrder,
  name: string,
  isStopping: () => boolean,
): Promise<Made> {
  const { kind, format, firstDay, lastDay } = order
  const { reports, checks } = deps.pools
  const writer = createRowWriter(COLUMNS[kind], format)
  const now = publisherNow(publisher, deps.clock)
  const { stream, begun, ended } = streamReport(
    { reports, checks, givingWay: deps.givingWay },
    { publisher, kind, period: { from: firstDay, to: lastDay }, now },
    writer,
  )
  // The error stays in the stream and is thrown to its reader.
  stream.on('error', () => undefined)
  await begun
  const hash = createHash('sha256')
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      if (isStopping()) throw new Stopped()
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    await deps.reportStorage.store(name, counted(), MEDIA_TYPES[format])
  } finally {
    stream.destroy()
    await ended
  }
  return { rowCount: BigInt(writer.count()), byteCount: BigInt(bytes), sha256: hash.digest() }
}

/** Returns false if this attempt no longer holds the report. */
async function announce(deps: ReportWorkDeps, publisher: Publisher, order: ReportOrder, made: Made): Promise<boolean> {
  const now = publisherNow(publisher, deps.clock)
  const expiresAt = new Date(now.getTime() + deps.reportRetentionDays * DAY_MS)
  return deps.db.transaction(async (tx) => {
    const ready = await queries.markReady(tx, order, { ...made, finishedAt: now, expiresAt })
    if (ready === null) return false
    await recordEvents(tx, publisher, [{ type: 'report.ready', userId: null, data: REPORT.present(ready) }], now)
    countMade(ready.kind, 'ready')
    return true
  })
}

async function giveBack(deps: ReportWorkDeps, order: ReportOrder, error: unknown): Promise<void> {
  const { clock, log } = deps
  const again = (failures: number, waitMinutes: number) =>
    queries.releaseOrder(deps.db.reader, order, {
      failures,
      dueAt: new Date(clock.now().getTime() + waitMinutes * MINUTE_MS),
    })
  if (error instanceof Stopped) return again(order.failures, 0)
  // Callers, who take precedence, are using all report connections.
  if (error instanceof Refusal && error.code === 'overloaded') return again(order.failures, RETRY_MINUTES[0] ?? 1)
  log.warn({ err: error, report_id: order.reportId, failures: order.failures + 1 }, 'a report could not be created')
  const waitMinutes = RETRY_MINUTES[order.failures]
  if (waitMinutes !== undefined) return again(order.failures + 1, waitMinutes)
  await fail(deps, order, error instanceof StorageError ? 'storage_failed' : 'reading_failed')
}

async function fail(deps: ReportWorkDeps, order: ReportOrder, reason: ReportFailure): Promise<void> {
  const publisher = await getPublisher(deps.db.reader, order.publisherId)
  await queries.markFailed(deps.db.reader, order, reason, publisherNow(publisher, deps.clock))
  countMade(order.kind, 'failed')
}

// Each removal takes a few calls to the storage.
const REMOVED_AT_ONCE = 20
const REMOVE_AGAIN_MS = MINUTE_MS

/**
 * Removes files that have expired or should no longer exist, for one publisher or for all.
 * @returns true if there may be more files to remove
 */
export async function removeFiles(deps: ReportWorkDeps, publisherId: PublisherId | null): Promise<boolean> {
  const { reader } = deps.db
  const due = await queries.expireDue(reader, publisherId, deps.clock.now(), REMOVED_AT_ONCE)
  for (const order of due) {
    try {
      await removeAttempts(deps, order, order.attempt)
      await queries.setFilesDue(reader, order, null)
    } catch (error) {
      deps.log.warn({ err: error, report_id: order.reportId }, 'a report file could not be removed yet')
      const publisher = await getPublisher(reader, order.publisherId)
      const dueAt = new Date(publisherNow(publisher, deps.clock).getTime() + REMOVE_AGAIN_MS)
      await queries.setFilesDue(reader, order, dueAt)
    }
  }
  return due.length === REMOVED_AT_ONCE
}

async function removeAttempts({ reportStorage }: ReportWorkDeps, order: ReportOrder, last: number): Promise<void> {
  for (let attempt = 1; attempt <= last; attempt++) await reportStorage.remove(buildStoredName(order, attempt))
}
