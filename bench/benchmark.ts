import type { BenchServer } from './support/bench-server.ts'

/** What a reading is held to: the ratio of ours to the limit, or the value itself. */
type Goal = { readonly of: 'ratio' | 'ours'; readonly bound: 'at least' | 'at most'; readonly value: number }

/** One measured value beside the limit that was measured in the same run. */
export type Reading = {
  readonly name: string
  readonly ours: number
  readonly limit: number
  readonly goal: Goal
  readonly unit: string
}

export type Benchmark = {
  readonly name: string
  /** What is measured, and against what: the sentence of the results. */
  readonly about: string
  /** @param size how many transactions instead of the usual number, where a benchmark knows the option; null: as usual */
  measure(server: BenchServer, size: number | null): Promise<Reading[]>
}

export function ratioOf({ ours, limit }: Reading): number {
  return ours / limit
}

export function isMet(reading: Reading): boolean {
  const { of, bound, value } = reading.goal
  const measured = of === 'ratio' ? ratioOf(reading) : reading.ours
  return bound === 'at least' ? measured >= value : measured <= value
}
