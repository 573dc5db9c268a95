import { setTimeout } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import { haveEndedBefore, markCut, readTransactionNumber } from './cut-queries.ts'

const POLL_MS = 25

/**
 * Returns an instant (RFC 3339 with microseconds) that separates journals: every journal booked up to it is committed,
 * and every other journal will be booked after it. Never blocks bookings. `booking_time()` dates a journal after the
 * last committed cut, so only transactions that began before the cut committed can still book before it, and this
 * function waits for them. Returns null if one takes too long, in which case the unused cut does no harm.
 */
export async function takeCut(db: Database, waitMaxMs: number): Promise<string | null> {
  const at = await db.transaction(markCut)
  // A transaction ID assigned after the cut committed. Any transaction with a higher ID sees the cut.
  const number = await db.transaction(readTransactionNumber)
  for (let waitedMs = 0; !(await haveEndedBefore(db.reader, number)); waitedMs += POLL_MS) {
    if (waitedMs >= waitMaxMs) return null
    await setTimeout(POLL_MS)
  }
  return at
}
