import type { BenchServer } from './support/bench-server.ts'

/** The bound that a reading must meet, either as a ratio to the limit or as an absolute value. */
type Goal = { readonly of: 'ratio' | 'ours'; readonly bound: 'at least' | 'at most'; readonly value: number }

/** A measured value, with the limit measured in the same run. */
export type Reading = {
  readonly name: string
  readonly ours: number
  readonly limit: number
  readonly goal: Goal
  readonly unit: string
}

export type Benchmark = {
  readonly name: string
  /** The sentence in RESULTS.md that describes what is measured and against what. */
  readonly about: string
  /** @param size overrides the number of transactions or rows in benchmarks that support it; null for the default */
  measure(server: BenchServer, size: number | null): Promise<Reading[]>
}

export function computeRatio({ ours, limit }: Reading): number {
  return ours / limit
}

export function isMet(reading: Reading): boolean {
  const { of, bound, value } = reading.goal
  const measured = of === 'ratio' ? computeRatio(reading) : reading.ours
  return bound === 'at least' ? measured >= value : measured <= value
}
