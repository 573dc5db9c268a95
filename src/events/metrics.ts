import { Counter, Gauge } from 'prom-client'
import { DAY_MS } from '../platform/calendar.ts'
import type { Reader } from '../platform/db/database.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import { ENVIRONMENTS, type Environment } from '../tenants/publishers/index.ts'
import { findOldestUnsequenced, listBacklogs, listExhausted } from './delivery/backlog-queries.ts'

const unsequenced = new Gauge({
  name: 'laurel_events_oldest_unsequenced_seconds',
  help: 'Age of the oldest event that has no sequence number yet and so is in neither the feed nor webhooks.',
  registers: [registry],
})
const backlog = new Gauge({
  name: 'laurel_webhook_queues_due',
  help: "Delivery queues whose next webhook is due, by the publisher's environment.",
  labelNames: ['environment'],
  registers: [registry],
})
const exhausted = new Gauge({
  name: 'laurel_webhook_deliveries_exhausted',
  help:
    "Webhooks whose last attempt failed within the last day, by the publisher's environment, except those queued " +
    'again or with a disabled endpoint. Counts up to 1,000 per publisher and 10,000 in total.',
  labelNames: ['environment'],
  registers: [registry],
})
const attempts = new Counter({
  name: 'laurel_webhook_attempts_total',
  help: "Webhook delivery attempts, by the publisher's environment and the outcome of the delivery.",
  labelNames: ['environment', 'status'],
  registers: [registry],
})

export function countAttempt(environment: Environment, status: 'pending' | 'delivered' | 'exhausted'): void {
  attempts.inc({ environment, status })
}

/** Updates the gauges. Always returns false, because a pass leaves no work undone. */
export async function showBacklog(reader: Reader, now: Date): Promise<false> {
  const [oldest, queues, undelivered] = await Promise.all([
    findOldestUnsequenced(reader),
    listBacklogs(reader, now),
    listExhausted(reader, new Date(now.getTime() - DAY_MS)),
  ])
  unsequenced.set(oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000))
  for (const environment of ENVIRONMENTS) {
    backlog.set({ environment }, queues.find((one) => one.environment === environment)?.due ?? 0)
    exhausted.set({ environment }, undelivered.find((one) => one.environment === environment)?.count ?? 0)
  }
  return false
}
