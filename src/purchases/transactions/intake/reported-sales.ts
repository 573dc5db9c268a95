import type { Tx } from '../../../platform/db/database.ts'
import { listReportsOfSale, type ReportedStatus, type ReportOfSale } from '../../../sources/affiliate/index.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { EventKind, SourceEventInput } from '../event.ts'
import { type IntakeDeps, ingestEvents, type Outcome } from './intake.ts'

const KINDS: Readonly<Record<ReportedStatus, EventKind>> = {
  pending: 'AUTHORIZATION',
  approved: 'CLEARING',
  rejected: 'REVERSAL',
  amended: 'AMENDMENT',
}

/**
 * Handles `sale.reported`: ingests each of the network's reports of a sale as a source event. Stored reports remain
 * unchanged. Returns null for a sale that was only ever rejected, because it is not a purchase.
 */
export async function ingestReportedSale(
  tx: Tx,
  deps: IntakeDeps,
  publisher: Publisher,
  postbackId: string,
  now: Date,
): Promise<Outcome | null> {
  const reports = await listReportsOfSale(tx, publisher.id, postbackId)
  const inputs = toStatements(reports, publisher)
  const outcomes = await ingestEvents(tx, deps, publisher, inputs, now)
  return outcomes[reports.findIndex((report) => report.postbackId === postbackId)] ?? null
}

/**
 * Returns a sale's statements as source events (docs/purchase-events.md), in report order. Each references the sale as
 * its original and lists the sale's other names as aliases, so that all of them join one purchase in any arrival order.
 */
export function toStatements(reports: readonly ReportOfSale[], publisher: Publisher): SourceEventInput[] {
  const sale = reports.find(({ status }) => status !== 'rejected')
  if (sale === undefined) return []
  const names = new Set(reports.map(toSaleName))
  return reports.flatMap((report) => {
    const statement = toStatement(report, sale, publisher)
    const aliases = [...names].filter((name) => name !== toSaleName(report))
    return statement === null ? [] : [aliases.length === 0 ? statement : { ...statement, aliases }]
  })
}

function toStatement(report: ReportOfSale, sale: ReportOfSale, publisher: Publisher): SourceEventInput | null {
  const { click, status, orderId, transactionId, soldAt, dateOnly, reportedAt, receivedAt } = report
  if (click === null) return null
  const isRejected = status === 'rejected'
  const bought = soldAt?.toISOString()
  // The first report of an item may be its rejection, which then states the amount at which the item was bought.
  const isOfItem = transactionId !== null && report.currency === sale.currency
  return {
    userId: click.userId,
    source: 'AFFILIATE',
    externalId: `${toSaleName(report)}:${report.postbackId}`,
    kind: KINDS[status],
    originalExternalId: toSaleName(report),
    amount: isRejected && !isOfItem ? 0n : (report.amount ?? 0n),
    currency: isRejected ? sale.currency : report.currency,
    occurredAt: reportedAt ?? publisherNow(publisher, { now: () => receivedAt }),
    dateOnly: false,
    facts: {
      offerUid: click.offerUid,
      isFromClick: true,
      ...(orderId === null ? {} : { orderId }),
      stated: {
        item: transactionId ?? '',
        ...(bought === undefined ? {} : { soldAt: dateOnly ? bought.slice(0, 10) : bought }),
        ...(reportedAt === null ? {} : { isTimed: true }),
        lockDays: report.lockDays,
      },
    },
  }
}

/** Order numbers are unique only within a network's advertiser. */
function toSaleName({ network, click, orderId, transactionId }: ReportOfSale): string {
  return orderId === null ? `${network}:${transactionId}` : `${network}:${click?.offerUid}:${orderId}`
}
