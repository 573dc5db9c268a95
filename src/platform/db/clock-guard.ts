import { Gauge } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Log } from '../telemetry/log.ts'
import { registry } from '../telemetry/metrics.ts'
import type { Reader } from './database.ts'

/** Beyond this drift, rewards could mature noticeably earlier or later than promised. */
export const DRIFT_MAX_MS = 2_000

const drift = new Gauge({
  name: 'laurel_clock_drift_seconds',
  help: "Minimum difference between this host's clock and the database's, positive if the host is ahead.",
  registers: [registry],
})

/**
 * Returns the minimum drift of a clock from the database's, positive if the clock is ahead. The drift is zero if the
 * database's time falls between the query and its response, however long the query took.
 */
export async function measureDrift(reader: Reader, clock: Clock): Promise<number> {
  const askedMs = clock.now().getTime()
  const [row] = await reader<{ at: Date }[]>`select clock_timestamp() as at`
  const answeredMs = clock.now().getTime()
  const atMs = row?.at.getTime() ?? askedMs
  return atMs < askedMs ? askedMs - atMs : Math.min(0, answeredMs - atMs)
}

/** Returns a function that checks whether this host's clock agrees with the database's and logs every change. */
export function createClockGuard(reader: Reader, clock: Clock, log: Log): () => Promise<boolean> {
  let agreed = true
  const ask = async (): Promise<boolean> => {
    const driftMs = await measureDrift(reader, clock)
    drift.set(driftMs / 1_000)
    const agrees = Math.abs(driftMs) <= DRIFT_MAX_MS
    if (agrees !== agreed) {
      if (agrees) log.info({ drift_ms: driftMs }, "this host's clock agrees with the database's again")
      else
        log.error(
          { drift_ms: driftMs },
          "this host's clock differs from the database's, so nothing matures or is dropped here",
        )
    }
    agreed = agrees
    return agrees
  }
  // Several loops check concurrently and share one query.
  let asking: Promise<boolean> | null = null
  return () => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}
