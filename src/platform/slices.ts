// Short enough that a request waits barely longer for a slice than for another request.
const SLICE_MS = 5

/**
 * Runs a long computation in slices, so that other requests are served in between. The computation yields wherever it
 * may pause.
 */
export async function runInSlices<T>(work: Generator<undefined, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
}

const waiting: (() => void)[] = []

/**
 * Waits for a slice. All long computations share one slice per iteration of the event loop, so they delay a request no
 * more than a single one would.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn)
  })
}

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Maps items, yielding after each. */
export function* mapYielding<T, R>(items: Iterable<T>, of: (item: T) => R): Generator<undefined, R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(of(item))
    yield
  }
  return results
}

/** Runs short work to completion without pausing. */
export function runAtOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
