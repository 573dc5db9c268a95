import type { Database } from '../platform/database.ts'
import { takeCut } from './cut.ts'
import { addUpBooked, lockAddedUp } from './daily-sums-queries.ts'

// Transactions are over within seconds; the next pass waits again.
const CUT_WAIT_MS = 1_000

/**
 * Adds what was booked since the last pass to the sums by account and by day (`ledger_totals`, `ledger_days`). Whoever
 * books is neither slowed down nor waited for: what is added up is behind a cut, so each journal is added once. Returns
 * whether there may be more at once, as after the migration.
 */
export async function addUpLedger(db: Database): Promise<boolean> {
  const cut = await takeCut(db, CUT_WAIT_MS)
  if (cut === null) return false
  return db.transaction(async (tx) => {
    const state = await lockAddedUp(tx)
    return state !== null && (await addUpBooked(tx, { from: state.from, until: state.stepUntil, cut }))
  })
}
