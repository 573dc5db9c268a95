/** How many times longer than `npm test` this run plays random cases; `npm run test:long` says 10. */
const FACTOR = Number(process.env['LAUREL_RUNS'] ?? 1)

/** How many random cases a property plays, given how many are enough to find the faults of test/faults.ts. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR)
}
