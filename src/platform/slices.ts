import { setImmediate } from 'node:timers/promises'

// Short enough that a request in between waits hardly longer than it would for another request.
const SLICE_MS = 5

/** Runs a long computation, which yields where it may pause, in slices: other requests are served in between. */
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

/** Maps items, and may pause after each. */
export function* mapped<T, R>(items: Iterable<T>, of: (item: T) => R): Generator<undefined, R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(of(item))
    yield
  }
  return results
}

/** Runs short work to its end without pauses. */
export function runAtOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
