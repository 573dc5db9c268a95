import { Gauge } from 'prom-client'
import type { Reader } from '../../platform/db/database.ts'
import { countUnanswered } from '../../platform/queue/row-queue.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import { PAYOUT_CALLS } from './payouts/payout-queries.ts'
import { listOldestOpen } from './queries.ts'
import { OPEN } from './rules.ts'

const oldest = new Gauge({
  name: 'laurel_redemptions_oldest_seconds',
  help: "Age of the oldest open redemption in its current status, by status and the publisher's environment.",
  labelNames: ['environment', 'status'],
  registers: [registry],
})
const unanswered = new Gauge({
  name: 'laurel_payouts_unanswered',
  help: 'Payouts sent to a bank more than once without a response.',
  registers: [registry],
})

/** Updates the gauges. Clamps ages at 0, because a sandbox can be ahead of real time. */
export async function showRedemptions(reader: Reader, now: Date): Promise<void> {
  const [rows, count] = await Promise.all([listOldestOpen(reader), countUnanswered(reader, PAYOUT_CALLS)])
  unanswered.set(count)
  for (const environment of ['sandbox', 'production'] as const)
    for (const status of OPEN) {
      const since = rows.find((row) => row.environment === environment && row.status === status)?.since ?? now
      oldest.set({ environment, status }, Math.max(0, (now.getTime() - since.getTime()) / 1_000))
    }
}
