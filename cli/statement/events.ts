import { createHash } from 'node:crypto'
import { templateOf } from '../../src/merchants/index.ts'
import { startOfDay } from '../../src/platform/calendar.ts'
import { userIdOf } from '../../src/platform/ids.ts'
import type { Publisher } from '../../src/publishers/index.ts'
import type { SourceEventInput } from '../../src/transactions/index.ts'
import type { StatementRow } from './read.ts'

/**
 * Turns the rows of a statement into source events. A row has no id, so its id is derived from whose it is, what it
 * says and how often the file has said it before: the same file again names the same events, and a longer one that
 * contains it adds only what is new. So the content of an event cannot depend on the rest of the file, and a credit
 * names no purchase: it looks for its own among all purchases of the user. Events are in the order of their days, on
 * each day purchases first, so that a credit does not look before its purchase is known.
 */
export function eventsOf(
  publisher: Publisher,
  publisherUserId: string,
  rows: readonly StatementRow[],
  leadsToBrand: (description: string) => boolean,
): SourceEventInput[] {
  const seen = new Map<string, number>()
  const named = rows.map((row) => {
    const content = JSON.stringify([publisherUserId, row.day, row.description, String(row.spent), publisher.currency])
    const occurrence = (seen.get(content) ?? 0) + 1
    seen.set(content, occurrence)
    return { row, externalId: idOf(`${occurrence}:${content}`) }
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
      currency: publisher.currency,
      occurredAt: startOfDay(row.day, publisher.timeZone),
      dateOnly: true,
      facts: { merchantDescriptor: row.description },
    }))
}

function idOf(content: string): string {
  return `statement:${createHash('sha256').update(content).digest('hex').slice(0, 40)}`
}

type Named = { readonly row: StatementRow; readonly externalId: string }

/** What banks write beside money that nobody gives back for a purchase. */
const MONEY_IN =
  /\b(payroll|pyrl|payrll|ppd|ach credit|salary|wages?|pension|dir(?:ect)? ?dep|deposit|interest|dividends?|transfer|xfer|zelle|venmo|payment|pymt|autopay|thank you|tax|irs|benefits?|loan|disbursement|atm|checks?|cash ?back|rewards?)\b/i
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
  return JSON.stringify([row.description, String(amountOf(row))])
}

function amountOf({ spent }: StatementRow): bigint {
  return spent > 0n ? spent : -spent
}

function purchasesFirst({ row: a }: Named, { row: b }: Named): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return Number(a.spent < 0n) - Number(b.spent < 0n)
}
