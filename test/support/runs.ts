import { randomInt } from 'node:crypto'
import fc from 'fast-check'

/** Multiplies the number of random cases. `npm run test:long` sets it to 30. */
const FACTOR = Number(process.env['LAUREL_RUNS'] ?? 1)

/** Seeds all random cases. It differs in each run, `npm test` prints it, and LAUREL_SEED sets it. */
export const SEED = Number(process.env['LAUREL_SEED'] ?? randomInt(2 ** 31))
fc.configureGlobal({ seed: SEED })

/** Returns how many random cases a property runs, given how many are enough to find the faults in test/faults.ts. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR)
}

// Varies the seed, so that a different part of each list is drawn.
let drawn = 0

/**
 * Returns a random part of a long list of cases, so that a few runs cover the entire list and each run is quick.
 * Returns the entire list in `npm run test:long`.
 * @param share the size of the part, between 0 and 1
 */
export function sample<T>(all: readonly T[], share: number): T[] {
  if (FACTOR > 1 || all.length === 0) return [...all]
  const size = Math.max(1, Math.round(all.length * share))
  const [part = []] = fc.sample(fc.subarray([...all], { minLength: size, maxLength: size }), {
    numRuns: 1,
    seed: SEED + drawn++,
  })
  return part
}
