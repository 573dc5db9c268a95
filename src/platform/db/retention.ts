import { Counter, Gauge } from 'prom-client'
import { DAY_MS } from '../calendar.ts'
import { registry } from '../telemetry/metrics.ts'
import type { Database, Reader, Tx } from './database.ts'

/** Rows that are deleted by age, measured in real time. Advancing a sandbox's simulated clock deletes nothing. */
export type Retained = {
  /** The table's name in metrics. */
  readonly table: string
  /** Returns the number of days to retain rows. */
  readonly days: (reader: Reader) => Promise<number>
  /** Returns when the oldest row that may be deleted was written; null if there is none. */
  readonly oldest: (reader: Reader) => Promise<Date | null>
  /** Deletes the oldest rows written before an instant, and returns how many. */
  readonly drop: (tx: Tx, before: Date, limit: number) => Promise<number>
}

// Small enough that a transaction takes tenths of a second.
const BATCH_MAX = 5_000

const dropped = new Counter({
  name: 'laurel_retention_dropped_total',
  help: 'Rows dropped because they exceeded their retention period, by table.',
  labelNames: ['table'],
  registers: [registry],
})
const oldestSeconds = new Gauge({
  name: 'laurel_retention_oldest_seconds',
  help: 'Age of the oldest retained row, by table.',
  labelNames: ['table'],
  registers: [registry],
})
const overdueSeconds = new Gauge({
  name: 'laurel_retention_overdue_seconds',
  help: 'How far the oldest row exceeds its retention period, by table.',
  labelNames: ['table'],
  registers: [registry],
})

/** Deletes one batch and returns the number of rows. */
export async function dropOld(db: Database, retained: Retained, now: Date, limit = BATCH_MAX): Promise<number> {
  const count = await db.transaction(async (tx) => {
    const days = await retained.days(tx)
    return retained.drop(tx, new Date(now.getTime() - days * DAY_MS), limit)
  })
  dropped.inc({ table: retained.table }, count)
  return count
}

export async function showRetention(reader: Reader, all: readonly Retained[], now: Date): Promise<void> {
  for (const { table, days, oldest } of all) {
    const at = await oldest(reader)
    const ageMs = at === null ? 0 : Math.max(0, now.getTime() - at.getTime())
    oldestSeconds.set({ table }, ageMs / 1_000)
    overdueSeconds.set({ table }, Math.max(0, ageMs - (await days(reader)) * DAY_MS) / 1_000)
  }
}
