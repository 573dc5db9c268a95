import { Counter, Gauge } from 'prom-client'
import type { Reader } from '../../../platform/db/database.ts'
import { registry } from '../../../platform/telemetry/metrics.ts'
import type { ReportKind } from '../columns.ts'
import { readOldestOpenAge } from './queries.ts'

const made = new Counter({
  name: 'laurel_reports_made_total',
  help: 'Finished reports, by kind and outcome (ready or failed).',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
})
const oldest = new Gauge({
  name: 'laurel_reports_oldest_seconds',
  help: 'Age of the oldest ordered report that is not finished.',
  registers: [registry],
})

export function countMade(kind: ReportKind, outcome: 'ready' | 'failed'): void {
  made.inc({ kind, outcome })
}

/** Updates the gauge. */
export async function showReports(reader: Reader, now: Date): Promise<void> {
  oldest.set(Math.max(0, await readOldestOpenAge(reader, now)))
}
