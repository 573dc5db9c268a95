import type { Database } from '../platform/database.ts'
import { takeCut } from './cut.ts'
import { addUpBooked, lockAddedUp } from './daily-sums-queries.ts'

// Transactions end within seconds; a cut that is not reached by then is left to the next pass.
const CUT_WAIT_MS = 1_000

/**
 * Adds what was booked since the last pass to the sums by account and by day (`ledger_totals`, `ledger_days`). Bookings
 * are neither slowed down nor waited for: only what is before a cut is added up, so each journal is added once. Returns
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
