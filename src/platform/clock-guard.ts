import { Gauge } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Reader } from './database.ts'
import type { Log } from './log.ts'
import { registry } from './metrics.ts'

/** With a larger difference a reward could mature noticeably before or after its promised instant. */
export const DRIFT_MAX_MS = 2_000

const drift = new Gauge({
  name: 'laurel_clock_drift_seconds',
  help: "The least by which this host's clock differs from the database's, positive when it is ahead.",
  registers: [registry],
})

/**
 * The least by which a clock differs from the database's, positive when it is ahead: zero if the database's instant lies
 * between the question and its answer, however long that took.
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
  const ask = async (): Promise<boolean> => {
    const driftMs = await driftOf(reader, clock)
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
  // Several loops ask at the same time and share the answer.
  let asking: Promise<boolean> | null = null
  return () => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}
