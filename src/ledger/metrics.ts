import { Gauge } from 'prom-client'
import type { Reader } from '../platform/db/database.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import { countDeltas } from './queries.ts'

const deltas = new Gauge({
  name: 'laurel_ledger_deltas',
  help: 'Ledger deltas waiting to be folded into shared accounts.',
  registers: [registry],
})

/** Updates the gauge. */
export async function showDeltas(reader: Reader): Promise<void> {
  deltas.set(await countDeltas(reader))
}
