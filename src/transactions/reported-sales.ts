import { listReportsUpTo, type Postback, type SaleStatus } from '../affiliate/index.ts'
import { startOfDay } from '../platform/calendar.ts'
import type { Tx } from '../platform/database.ts'
import { type Publisher, publisherNow } from '../publishers/index.ts'
import type { EventKind, SourceEventInput } from './event.ts'
import { type Outcome, type TakeUpDeps, takeUpEvents } from './take-up.ts'

const KINDS: Readonly<Record<SaleStatus, EventKind>> = {
  pending: 'AUTHORIZATION',
  approved: 'CLEARING',
  rejected: 'REVERSAL',
}

/** The fact `sale.reported`: turns what a network reported into a source event. Null when it says nothing new. */
export async function takeUpReportedSale(
  tx: Tx,
  deps: TakeUpDeps,
  publisher: Publisher,
  postbackId: string,
  now: Date,
): Promise<Outcome | null> {
  const reports = await listReportsUpTo(tx, publisher.id, postbackId)
  const input = sourceEventOf(reports, publisher)
  if (input === null) return null
  const [outcome] = await takeUpEvents(tx, deps, publisher, [input], now)
  return outcome ?? null
}

/**
 * The source event of the last report, given all earlier ones about its click. An order is one purchase, also where its
 * items are reported one by one: their authorizations add up, and so do their clearings. The purchase has a name of its own
 * (network, offer, order), which every event names as its original, so the reports may come in any order.
 *
 * - The same thing said again with another amount is an AMENDMENT to the new total.
 * - A rejection takes back what was approved, or else shrinks what was pending; an item that is still pending when others
 *   are approved already counts for nothing, so its rejection says nothing new.
 */
export function sourceEventOf(reports: readonly Postback[], publisher: Publisher): SourceEventInput | null {
  const report = reports.at(-1)
  if (report === undefined || report.click === null) return null
  const earlier = reports.slice(0, -1).filter((one) => saleNameOf(one) === saleNameOf(report))
  const kind = KINDS[report.status]
  const said = earlier.filter((one) => one.transactionId === report.transactionId && one.status === report.status)
  const event = (own: Pick<SourceEventInput, 'kind' | 'externalId' | 'originalExternalId' | 'amount'>) =>
    ({ ...common(report, earlier.length === 0, publisher), ...own }) satisfies SourceEventInput
  if (report.status === 'rejected') {
    const taken = rejectionOf(report, earlier)
    return taken === null ? null : event({ ...taken, kind, externalId: eventNameOf(report, said.length > 0) })
  }
  const amount = report.amount ?? 0n
  const originalExternalId = saleNameOf(report)
  if (said.length === 0) return event({ kind, amount, originalExternalId, externalId: eventNameOf(report, false) })
  const stale = report.status === 'pending' && earlier.some((one) => one.status === 'approved')
  if (stale || said.at(-1)?.amount === report.amount) return null
  const total = totalOf([...earlier, report].filter((one) => one.status === report.status))
  return event({ kind: 'AMENDMENT', amount: total, originalExternalId, externalId: eventNameOf(report, true) })
}

function rejectionOf(report: Postback, earlier: readonly Postback[]) {
  const ofItem = earlier.filter((one) => one.transactionId === report.transactionId && one.status !== 'rejected')
  const approved = ofItem.findLast((one) => one.status === 'approved')
  const pending = ofItem.findLast((one) => one.status === 'pending')
  const othersApproved = earlier.some((one) => one.status === 'approved')
  if (approved === undefined && othersApproved) return null
  const amount = report.amount ?? (approved ?? pending)?.amount ?? null
  if (amount === null) return null
  const first = approved === undefined ? ofItem.find((one) => one.status === 'pending') : undefined
  return { amount, originalExternalId: first === undefined ? saleNameOf(report) : eventNameOf(first, false) }
}

/** What all items come to, each by its latest report. */
function totalOf(reports: readonly Postback[]): bigint {
  const latest = new Map(reports.map((report) => [report.transactionId, report.amount ?? 0n]))
  return [...latest.values()].reduce((sum, amount) => sum + amount, 0n)
}

/** Order numbers are an advertiser's own, so two advertisers of one network may both have a number 1001. */
function saleNameOf(report: Postback): string {
  return report.orderId === null
    ? `${report.network}:${report.transactionId}`
    : `${report.network}:${report.click?.offerUid}:${report.orderId}`
}

function eventNameOf(report: Postback, repeated: boolean): string {
  const item = report.orderId === null || report.transactionId === null ? '' : `:${report.transactionId}`
  const kind = KINDS[report.status].toLowerCase()
  return `${saleNameOf(report)}${item}:${kind}${repeated ? `:${report.postbackId}` : ''}`
}

function common(report: Postback, first: boolean, publisher: Publisher) {
  if (report.click === null) throw new Error('a sale whose click is unknown is nobody’s purchase')
  return {
    userId: report.click.userId,
    source: 'AFFILIATE' as const,
    currency: report.currency,
    ...whenOf(report, first, publisher),
    facts: {
      offerUid: report.click.offerUid,
      isFromClick: true as const,
      ...(report.orderId === null ? {} : { orderId: report.orderId }),
    },
  }
}

/** The date of a report is the date of the sale: it dates the first thing said of it. What is said later happens when it is said. */
function whenOf(report: Postback, first: boolean, publisher: Publisher) {
  if (report.soldAt === null || !first)
    return { occurredAt: publisherNow(publisher, { now: () => report.receivedAt }), dateOnly: false }
  const occurredAt = report.dateOnly
    ? startOfDay(report.soldAt.toISOString().slice(0, 10), publisher.timeZone)
    : report.soldAt
  return { occurredAt, dateOnly: report.dateOnly }
}
