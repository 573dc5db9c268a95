import type { Tx } from '../platform/database.ts'

/** A report of a network that is being read; `sha256` is of its text and of how that is read. */
export type ReportImport = { readonly network: string; readonly sha256: Buffer; readonly rows: number }

/** A report that was begun before is continued. */
export async function beginImport(tx: Tx, { network, sha256, rows }: ReportImport, now: Date): Promise<void> {
  await tx`
    insert into report_imports (network, sha256, rows, begun_at, advanced_at)
    values (${network}, ${sha256}, ${rows}, ${now}, ${now})
    on conflict (network, sha256) do nothing`
}

/** How many of its rows were read, and locks it; null when all were. */
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

/** All of it was read. What stands still since an instant was replaced by later reports of the network. */
export async function endImport(tx: Tx, { network, sha256 }: ReportImport, staleSince: Date): Promise<void> {
  await tx`
    delete from report_imports
    where network = ${network} and (sha256 = ${sha256} or advanced_at < ${staleSince})`
}
