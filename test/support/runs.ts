import { randomInt } from 'node:crypto'
import fc from 'fast-check'

/** Multiplies the number of random cases; `npm run test:long` sets it to 30. */
const FACTOR = Number(process.env['LAUREL_RUNS'] ?? 1)

/** The seed of all random cases: another one for each run, printed by `npm test`, repeated with LAUREL_SEED. */
export const SEED = Number(process.env['LAUREL_SEED'] ?? randomInt(2 ** 31))
fc.configureGlobal({ seed: SEED })

/** Returns how many random cases a property plays, given how many suffice to find the faults of test/faults.ts. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR)
}

// Each list gets another part.
let drawn = 0

/**
 * Returns a random part of a long list of cases, so that a few runs cover all of it and each is quick. Returns all of
 * it in `npm run test:long`.
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
