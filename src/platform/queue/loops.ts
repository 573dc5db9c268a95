import { setTimeout } from 'node:timers/promises'
import { Counter } from 'prom-client'
import { trace } from '../http/tracing.ts'
import type { Log } from '../telemetry/log.ts'
import { registry } from '../telemetry/metrics.ts'

export type Loop = {
  readonly name: string
  readonly everyMs: number
  /** Runs one pass, which must be idempotent. Returns true if there may be more to do immediately. */
  readonly pass: () => Promise<boolean>
  /** Finishes work that outlasts a pass. Called after the last pass of all loops. */
  readonly drain?: () => Promise<void>
}

type RunningLoops = { stop(): Promise<void> }

/**
 * Runs the passes of each loop in sequence, pausing for everyMs when there was nothing to do. A failed pass is logged
 * and retried with backoff, so that an error neither stops the loop nor floods the log. stop() lets running passes
 * finish and then drains each loop in order.
 */
export function startLoops(log: Log, loops: readonly Loop[]): RunningLoops {
  const stopping = new AbortController()
  const running = loops.map((loop) => runLoop(log, loop, stopping.signal))
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
      for (const loop of loops) await loop.drain?.()
    },
  }
}

/** The state of a loop in this process. */
type LoopState = {
  readonly name: string
  readonly everyMs: number
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  /** Consecutive failed passes. */
  readonly failures: number
}

const states = new Map<string, LoopState>()

/** Returns the states of this process's loops; empty if this process is not a worker. */
export function listLoopStates(): readonly LoopState[] {
  return [...states.values()]
}

function note(loop: string, change: Partial<LoopState>): void {
  const state = states.get(loop)
  if (state !== undefined) states.set(loop, { ...state, ...change })
}

const failed = new Counter({
  name: 'laurel_loop_failures_total',
  help: 'Failed passes and jobs of worker loops, by loop.',
  labelNames: ['loop'],
  registers: [registry],
})

/** Records the failure of a job that outlasts a pass. Unlike a failed pass, it does not slow the loop down. */
export function countFailedJob(loop: string): void {
  failed.inc({ loop })
  note(loop, { lastFailureAt: new Date() })
}

// Shorter passes, most of which find nothing to do, get no span.
const WORTH_A_SPAN_MS = 100
const RETRY_MAX_MS = 30_000

/** Doubles the pause with each failure up to a limit, which does not apply to the normal interval. */
function pauseAfter(failures: number, everyMs: number): number {
  return failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, RETRY_MAX_MS)
}

async function runLoop(log: Log, loop: Loop, stopping: AbortSignal): Promise<void> {
  const { name, everyMs } = loop
  // Exported as zero, so that the first failure registers as an increase.
  failed.inc({ loop: name }, 0)
  let failures = 0
  states.set(name, { name, everyMs, lastSuccessAt: null, lastFailureAt: null, failures })
  while (!stopping.aborted) {
    let more = false
    try {
      const beganMs = performance.now()
      const describeEnding = (mayBeMore: boolean) =>
        mayBeMore || performance.now() - beganMs > WORTH_A_SPAN_MS ? {} : null
      more = await trace(`loop ${name}`, loop.pass, { describeEnding })
      failures = 0
      note(name, { lastSuccessAt: new Date(), failures })
    } catch (error) {
      failures++
      note(name, { lastFailureAt: new Date(), failures })
      failed.inc({ loop: name })
      log.error({ err: error, loop: name, failures }, "a loop's pass failed")
    }
    const pauseMs = pauseAfter(failures, everyMs)
    // Rejects early when the loops are stopped.
    if (!more) await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}
