import type { Tx } from '../../../platform/db/database.ts'

/** A network report being imported. `sha256` is the hash of its text and its format. */
export type ReportImport = { readonly network: string; readonly sha256: Buffer; readonly rows: number }

/** Begins an import, or continues one already begun for the same report. */
export async function beginImport(tx: Tx, { network, sha256, rows }: ReportImport, now: Date): Promise<void> {
  await tx`
    insert into report_imports (network, sha256, rows, begun_at, advanced_at)
    values (${network}, ${sha256}, ${rows}, ${now}, ${now})
    on conflict (network, sha256) do nothing`
}

/** Locks an import and returns how many rows have been read; null if the import has ended. */
export async function lockPosition(tx: Tx, { network, sha256 }: ReportImport): Promise<number | null> {
  const [row] = await tx<{ readRows: number }[]>`
    select read_rows from report_imports where network = ${network} and sha256 = ${sha256} for update`
  return row?.readRows ?? null
}

export async function advanceImport(
  tx: Tx,
  { network, sha256 }: ReportImport,
  readRows: number,
  now: Date,
): Promise<void> {
  await tx`
    update report_imports set read_rows = ${readRows}, advanced_at = ${now}
    where network = ${network} and sha256 = ${sha256}`
}

/**
 * Ends a finished import. Also deletes imports that have made no progress since `staleSince`, because the network's
 * later reports replace them.
 */
export async function endImport(tx: Tx, { network, sha256 }: ReportImport, staleSince: Date): Promise<void> {
  await tx`
    delete from report_imports
    where network = ${network} and (sha256 = ${sha256} or advanced_at < ${staleSince})`
}
