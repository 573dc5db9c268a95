import { createHash } from 'node:crypto'
import { addDays, type Day, startOfDay, toDay } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId, newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listDestinations } from '../destination-queries.ts'
import { openDetails } from '../destinations.ts'
import type { RedemptionRefusal } from '../errors.ts'
import { findClosedReason, nextBusinessDay } from '../files/business-days.ts'
import { type Payer, type PayoutEntry, type PayoutFile, type PayoutFormat, sumEntries } from '../files/payout-file.ts'
import {
  findEntryFault,
  findFileFault,
  findPayerFault,
  rewritePayoutFile,
  writePayoutFile,
} from '../files/write-file.ts'
import { listOfFile, listPayable } from '../queries.ts'
import { changeState, lockRedemptions, recordPaths } from '../record.ts'
import { type PayoutFileId, type Redemption, type RedemptionId, toReference } from '../redemption.ts'
import * as queries from './payout-file-queries.ts'
import type { StoredFile } from './stored-file.ts'

// Writing this many entries takes about 200 ms. Any others go into the next file.
const ENTRIES_MAX = 5_000

/**
 * The kinds of destination that each format can pay. Redemptions to other kinds are read last, so that they do not
 * crowd out the payable ones.
 */
const KINDS: Readonly<Record<PayoutFormat, readonly string[]>> = {
  nacha: ['us_bank_account'],
  'pain.001': ['iban'],
  csv: ['us_bank_account', 'iban'],
}

/**
 * The payer in a sandbox is fictitious, so that no bank accepts its files, whatever account numbers were used for
 * testing. The payer's own numbers merely pass validation.
 */
const SANDBOX_PAYER: Payer = {
  name: 'SANDBOX DO NOT PAY',
  nacha: {
    companyId: '0000000000',
    odfiRouting: '123456780',
    immediateOrigin: '0000000000',
    immediateDestination: '123456780',
    immediateDestinationName: 'SANDBOX DO NOT PAY',
  },
  account: { iban: 'DE75512108001245126199', bic: null },
}

export type NewFile = {
  readonly format: PayoutFormat
  /** One of the publisher's currencies, because a file pays in a single currency. */
  readonly currency: string
  /** The day the money should arrive; null for the next business day. */
  readonly payOn: Day | null
  readonly by: string
}

export type CreatedFile = {
  readonly file: StoredFile
  /** The reason why banks will pay on a later business day; null if the payment day is a business day. */
  readonly closed: string | null
  /** Redemptions that this format cannot pay, with the reason. They stay `approved`. */
  readonly left: readonly { readonly redemptionId: RedemptionId; readonly reason: string }[]
}

/**
 * Creates a file from a publisher's approved redemptions, oldest first, and marks them as sent so that no other file
 * pays them again.
 * @throws Refusal payer_missing, payout_file_empty, payout_file_invalid
 */
export async function createPayoutFile(
  tx: Tx,
  vault: Vault,
  publisher: Publisher,
  { format, currency, payOn, by }: NewFile,
  now: Date,
): Promise<CreatedFile> {
  refuseDay(payOn, toDay(now, publisher.timeZone))
  const known = await queries.lockPayer(tx)
  const payer = publisher.environment === 'sandbox' ? SANDBOX_PAYER : known
  if (payer === null) throw refusal('payer_missing', 'Configure the payer first with `laurel payouts payer`.')
  const payerFault = findPayerFault(format, payer)
  if (payerFault !== null) throw refusal('payout_file_invalid', `${payerFault}.`)
  const payable = await listPayable(tx, publisher.id, currency, KINDS[format], ENTRIES_MAX)
  const ids = payable.map(({ redemptionId }) => redemptionId)
  const { redemptions, ...locked } = await lockRedemptions(tx, publisher, ids)
  const approved = redemptions.filter(({ status }) => status === 'approved')
  const judged = (await readEntries(tx, vault, publisher, approved)).map((one) => ({
    ...one,
    fault: findEntryFault(format, one.entry, currency),
  }))
  const left = judged.flatMap(({ redemption: { redemptionId }, fault: reason }) =>
    reason === null ? [] : [{ redemptionId, reason }],
  )
  const paid = judged.filter(({ fault }) => fault === null)
  if (paid.length === 0)
    throw refusal('payout_file_empty', `No approved redemption in ${currency} can be paid by a ${format} file.`)
  const fileId = newUuid<'payout-file'>()
  const today = toDay(now, 'UTC')
  const [from, until] = [today, addDays(today, 1)].map((one) => startOfDay(one, 'UTC')) as [Date, Date]
  const numberOfDay = 1 + (await queries.countFilesBetween(tx, format, from, until))
  const day = payOn ?? nextBusinessDay(today, currency)
  const entries = paid.map(({ entry }) => entry)
  const content: PayoutFile = {
    fileId: toFileName(fileId),
    numberOfDay,
    createdAt: now,
    payOn: day,
    currency,
    payer,
    entries,
  }
  const fault = findFileFault(format, content)
  if (fault !== null) throw refusal('payout_file_invalid', `The file cannot be created: ${fault}.`)
  const file: StoredFile = {
    fileId,
    publisherId: publisher.id,
    format,
    currency,
    payOn: day,
    numberOfDay,
    payer,
    entries: entries.length,
    total: sumEntries(entries),
    createdBy: by,
    createdAt: now,
    sha256: hashContent(writePayoutFile(format, content)),
  }
  await queries.insertFile(tx, file)
  const paths = paid.map(({ redemption: before }) => ({
    before,
    states: [changeState(before, { status: 'sent', fileId }, now)],
  }))
  await recordPaths(tx, locked.book, paths, by, now)
  return { file, closed: findClosedReason(day, currency), left }
}

/**
 * Regenerates a file's content byte for byte. Works only until one of its account numbers is destroyed, which can
 * happen once its payout has ended.
 * @throws Refusal payout_file_gone
 */
export async function regenerateFile(
  reader: Reader,
  vault: Vault,
  publisher: Publisher,
  file: StoredFile,
): Promise<string> {
  const redemptions = await listOfFile(reader, publisher.id, file.fileId)
  const entries = (await readEntries(reader, vault, publisher, redemptions)).map(({ entry }) => entry)
  const { format, numberOfDay, createdAt, payOn, currency, payer, sha256 } = file
  const content = { fileId: toFileName(file.fileId), numberOfDay, createdAt, payOn, currency, payer, entries }
  const text = rewritePayoutFile(format, content, (one) => hashContent(one).equals(sha256))
  if (text === undefined) throw new Error('a stored payout file could not be reproduced')
  return text
}

type FileEntry = { readonly redemption: Redemption; readonly entry: PayoutEntry }

async function readEntries(
  reader: Reader,
  vault: Vault,
  publisher: Publisher,
  redemptions: readonly Redemption[],
): Promise<FileEntry[]> {
  const users = [...new Set(redemptions.map(({ userId }) => userId))]
  const ids = redemptions.flatMap(({ destinationId }) => (destinationId === null ? [] : [destinationId]))
  const stored = new Map(
    (await listDestinations(reader, publisher.id, users, ids)).map((one) => [one.destinationId, one]),
  )
  return redemptions.map((redemption) => {
    const destination = redemption.destinationId === null ? undefined : stored.get(redemption.destinationId)
    if (destination === undefined) throw new Error('a redemption in a file has no destination')
    if (destination.sealedDetails === null)
      throw refusal('payout_file_gone', 'A payout in this file is final, so its account number has been destroyed.')
    const account = openDetails(vault, destination)
    if (account.type === 'email') throw new Error('a bank cannot pay to an email address')
    return {
      redemption,
      entry: { reference: toReference(redemption.redemptionId), amount: redemption.amount, account },
    }
  })
}

/** Returns a file's ID as banks see it. */
export function toFileName(fileId: PayoutFileId): string {
  return encodeId('pof', fileId).slice('pof_'.length).toUpperCase()
}

/** @throws Refusal payout_file_not_found */
export async function getFile(reader: Reader, text: string): Promise<StoredFile> {
  const fileId = decodeId<'payout-file'>('pof', text)
  const file = fileId === null ? null : await queries.findFile(reader, fileId)
  if (file === null) throw refusal('payout_file_not_found', 'There is no such file.')
  return file
}

// Banks accept payments at most a year in advance, and many set a shorter limit.
const AHEAD_MAX_DAYS = 365

/** @throws Refusal payout_file_invalid if the day is outside the range that banks accept */
function refuseDay(payOn: Day | null, today: Day): void {
  const last = addDays(today, AHEAD_MAX_DAYS)
  if (payOn === null || (payOn >= today && payOn <= last)) return
  const message = `pay_on must be a day from today, ${today}, to ${last}.`
  throw new Refusal<RedemptionRefusal>('payout_file_invalid', message, { field: 'pay_on' })
}

function hashContent(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refusal(code: RedemptionRefusal, text: string): Refusal<RedemptionRefusal> {
  return new Refusal<RedemptionRefusal>(code, text)
}
