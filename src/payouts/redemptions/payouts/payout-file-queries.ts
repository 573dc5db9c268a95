import type { Day } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Payer, PayoutFormat } from '../files/payout-file.ts'
import type { PayoutFileId } from '../redemption.ts'

/** A payout file without its content. */
export type StoredFile = {
  readonly fileId: PayoutFileId
  readonly publisherId: PublisherId
  readonly format: PayoutFormat
  readonly currency: string
  readonly payOn: Day
  readonly numberOfDay: number
  readonly payer: Payer
  readonly entries: number
  /** In minor units. */
  readonly total: bigint
  readonly sha256: Buffer
  readonly createdBy: string
  readonly createdAt: Date
}

const columns = (reader: Reader) => reader`
  file_id, publisher_id, format, currency, pay_on, number_of_day, payer, entries, total, sha256, created_by, created_at`

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

export async function insertFile(tx: Tx, publisherId: PublisherId, file: StoredFile): Promise<void> {
  await tx`
    insert into payout_files (file_id, publisher_id, format, currency, pay_on, number_of_day, payer, entries, total, sha256,
      created_by, created_at)
    values (${file.fileId}, ${publisherId}, ${file.format}, ${file.currency}, ${file.payOn}, ${file.numberOfDay},
      ${tx.json(file.payer)}, ${file.entries}, ${file.total}, ${file.sha256}, ${file.createdBy}, ${file.createdAt})`
}

/** Counts the files of a format created in a period. The caller has locked the payer. */
export async function countFilesBetween(tx: Tx, format: PayoutFormat, from: Date, until: Date): Promise<number> {
  // all publishers: they share one payer, and sandbox files can be dated in the future
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from payout_files
    where format = ${format} and created_at >= ${from} and created_at < ${until}`
  return row?.count ?? 0
}

/** Finds a file of any publisher, because operators look it up by ID alone. */
export async function findFile(reader: Reader, fileId: PayoutFileId): Promise<StoredFile | null> {
  // all publishers: an operator names a file by its id
  const [row] = await reader<StoredFile[]>`select ${columns(reader)} from payout_files where file_id = ${fileId}`
  return row ?? null
}

/** Lists files, newest first. */
export async function listFiles(reader: Reader, publisherId: PublisherId | null, limit: number): Promise<StoredFile[]> {
  // all publishers: operators look after the files of all
  return reader<StoredFile[]>`
    select ${columns(reader)} from payout_files
    where ${publisherId}::uuid is null or publisher_id = ${publisherId}
    order by created_at desc, file_id desc
    limit ${limit}`
}
