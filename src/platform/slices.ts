import { setImmediate } from 'node:timers/promises'

// So that a request in between waits hardly longer than for any other request.
const SLICE_MS = 5

/** Runs long work of the processor in slices, so that other requests are served in between. It yields where it may pause. */
export async function runInSlices<T>(work: Generator<undefined, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
}
