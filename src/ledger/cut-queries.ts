import type { Reader, Tx } from '../platform/db/database.ts'

/** Sets the last cut to the current time. Cuts never move backward, even if the clock does. */
export async function markCut(tx: Tx): Promise<string> {
  const [row] = await tx<{ at: string }[]>`
    update ledger_cut
    set cut_at = greatest(clock_timestamp(), cut_at + interval '1 microsecond')
    returning ${formatInstant(tx, tx`cut_at`)} as at`
  if (row === undefined) throw new Error('the ledger has no cut')
  return row.at
}

export async function readTransactionNumber(tx: Tx): Promise<string> {
  const [row] = await tx<{ number: string }[]>`select pg_current_xact_id()::text as number`
  return row?.number ?? ''
}

/** Returns true if all transactions with a lower ID have ended. */
export async function haveEndedBefore(reader: Reader, number: string): Promise<boolean> {
  const [row] = await reader<{ ended: boolean }[]>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${number}::text::xid8 as ended`
  return row?.ended === true
}

/** Formats an instant as RFC 3339 with microseconds. */
export const formatInstant = (reader: Reader, instant: ReturnType<Reader>) =>
  reader`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
