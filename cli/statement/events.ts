import { createHash } from 'node:crypto'
import { templateOf } from '../../src/merchants/index.ts'
import { type Day, dayOf, startOfDay } from '../../src/platform/calendar.ts'
import { userIdOf } from '../../src/platform/ids.ts'
import type { Publisher } from '../../src/publishers/index.ts'
import type { SourceEventInput, StoredCardEvent } from '../../src/transactions/index.ts'
import type { StatementRow } from './statement.ts'

/** The owner and the currency of a statement. */
type Origin = {
  readonly publisher: Pick<Publisher, 'id' | 'timeZone'>
  readonly publisherUserId: string
  readonly currency: string
}

/**
 * Turns the rows of a statement into source events. A row has no id, so its id is derived from whose it is, what it
 * says and how often the file has said it before: the same file again names the same events, and a longer one that
 * contains it adds only what is new. Banks export the same row in varying letter case, so case is ignored, and a row
 * that is stored is repeated as it was stored. So the content of an event cannot depend on the rest of the file, and a
 * credit names no purchase: it looks for its own among all purchases of the user. Events are in the order of their
 * days, on each day purchases first, so that a credit does not look before its purchase is known.
 *
 * @param stored the user's events from earlier statements
 */
export function eventsOf(
  { publisher, publisherUserId, currency }: Origin,
  rows: readonly StatementRow[],
  leadsToBrand: (description: string) => boolean,
  stored: readonly StoredCardEvent[] = [],
): SourceEventInput[] {
  const rowKeyOf = (day: Day, description: string, spent: bigint, of: string): string =>
    JSON.stringify([publisherUserId, day, ignoringCase(description), String(spent), of])
  const known = Map.groupBy(stored, ({ occurredAt, kind, amount, merchantDescriptor, ...one }) =>
    rowKeyOf(
      dayOf(occurredAt, publisher.timeZone),
      merchantDescriptor,
      kind === 'REFUND' ? -amount : amount,
      one.currency,
    ),
  )
  const seen = new Map<string, number>()
  const named = rows.map((row): Named => {
    const rowKey = rowKeyOf(row.day, row.description, row.spent, currency)
    const occurrence = (seen.get(rowKey) ?? 0) + 1
    seen.set(rowKey, occurrence)
    const before = known.get(rowKey)?.[occurrence - 1]
    if (before === undefined) return { row, externalId: idOf(`${occurrence}:${rowKey}`) }
    return { row: { ...row, description: before.merchantDescriptor }, externalId: before.externalId }
  })
  const spent = rows.filter((row) => row.spent > 0n)
  const bought = new Set(spent.map(contentOf))
  const merchants = new Set(spent.flatMap((row) => nameOf(row) ?? []))
  const isEvent = ({ row }: Named) =>
    row.spent > 0n || bought.has(contentOf(row)) || isRefund(row, merchants, leadsToBrand)
  return named
    .filter(isEvent)
    .toSorted(purchasesFirst)
    .map(({ row, externalId }) => ({
      userId: userIdOf(publisher.id, publisherUserId),
      source: 'CARD',
      externalId,
      kind: row.spent > 0n ? 'CLEARING' : 'REFUND',
      originalExternalId: null,
      amount: amountOf(row),
      currency,
      occurredAt: startOfDay(row.day, publisher.timeZone),
      dateOnly: true,
      facts: { merchantDescriptor: row.description },
    }))
}

/** The prefix of the ids of a statement's rows. */
export const STATEMENT_ID_PREFIX = 'statement:'

function idOf(content: string): string {
  return STATEMENT_ID_PREFIX + createHash('sha256').update(content).digest('hex').slice(0, 40)
}

/** In upper case, as most banks write, so that the ids of their rows are those from before case was ignored. */
function ignoringCase(description: string): string {
  return description.toUpperCase()
}

type Named = { readonly row: StatementRow; readonly externalId: string }

/** What banks write beside money that nobody gives back for a purchase. */
const MONEY_IN =
  /\b(payroll|pyrl|payrll|ppd|ach credit|salary|wages?|dir(?:ect)? ?dep|deposit|interest|dividends?|transfer|xfer|zelle|venmo|payment|pymt|autopay|thank you|tax|irs|benefits?|loan|disbursement|atm|checks?|cash ?back|rewards?)\b/i
const MONEY_BACK = /\b(refund|return|reversal|merchandise credit)/i

/** Whether a credit is one of a shop's: it says so, or comes from where money was spent, or from a brand. */
function isRefund(
  row: StatementRow,
  merchants: ReadonlySet<string>,
  leadsToBrand: (description: string) => boolean,
): boolean {
  const { description } = row
  if (MONEY_IN.test(description)) return false
  return MONEY_BACK.test(description) || merchants.has(nameOf(row) ?? '') || leadsToBrand(description)
}

function nameOf({ description }: StatementRow): string | null {
  return templateOf({ merchantDescriptor: description })
}

/** What a purchase and the credit of the whole of it have in common. */
function contentOf(row: StatementRow): string {
  return JSON.stringify([ignoringCase(row.description), String(amountOf(row))])
}

function amountOf({ spent }: StatementRow): bigint {
  return spent > 0n ? spent : -spent
}

function purchasesFirst({ row: a }: Named, { row: b }: Named): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return Number(a.spent < 0n) - Number(b.spent < 0n)
}
