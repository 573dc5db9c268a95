import { Gauge } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Reader } from './database.ts'
import type { Log } from './log.ts'
import { registry } from './metrics.ts'

/** More than this, and a reward could mature seconds before or after its promised instant. */
export const DRIFT_MAX_MS = 2_000

const drift = new Gauge({
  name: 'laurel_clock_drift_seconds',
  help: "By how much this host's clock differs from the database's at least, positive when it is ahead.",
  registers: [registry],
})

/**
 * By how much a clock differs from the database's at least, positive when it is ahead: zero while the database's
 * instant lies between the question and its answer, however long that took.
 */
export async function driftOf(reader: Reader, clock: Clock): Promise<number> {
  const askedMs = clock.now().getTime()
  const [row] = await reader<{ at: Date }[]>`select clock_timestamp() as at`
  const answeredMs = clock.now().getTime()
  const atMs = row?.at.getTime() ?? askedMs
  return atMs < askedMs ? askedMs - atMs : Math.min(0, answeredMs - atMs)
}

/** Tells whether this host's clock agrees with the database's, and logs when that changes. */
export function createClockGuard(reader: Reader, clock: Clock, log: Log): () => Promise<boolean> {
  let agreed = true
  return async () => {
    const driftMs = await driftOf(reader, clock)
    drift.set(driftMs / 1_000)
    const agrees = Math.abs(driftMs) <= DRIFT_MAX_MS
    if (agrees !== agreed) {
      if (agrees) log.info({ drift_ms: driftMs }, "this host's clock agrees with the database's again")
      else log.error({ drift_ms: driftMs }, "this host's clock differs from the database's, so nothing matures here")
    }
    agreed = agrees
    return agrees
  }
}
