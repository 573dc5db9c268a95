/** Returns the median. One measurement disturbed by a checkpoint or a noisy neighbor does not shift it. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return (performance.now() - beganMs) / 1000
}
