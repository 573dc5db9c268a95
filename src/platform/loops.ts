import type { Log } from './log.ts'

export type Loop = {
  readonly name: string
  readonly everyMs: number
  /** One pass; answers true when there may be more to do at once. Must be safe to repeat. */
  readonly pass: () => Promise<boolean>
  /** Finishes what outlasts a pass; called after the last pass of all loops. */
  readonly drain?: () => Promise<void>
}

type RunningLoops = { stop(): Promise<void> }

/**
 * Runs each pass again and again, one at a time, pausing for everyMs when there was nothing to do. A pass that fails is
 * logged and tried again after a growing pause, so that one fault neither stops the loop nor floods the log.
 * stop() lets the passes under way finish and then drains each loop, in order.
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

const PAUSE_MAX_MS = 30_000

async function runLoop(log: Log, loop: Loop, stopping: AbortSignal): Promise<void> {
  let failures = 0
  while (!stopping.aborted) {
    let more = false
    try {
      more = await loop.pass()
      failures = 0
    } catch (error) {
      failures++
      log.error({ err: error, loop: loop.name, failures }, 'a pass of a loop failed')
    }
    if (!more) await pause(Math.min(loop.everyMs * 2 ** failures, PAUSE_MAX_MS), stopping)
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stopping.addEventListener('abort', done)
  })
}
