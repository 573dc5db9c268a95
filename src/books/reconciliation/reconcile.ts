import type { Database } from '../../platform/db/database.ts'
import { COMPARISONS, type Comparison } from './comparisons.ts'
import { compareSides, type RowDifference } from './rules.ts'
import type { ComparedSpan } from './span.ts'

type Totals = { readonly rows: number; readonly waiting: number; readonly differences: number }

/** Receives the results as they are found. */
export type Listener = {
  readonly found: (comparison: Comparison, difference: RowDifference) => void
  readonly compared: (comparison: Comparison, totals: Totals) => void
  /** Called with the reason if a comparison was skipped. */
  readonly skipped: (comparison: Comparison, reason: string) => void
}

/**
 * Compares the books of a period in one read-only snapshot. Returns the number of differences.
 * @param outside a comparison with an external file, run last
 * @throws Refusal report_invalid, network_invalid from that comparison
 */
export function reconcile(
  db: Pick<Database, 'snapshot'>,
  span: ComparedSpan,
  outside: Comparison | null,
  listener: Listener,
): Promise<number> {
  return db.snapshot(async (tx) => {
    let differences = 0
    for (const comparison of [...COMPARISONS, ...(outside === null ? [] : [outside])]) {
      const sides = await comparison.sides(tx, span)
      if (typeof sides === 'string') {
        listener.skipped(comparison, sides)
        continue
      }
      const totals = await compareOne(comparison, sides, listener)
      differences += totals.differences
      listener.compared(comparison, totals)
    }
    return differences
  })
}

async function compareOne(
  comparison: Comparison,
  [left, right]: Exclude<Awaited<ReturnType<Comparison['sides']>>, string>,
  listener: Listener,
): Promise<Totals> {
  let [rows, waiting, differences] = [0, 0, 0]
  for await (const verdict of compareSides(left, right)) {
    rows++
    if (verdict === 'waiting') waiting++
    else if (verdict !== 'equal') {
      differences++
      listener.found(comparison, verdict)
    }
  }
  return { rows, waiting, differences }
}
