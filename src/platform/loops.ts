import type { Log } from './log.ts'

export type Loop = {
  readonly name: string
  readonly everyMs: number
  /** One pass; answers true when there may be more to do at once. Must be safe to repeat. */
  readonly pass: () => Promise<boolean>
}

export type RunningLoops = { stop(): Promise<void> }

/**
 * Runs each pass again and again, one at a time, resting everyMs when there was nothing to do. A pass that fails is
 * logged and tried again after a growing rest, so that one fault neither stops the loop nor floods the log.
 * stop() lets the passes under way finish.
 */
export function startLoops(log: Log, loops: readonly Loop[]): RunningLoops {
  const stopping = new AbortController()
  const running = loops.map((loop) => runLoop(log, loop, stopping.signal))
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const REST_MAX_MS = 30_000

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
    if (!more) await rest(Math.min(loop.everyMs * 2 ** failures, REST_MAX_MS), stopping)
  }
}

function rest(ms: number, stopping: AbortSignal): Promise<void> {
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
