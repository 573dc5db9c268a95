import { Counter, Gauge } from 'prom-client'
import { DAY_MS } from './calendar.ts'
import type { Database, Reader, Tx } from './database.ts'
import { registry } from './metrics.ts'

/** Rows that are dropped when they are old, in real time: the clock of a sandbox drops nothing. */
export type Retained = {
  /** As metrics name them. */
  readonly table: string
  /** For how many days they are kept. */
  readonly days: (reader: Reader) => Promise<number>
  /** When the oldest that may be dropped was written; null without any. */
  readonly oldest: (reader: Reader) => Promise<Date | null>
  /** Drops the oldest that were written before an instant, and returns how many. */
  readonly drop: (tx: Tx, before: Date, limit: number) => Promise<number>
}

// A transaction of tenths of a second.
const BATCH_MAX = 5_000

const dropped = new Counter({
  name: 'laurel_retention_dropped_total',
  help: 'Rows dropped because they were older than their retention, by table.',
  labelNames: ['table'],
  registers: [registry],
})
const oldestSeconds = new Gauge({
  name: 'laurel_retention_oldest_seconds',
  help: 'Age of the oldest row that retention has left, by table.',
  labelNames: ['table'],
  registers: [registry],
})
const overdueSeconds = new Gauge({
  name: 'laurel_retention_overdue_seconds',
  help: 'By how much the oldest row is older than its retention, by table.',
  labelNames: ['table'],
  registers: [registry],
})

/** Drops one batch, and returns how many rows that were. */
export async function dropOld(db: Database, retained: Retained, now: Date, limit = BATCH_MAX): Promise<number> {
  const count = await db.transaction(async (tx) => {
    const days = await retained.days(tx)
    return retained.drop(tx, new Date(now.getTime() - days * DAY_MS), limit)
  })
  dropped.inc({ table: retained.table }, count)
  return count
}

/** Updates the gauges. */
export async function showRetention(reader: Reader, all: readonly Retained[], now: Date): Promise<void> {
  for (const { table, days, oldest } of all) {
    const at = await oldest(reader)
    const ageMs = at === null ? 0 : Math.max(0, now.getTime() - at.getTime())
    oldestSeconds.set({ table }, ageMs / 1_000)
    overdueSeconds.set({ table }, Math.max(0, ageMs - (await days(reader)) * DAY_MS) / 1_000)
  }
}
