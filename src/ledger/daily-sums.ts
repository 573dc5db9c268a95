import type { Database } from '../platform/db/database.ts'
import { takeCut } from './cut.ts'
import { addUpBooked, lockAddedUp } from './daily-sums-queries.ts'

// Transactions end within seconds. If taking a cut takes longer, summing is left to the next pass.
const CUT_WAIT_MS = 1_000

/**
 * Adds everything booked since the last pass to the sums by account and by day (`ledger_totals`, `ledger_days`) without
 * slowing down bookings. Sums only up to a cut, so each journal is counted once.
 * @returns true if there may be more to sum immediately
 */
export async function addUpLedger(db: Database): Promise<boolean> {
  const cut = await takeCut(db, CUT_WAIT_MS)
  if (cut === null) return false
  return db.transaction(async (tx) => {
    const state = await lockAddedUp(tx)
    return state !== null && (await addUpBooked(tx, { from: state.from, until: state.stepUntil, cut }))
  })
}
