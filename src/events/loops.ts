import { DAY_MS } from '../platform/calendar.ts'
import type { Database } from '../platform/db/database.ts'
import { drawFraction } from '../platform/jitter.ts'
import type { Loop } from '../platform/queue/loops.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { createDeliverer } from './delivery/deliverer.ts'
import { createPoster } from './delivery/post.ts'
import { resendMissed, resumeRecovered } from './delivery/recovery.ts'
import { sequenceEvents } from './delivery/sequencer.ts'
import { queueStranded } from './delivery/stranded-queries.ts'
import { sweepDeliveries } from './delivery/sweep.ts'
import type { EventDeps } from './deps.ts'
import { showBacklog } from './metrics.ts'

// An event's first delivery begins within two polls of its commit. A poll costs one short statement.
const POLL_MS = 50
const RECOVERY_MS = 250
const SWEEP_MS = 60_000
const SHOWN_EVERY_MS = 15_000

type LoopDeps = EventDeps & {
  readonly log: Log
  readonly queues: Database
  /** Returns true if this host's clock agrees with the database's. Otherwise nothing is deleted. */
  readonly clockAgrees: () => Promise<boolean>
}

/**
 * Returns the worker's loops. They number events, deliver them, retry deliveries to recovered endpoints, send events
 * that endpoints missed, queue stranded deliveries, and delete deliveries to endpoints that were deleted or stopped
 * long ago.
 * @param queues a small separate connection pool, because in a shared pool, events would wait for all other work
 */
export function createEventLoops(deps: LoopDeps): Loop[] {
  const poster = createPoster(deps.egress)
  const deliverer = createDeliverer({ ...deps, db: deps.queues, poster, random: drawFraction })
  const drain = async (): Promise<void> => {
    try {
      await deliverer.drain()
    } finally {
      await poster.close()
    }
  }
  let looked: Awaited<ReturnType<typeof queueStranded>> = null
  const lookOn = async (): Promise<boolean> => {
    looked = await deps.db.transaction((tx) => queueStranded(tx, looked))
    return false
  }
  const stoppedBefore = (): Date => new Date(deps.clock.now().getTime() - deps.retentionDays.deliveries * DAY_MS)
  const sweep = async () => (await deps.clockAgrees()) && sweepDeliveries(deps.db, stoppedBefore())
  return [
    { name: 'event sequencer', everyMs: POLL_MS, pass: () => sequenceEvents(deps.queues) },
    { ...deliverer, drain },
    { name: 'webhook recovery', everyMs: RECOVERY_MS, pass: () => resumeRecovered(deps.db, deps.clock.now()) },
    { name: 'webhook resending', everyMs: RECOVERY_MS, pass: () => resendMissed(deps.db, deps.log) },
    { name: 'webhook sweep', everyMs: SWEEP_MS, pass: sweep },
    { name: 'stranded webhooks', everyMs: SWEEP_MS, pass: lookOn },
    { name: 'event gauges', everyMs: SHOWN_EVERY_MS, pass: () => showBacklog(deps.db.reader, deps.clock.now()) },
  ]
}
