import { Counter, Gauge } from 'prom-client'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { registry } from '../platform/telemetry/metrics.ts'
import {
  addOldJournals,
  compareBalances,
  compareRollups,
  endRun,
  findUserAfter,
  lockVerification,
  readVerification,
  rereadJournals,
  storeVerification,
  type UserRange,
  type Verification,
  verifyWaiting,
} from './verification-queries.ts'
import type { Difference } from './verify.ts'

/**
 * Verifies new bookings every hour (docs/decisions/0039-verifying-by-the-hour.md). A run consists of steps, one
 * transaction each: verifying the waiting journals, comparing all balances one slice of users at a time, comparing the
 * shared accounts, and rereading the slices whose journals were verified longest ago. The state is stored in a row, so
 * a run resumes after a restart and workers share its steps.
 */

// Takes the database about 50 ms.
const JOURNALS_MAX = 2_000
// The number of users per transaction when journals from before the hourly verification are added.
const USERS_MAX = 2_000
// IDs are hashes, so each slice reads most pages of the tables. More slices would take longer in total.
const COMPARED_SLICES = 8
// At six slices per hourly run, all 1,024 slices are reread in about a week.
const REREAD_SLICES = 1_024
const REREAD_IN_RUN = 6
// The first step verifies waiting journals. The step between comparing and rereading compares shared accounts.
const STEPS = 1 + COMPARED_SLICES + 1 + REREAD_IN_RUN
// Keeps log lines readable. The CLI command lists all differences.
const LOGGED_MAX = 20

const journalsVerified = new Counter({
  name: 'laurel_ledger_verified_journals_total',
  help: 'Journals verified by this worker since they were booked.',
  registers: [registry],
})
const differences = new Gauge({
  name: 'laurel_ledger_differences',
  help: "Differences found by the last ledger verification. The worker's log lists them.",
  registers: [registry],
})
const age = new Gauge({
  name: 'laurel_ledger_verified_seconds',
  help: 'Seconds since the ledger was last verified.',
  registers: [registry],
})

/** Updates the gauges. */
export async function showVerification(reader: Reader): Promise<void> {
  const last = await readVerification(reader)
  differences.set(last.differences)
  age.set(last.ageSeconds)
}

type Deps = { readonly db: Database; readonly log: Log }

/**
 * Runs the next step of the verification, if one is due.
 * @returns true if there may be another step
 */
export async function verifyNext({ db, log }: Deps): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const state = await lockVerification(tx)
    if (state === null) return null
    const { next, found, journals = 0 } = await takeStep(tx, state)
    await storeVerification(tx, { ...next, found: state.found + found.length })
    const more = next.step < STEPS
    if (!more) await endRun(tx)
    return { found, journals, more }
  })
  if (done === null) return false
  journalsVerified.inc(done.journals)
  if (done.found.length > 0)
    log.error(
      { differences: done.found.slice(0, LOGGED_MAX), count: done.found.length },
      'the ledger verification found differences',
    )
  return done.more
}

type Step = {
  readonly next: Verification
  readonly found: readonly Difference[]
  /** The number of journals verified for the first time. */
  readonly journals?: number
}

async function takeStep(tx: Tx, state: Verification): Promise<Step> {
  const { addedUpTo, step, nextSlice } = state
  if (addedUpTo !== null) {
    const to = await findUserAfter(tx, addedUpTo, USERS_MAX)
    await addOldJournals(tx, { from: addedUpTo, to: to ?? LAST_ID })
    return { next: { ...state, addedUpTo: to }, found: [] }
  }
  if (step === 0) {
    const { journals, differences: found } = await verifyWaiting(tx, JOURNALS_MAX)
    return { next: journals < JOURNALS_MAX ? { ...state, step: 1 } : state, found, journals }
  }
  const next = { ...state, step: step + 1 }
  if (step <= COMPARED_SLICES) return { next, found: await compareBalances(tx, toSlice(step - 1, COMPARED_SLICES)) }
  if (step === COMPARED_SLICES + 1) return { next, found: await compareRollups(tx) }
  const found = await rereadJournals(tx, toSlice(nextSlice, REREAD_SLICES))
  return { next: { ...next, nextSlice: (nextSlice + 1) % REREAD_SLICES }, found }
}

// Greater than every user ID, because a UUID of all ones has no valid version.
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns a slice of users by the leading bits of their IDs, which are evenly distributed. */
function toSlice(slice: number, slices: number): UserRange {
  const toFirstId = (at: number): string =>
    `${((at * 2 ** 32) / slices).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`
  return { from: toFirstId(slice), to: slice + 1 === slices ? LAST_ID : toFirstId(slice + 1) }
}
