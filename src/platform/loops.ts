import { setTimeout } from 'node:timers/promises'
import { Counter } from 'prom-client'
import type { Log } from './log.ts'
import { registry } from './metrics.ts'
import { traced } from './tracing.ts'

export type Loop = {
  readonly name: string
  readonly everyMs: number
  /** One pass, safe to repeat. Returns true when there may be more to do at once. */
  readonly pass: () => Promise<boolean>
  /** Finishes work that outlasts a pass; called after the last pass of all loops. */
  readonly drain?: () => Promise<void>
}

type RunningLoops = { stop(): Promise<void> }

/**
 * Runs the passes of each loop one after the other, with a pause of everyMs when there was nothing to do. A failed pass
 * is logged and retried with backoff, so that one fault neither stops the loop nor floods the log. stop() lets running
 * passes finish and then drains each loop, in order.
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

/** How the passes of a loop went in this process. */
type LoopState = {
  readonly name: string
  readonly everyMs: number
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  /** Failed passes since the last success. */
  readonly failures: number
}

const states = new Map<string, LoopState>()

/** The loops that this process runs; none where others are the workers. */
export function loopStates(): readonly LoopState[] {
  return [...states.values()]
}

const failed = new Counter({
  name: 'laurel_loop_failures_total',
  help: 'Failed passes of the worker loops, by loop.',
  labelNames: ['loop'],
  registers: [registry],
})

// Passes that find nothing to do are many and say nothing.
const WORTH_A_SPAN_MS = 100
const RETRY_MAX_MS = 30_000

/** The longest backoff is no limit for loops that run less often while all is well. */
function pauseAfter(failures: number, everyMs: number): number {
  return failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, RETRY_MAX_MS)
}

async function runLoop(log: Log, loop: Loop, stopping: AbortSignal): Promise<void> {
  // Exported at zero, so that the first failure is an increase.
  failed.inc({ loop: loop.name }, 0)
  let failures = 0
  let state: LoopState = { name: loop.name, everyMs: loop.everyMs, lastSuccessAt: null, lastFailureAt: null, failures }
  states.set(loop.name, state)
  while (!stopping.aborted) {
    let more = false
    try {
      const beganMs = performance.now()
      const endingOf = (mayBeMore: boolean) => (mayBeMore || performance.now() - beganMs > WORTH_A_SPAN_MS ? {} : null)
      more = await traced(`loop ${loop.name}`, loop.pass, { endingOf })
      failures = 0
      state = { ...state, lastSuccessAt: new Date(), failures }
    } catch (error) {
      failures++
      state = { ...state, lastFailureAt: new Date(), failures }
      failed.inc({ loop: loop.name })
      log.error({ err: error, loop: loop.name, failures }, 'a pass of a loop failed')
    }
    states.set(loop.name, state)
    const pauseMs = pauseAfter(failures, loop.everyMs)
    // Ends early, with a rejection, when the loops stop.
    if (!more) await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}
