import { Gauge } from 'prom-client'
import type { Reader } from '../../../platform/db/database.ts'
import { registry } from '../../../platform/telemetry/metrics.ts'
import { readMaturingLagSeconds } from './queries.ts'

const lag = new Gauge({
  name: 'laurel_maturing_lag_seconds',
  help: "How long the most overdue reward has been due to mature, by its publisher's clock.",
  registers: [registry],
})

export async function showMaturing(reader: Reader, now: Date): Promise<void> {
  lag.set(await readMaturingLagSeconds(reader, now))
}
