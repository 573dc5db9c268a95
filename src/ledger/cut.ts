import { setTimeout } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import { haveEndedBefore, markCut, numberOfTransaction } from './cut-queries.ts'

const POLL_MS = 25

/**
 * An instant such that every journal that was booked until then is committed, and every later one is booked after it:
 * RFC 3339 with microseconds. Nobody who books waits for it. `booking_time()` dates a journal after the last committed
 * cut, so only transactions from before its commit may still book until the cut, and these are waited for. Null when one
 * of them takes too long; the cut that it leaves behind does no harm.
 */
export async function takeCut(db: Database, waitMaxMs: number): Promise<string | null> {
  const at = await db.transaction(markCut)
  // A number that was given after the cut's commit: whoever has a later one has seen the cut.
  const number = await db.transaction(numberOfTransaction)
  for (let waitedMs = 0; !(await haveEndedBefore(db.reader, number)); waitedMs += POLL_MS) {
    if (waitedMs >= waitMaxMs) return null
    await setTimeout(POLL_MS)
  }
  return at
}
