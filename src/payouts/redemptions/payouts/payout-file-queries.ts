import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import { type OperatorList, publisherFilter } from '../../../tenants/access/index.ts'
import type { Payer, PayoutFormat } from '../files/payout-file.ts'
import type { PayoutFileId } from '../redemption.ts'
import { PAYOUT_FILE, type StoredFile } from './stored-file.ts'

const columns = (reader: Reader) => selectColumns(reader, 'payout_files', PAYOUT_FILE.columns)

export async function findPayer(reader: Reader, lock = reader``): Promise<Payer | null> {
  const [row] = await reader<{ details: Payer }[]>`select details from payout_payer ${lock}`
  return row?.details ?? null
}

export function lockPayer(tx: Tx): Promise<Payer | null> {
  return findPayer(tx, tx`for update`)
}

export async function storePayer(tx: Tx, payer: Payer): Promise<void> {
  await tx`
    insert into payout_payer (details) values (${tx.json(payer)})
    on conflict (one) do update set details = excluded.details`
}

export async function insertFile(tx: Tx, file: StoredFile): Promise<void> {
  await tx`insert into payout_files ${tx({ ...file, payer: tx.json(file.payer) }, ...PAYOUT_FILE.columns)}`
}

/** Counts the files of one format that were created in a period. The caller must hold the lock on the payer. */
export async function countFilesBetween(tx: Tx, format: PayoutFormat, from: Date, until: Date): Promise<number> {
  // all publishers: they share one payer, and sandbox files can be dated in the future
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from payout_files
    where format = ${format} and created_at >= ${from} and created_at < ${until}`
  return row?.count ?? 0
}

/** Finds a file of any publisher. Operators provide only the file's ID. */
export async function findFile(reader: Reader, fileId: PayoutFileId): Promise<StoredFile | null> {
  // all publishers: an operator names a file by its id
  const [row] = await reader<StoredFile[]>`select ${columns(reader)} from payout_files where file_id = ${fileId}`
  return row ?? null
}

/** The payout files of all publishers, newest first. */
export const PAYOUT_FILE_LIST: OperatorList<StoredFile> = {
  table: 'payout_files',
  id: 'fileId',
  columns,
  sorts: { '-created_at': 'instant', created_at: 'instant' },
  filters: publisherFilter,
}
