import { DAY_MS } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { toUserId } from '../../../platform/ids.ts'
import { formatDecimal, toMinorRounded } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { AffiliateRefusal } from '../errors.ts'
import type { Format } from '../formats/format.ts'
import { getFormat } from '../networks.ts'
import { findCurrency, findNewestClick } from '../queries.ts'
import { creditClick } from './attribution.ts'
import { createFieldFinder, isAbsent } from './field-values.ts'
import { storeReport } from './receive.ts'
import { insertAnswers, listReportsLike, lockUncreditedLike, type StoredReport } from './unmatched-queries.ts'

type Decision = { readonly postbackId: string; readonly by: string; readonly reason: string | null }
type Assignment = Decision & {
  readonly publisher: Publisher
  readonly publisherUserId: string
  readonly offerUid: string
}

/**
 * Credits all reports of an uncredited sale to the user's last click on the offer before the sale, no matter how old.
 * The sale's later reports are credited to the same click.
 * @throws Refusal postback_not_found, postback_settled; postback_mismatch for a report that is already credited, or for
 * a user without such a click at this network
 */
export async function assignReport(tx: Tx, assignment: Assignment, now: Date): Promise<void> {
  const { postbackId, publisher, publisherUserId, offerUid } = assignment
  const { one, reports, isCredited } = await openReports(tx, postbackId)
  if (isCredited) throw mismatch('This report is already credited. It is listed because it rejects an unknown sale.')
  const timeFor = (at: Date) => publisherNow(publisher, { now: () => at })
  const soldAt = one.soldAt ?? timeFor(one.receivedAt)
  const until = one.dateOnly ? new Date(soldAt.getTime() + DAY_MS) : soldAt
  const click = { userId: toUserId(publisher.id, publisherUserId), offerUid, network: one.network }
  const clickSubId = await findNewestClick(tx, publisher.id, click, { from: new Date(0), until })
  if (clickSubId === null)
    throw mismatch('The user followed no link to this offer at this network before the sale, or did so too long ago.')
  await answer(tx, reports, { ...assignment, clickSubId }, now)
  const [format, currency] = [await getFormat(tx, one.network), await findCurrency(tx, offerUid)]
  let saleCurrency = currency
  for (const stored of reports) {
    if (namesCurrency(stored, format)) saleCurrency = stored.currency
    const report = inCurrency(stored, saleCurrency)
    const { added, addedStatus, receivedAt } = report
    const credit = await creditClick(tx, one.network, clickSubId, receivedAt)
    const own = added === null || addedStatus === null ? {} : { amount: added, status: addedStatus, reportedAt: null }
    await storeReport(tx, { ...report, ...own, adds: added !== null, credit })
  }
}

function namesCurrency({ content }: StoredReport, { fields }: Format): boolean {
  return !isAbsent(createFieldFinder(content, fields)('currency').value)
}

/**
 * Converts a report without a currency to that of its sale's earlier reports, or, failing that, to the offer's, which
 * was unknown when the report arrived. Otherwise, the report would create a purchase in a different currency from the
 * sale's other reports, and those would be ignored.
 */
function inCurrency(report: StoredReport, currency: string | null): StoredReport {
  if (currency === null || currency === report.currency) return report
  const { amount, commission, added } = report
  const read = (minor: bigint): bigint | null => toMinorRounded(formatDecimal(minor, report.currency), currency)
  return {
    ...report,
    currency,
    amount: amount === null ? null : read(amount),
    commission: commission === null ? null : read(commission),
    added: added === null ? null : (read(added) ?? added),
  }
}

/**
 * Dismisses all reports of a sale, which then earns nothing.
 * @throws Refusal postback_not_found, postback_settled
 */
export async function dismissReport(tx: Tx, decision: Decision, now: Date): Promise<void> {
  const { reports } = await openReports(tx, decision.postbackId)
  await answer(tx, reports, { ...decision, clickSubId: null }, now)
}

/** Returns the report, along with the undecided reports of its sale. */
async function openReports(tx: Tx, postbackId: string) {
  await lockUncreditedLike(tx, postbackId)
  const all = await listReportsLike(tx, postbackId)
  const one = all.find((report) => report.postbackId === postbackId)
  if (one === undefined || (one.isCredited && one.status !== 'rejected'))
    throw new Refusal<AffiliateRefusal>('postback_not_found', 'The list has no report with this id.')
  if (one.answeredBy !== null) throw settled(one.answeredBy)
  return { one, isCredited: one.isCredited, reports: all.filter(({ answeredBy }) => answeredBy === null) }
}

type Answered = Decision & { readonly clickSubId: string | null }

async function answer(tx: Tx, reports: readonly StoredReport[], answered: Answered, now: Date): Promise<void> {
  const { by: answeredBy, reason, clickSubId } = answered
  const decided = { clickSubId, answeredBy, reason, answeredAt: now }
  const stored = await insertAnswers(
    tx,
    reports.map((report) => ({ ...report, ...decided })),
  )
  if (stored < reports.length) throw settled('someone else')
}

function settled(by: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('postback_settled', `This report was already decided by ${by}.`)
}

function mismatch(message: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('postback_mismatch', message)
}
