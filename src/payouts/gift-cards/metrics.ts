import { Gauge } from 'prom-client'
import type { Reader } from '../../platform/db/database.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import { countUndecided } from './supplier/queue-queries.ts'

const undecided = new Gauge({
  name: 'laurel_gift_cards_undecided',
  help: 'Gift card orders and refunds that a supplier has left undecided for more than an hour, by environment and kind.',
  labelNames: ['environment', 'kind'],
  registers: [registry],
})

/** Updates the gauge. */
export async function showUndecided(reader: Reader): Promise<void> {
  const rows = await countUndecided(reader)
  for (const environment of ['sandbox', 'production'] as const)
    for (const kind of ['order', 'refund'] as const)
      undecided.set(
        { environment, kind },
        rows.find((row) => row.environment === environment && row.kind === kind)?.count ?? 0,
      )
}
