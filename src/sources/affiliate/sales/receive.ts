import { createHash } from 'node:crypto'
import { DAY_MS, toDay } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { toMinor, toMinorRounded } from '../../../platform/money.ts'
import { recordFact } from '../../../platform/queue/outbox.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AffiliateRefusal } from '../errors.ts'
import * as queries from '../queries.ts'
import type { Content } from '../rules.ts'
import { type Credit, creditSale, eraseNames, type SaleNames } from './attribution.ts'
import * as postbacks from './postback-queries.ts'
import type { Sale } from './read-sale.ts'
import { type SaleRecord, sumRecords } from './sum-of-records.ts'

// Allows for a network's fast clock or wrong time zone. A time further ahead is a mistake.
const AHEAD_MAX_MS = DAY_MS

type Received = { readonly known: boolean; readonly repeated: boolean }

/**
 * Stores a network's report and records the fact `sale.reported` if it is about a click sent to this network. A
 * repeated report changes nothing. A report with any other sub-id is stored and listed for operators, but has no
 * further effect, because the secret of one network must not earn rewards from another network's advertisers.
 * @throws Refusal postback_invalid for an amount its currency cannot represent, or for a time before 1970 or in the
 * future
 */
export async function receivePostback(
  tx: Tx,
  network: string,
  sale: Sale,
  content: Content,
  now: Date,
): Promise<Received> {
  const credit = await creditSale(tx, network, sale, now)
  const { click, latest } = credit
  refuseTime('date', sale.soldAt, latest)
  refuseTime('reported_at', sale.reportedAt, latest)
  const currency = sale.currency ?? (await findCurrency(tx, network, sale, click)) ?? 'USD'
  const toMinorUnits = sale.rounds ? toMinorRounded : toMinor
  const amount = sale.amount === null ? null : toMinorUnits(sale.amount, currency)
  if (sale.amount !== null && amount === null)
    throw invalid('amount', `has more decimal places than ${currency} allows`)
  const commission = sale.commission === null ? null : toMinorRounded(sale.commission, currency)
  return storeReport(tx, { ...sale, network, content, amount, currency, commission, credit, receivedAt: now })
}

/**
 * Returns the currency of a sale whose report states none: that of its earlier reports or, failing that, the offer's.
 */
async function findCurrency(
  tx: Tx,
  network: string,
  { subId, orderId, transactionId }: Sale,
  click: Credit['click'],
): Promise<string | null> {
  const named = { network, subId: click?.subId ?? subId, orderId, transactionId }
  const known = await postbacks.findCurrencyOfSale(tx, named)
  return known ?? (click === null ? null : queries.findCurrency(tx, click.offerUid))
}

function refuseTime(field: string, at: Date | null, now: Date): void {
  if (at === null || (at.getTime() >= 0 && at.getTime() <= now.getTime() + AHEAD_MAX_MS)) return
  throw invalid(field, `must be between 1970 and ${toDay(new Date(now.getTime() + AHEAD_MAX_MS), 'UTC')}`)
}

function invalid(field: string, message: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('postback_invalid', `${field} ${message}.`, { field })
}

type SaleReport = Omit<Sale, 'amount' | 'commission' | 'rounds'> & {
  readonly network: string
  readonly content: Content
  readonly amount: bigint | null
  readonly commission: bigint | null
  readonly currency: string
  readonly credit: Credit
  readonly receivedAt: Date
}

/**
 * Stores a report. If it is credited, also records the fact. For an erased user, stores only what the books need.
 * Repeats are still recognized, because the identity is computed from the network's original identifiers.
 */
export async function storeReport(tx: Tx, { credit, ...report }: SaleReport): Promise<Received> {
  const { click, unmatched, latest, salt } = credit
  const kept = salt === null ? report : { ...report, ...eraseNames(report, salt), content: {} }
  const named = { ...kept, subId: click?.subId ?? report.subId, click, unmatched, added: null, addedStatus: null }
  const said = { ...named, postbackId: newUuid<'postback'>() }
  const { postback, identity } = said.adds ? await summed(tx, said, report, latest) : await stated(tx, said, report)
  const isNew = await postbacks.insertPostback(tx, postback, identity)
  if (isNew && click !== null) {
    if (!click.isSold) await queries.markSubIdSold(tx, click.subId)
    await recordFact(tx, click.publisherId, 'sale.reported', { postbackId: postback.postbackId })
  }
  return { known: click !== null, repeated: !isNew }
}

type Stored = { readonly postback: postbacks.Postback; readonly identity: Buffer }

/**
 * Identifies a report that has neither a number nor a time by the report that precedes it. A repeat has the same
 * predecessor, while a correction back to an earlier amount follows the amount that it corrects.
 */
async function stated(tx: Tx, said: postbacks.Postback, written: SaleNames): Promise<Stored> {
  const isNamed = said.reportId !== null || said.reportedAt !== null
  const follows = isNamed ? null : await postbacks.findPrecedingPostback(tx, said)
  return { postback: said, identity: hashIdentity(said, written, follows) }
}

/**
 * Restates an additive record as the sum of its item's records when it was received. The record is identified by its
 * number, its content, and the last different state reported under that number.
 */
async function summed(tx: Tx, said: postbacks.Postback, written: SaleNames, latest: Date): Promise<Stored> {
  const records = await postbacks.listRecords(tx, said)
  const record = { reportId: said.reportId, amount: said.amount ?? 0n, status: said.status }
  const follows = record.status === 'pending' ? null : (stateBefore(records, record)?.postbackId ?? null)
  const sum = sumRecords([...records, record])
  // Later than all other records, so the fold treats it as the newest, even among records from one file.
  const newestMs = Math.max(latest.getTime(), ...records.map(({ reportedAt }) => (reportedAt?.getTime() ?? 0) + 1))
  const postback = {
    ...said,
    status: sum.status,
    amount: sum.status === 'rejected' ? null : sum.amount,
    reportedAt: new Date(newestMs),
    added: record.amount,
    addedStatus: record.status,
  }
  return { postback, identity: hashIdentity({ ...said, amount: record.amount }, written, follows) }
}

function stateBefore(records: readonly postbacks.StoredRecord[], one: SaleRecord) {
  return records.findLast(
    ({ reportId, amount, status }) =>
      reportId === one.reportId &&
      amount < 0n === one.amount < 0n &&
      status !== 'pending' &&
      (status !== one.status || amount !== one.amount),
  )
}

/**
 * Returns the identity of a report: the sale, its state and amount, the report's number or time, and the report it
 * follows.
 */
function hashIdentity(postback: postbacks.Postback, written: SaleNames, follows: string | null): Buffer {
  const { subId, status, amount, currency, soldAt, reportedAt } = postback
  const { orderId, transactionId, reportId } = written
  const report = [subId, status, orderId, transactionId, amount?.toString(), currency, soldAt, reportId, reportedAt]
  return createHash('sha256')
    .update(JSON.stringify([...report, follows]))
    .digest()
}
