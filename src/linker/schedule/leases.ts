import type { LinkerDeps } from '../deps.ts'
import { LEASE_MS, RENEW_EVERY_MS, RUN_MAX_MS } from './bounds.ts'

/**
 * What a process works on is kept from others by leases. They are short, and renewed while the work goes on: what a
 * process was at when it died is taken over within half a minute. Work that hangs is not kept for ever.
 */
export type Leases<Run> = {
  /** Does the work of a run that was claimed, and keeps its lease meanwhile. */
  during<Result>(run: Run, work: () => Promise<Result>): Promise<Result>
}

/** @param renew one statement for all of them; a lease that was lost stays lost */
export function createLeases<Run>(
  { clock, log }: Pick<LinkerDeps, 'clock' | 'log'>,
  renew: (runs: readonly Run[], until: Date, now: Date) => Promise<unknown>,
): Leases<Run> {
  const since = new Map<Run, number>()
  let timer: NodeJS.Timeout | undefined

  async function renewAll(): Promise<void> {
    const now = clock.now()
    const kept = [...since].flatMap(([run, startedMs]) => (now.getTime() - startedMs < RUN_MAX_MS ? [run] : []))
    try {
      if (kept.length > 0) await renew(kept, new Date(now.getTime() + LEASE_MS), now)
    } catch (error) {
      // The next one comes before they end; and a run whose lease was lost stores nothing.
      log.warn({ err: error, runs: kept.length }, 'the leases of runs could not be renewed')
    }
  }

  return {
    during: async (run, work) => {
      since.set(run, clock.now().getTime())
      timer ??= setInterval(() => void renewAll(), RENEW_EVERY_MS)
      try {
        return await work()
      } finally {
        since.delete(run)
        if (since.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}
