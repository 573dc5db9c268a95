import { HOUR_MS } from '../../src/platform/calendar.ts'
import { deriveUuid } from '../../src/platform/ids.ts'
import type { SourceEvent } from '../../src/purchases/transactions/event.ts'
import { foldEvents } from '../../src/purchases/transactions/fold/fold.ts'
import type { SourceEventInput } from '../../src/purchases/transactions/index.ts'
import { toStatements } from '../../src/purchases/transactions/intake/reported-sales.ts'
import type { ReportOfSale as Postback } from '../../src/sources/affiliate/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'

// A network's reports about one sale, folded without a database.

export const publisher = {
  id: deriveUuid<'publisher'>('p'),
  timeZone: 'America/New_York',
  clockOffsetMs: 0,
} as Publisher
export const click = { publisherId: publisher.id, userId: deriveUuid<'user'>('u'), offerUid: 'off_1' }
const START = Date.parse('2026-11-01T12:00:00Z')
export const NOW = new Date(START + 9 * 24 * HOUR_MS)
export const hour = (hours: number): Date => new Date(START + hours * HOUR_MS)

/** A status with its amount in minor units, its item, and further fields. */
export type Line = readonly [Postback['status'], number | null, item?: string | undefined, more?: Partial<Postback>]

/** Parses reports written as "status amount item currency", with a dash for a missing value. */
export const parseLines = (text: string): Line[] =>
  text.split(', ').map((report) => {
    const [status, amount, item, currency] = report.split(' ')
    const more = currency === undefined ? {} : { currency }
    return [status as Postback['status'], amount === '-' ? null : Number(amount), item === '-' ? undefined : item, more]
  })

/** Builds one report per hour, in order of receipt. */
export const buildReports = (lines: readonly Line[]): Postback[] =>
  lines.map(([status, amount, item, more], index) => ({
    postbackId: `pb${index}`,
    network: 'net',
    content: {},
    subId: 'sub',
    click,
    status,
    orderId: '1001',
    transactionId: item ?? null,
    reportId: null,
    reportedAt: null,
    amount: amount === null ? null : BigInt(amount),
    currency: 'USD',
    soldAt: null,
    dateOnly: false,
    lockDays: 45,
    receivedAt: hour(index),
    ...more,
  }))

export function buildEvent(input: SourceEventInput): SourceEvent {
  const occurredAt = input.occurredAt ?? NOW
  return { ...input, occurredAt, receivedAt: occurredAt, eventId: input.externalId, inputHash: Buffer.alloc(0) }
}

export function foldReports(reports: readonly Postback[], others: readonly SourceEvent[] = []) {
  return foldEvents([...toStatements(reports, publisher).map(buildEvent), ...others], 'UTC', NOW)
}

/** Folds a sale. Returns its remaining amount, its clearing day, and, if nothing remains, the reason. */
export function foldSale(reports: readonly Postback[]) {
  const { amount, refunded, clearedOn, emptyReason } = foldReports(reports)
  return { left: amount - refunded, clearedOn, emptyReason }
}
