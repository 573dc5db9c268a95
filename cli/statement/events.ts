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
 * contains it adds only what is new.
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
  const refunds = pairRefunds(named)
  const merchants = new Set(rows.flatMap((row) => (row.spent > 0n ? (nameOf(row) ?? []) : [])))
  const isEvent = ({ row, externalId }: Named) =>
    row.spent > 0n || refunds.has(externalId) || isRefund(row, merchants, leadsToBrand)
  return named.filter(isEvent).map(({ row, externalId }) => {
    const original = refunds.get(externalId) ?? null
    return {
      userId: userIdOf(publisher.id, publisherUserId),
      source: 'CARD',
      // What a credit gives back is part of its name: a file that begins between the two knows less than one with both.
      externalId: original === null ? externalId : idOf(`${externalId} of ${original}`),
      kind: row.spent > 0n ? 'CLEARING' : 'REFUND',
      originalExternalId: original,
      amount: row.spent > 0n ? row.spent : -row.spent,
      currency: publisher.currency,
      occurredAt: startOfDay(row.day, publisher.timeZone),
      dateOnly: true,
      facts: { merchantDescriptor: row.description },
    }
  })
}

function idOf(content: string): string {
  return `statement:${createHash('sha256').update(content).digest('hex').slice(0, 40)}`
}

type Named = { readonly row: StatementRow; readonly externalId: string }

/** What banks write beside money that nobody gives back for a purchase. */
const MONEY_IN =
  /\b(payroll|salary|wages?|pension|direct dep|deposit|interest|dividends?|transfer|xfer|zelle|venmo|payment|pymt|autopay|thank you|tax|irs|benefits?|loan|disbursement|atm|checks?|cash ?back|rewards?)\b/i
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

/**
 * Which purchase a credit gives back, where the file alone makes that certain: the latest one before it with the same
 * description and amount. Other refunds look for theirs among all purchases of the user.
 */
function pairRefunds(named: readonly Named[]): Map<string, string> {
  const ordered = named.toSorted((a, b) =>
    a.row.day === b.row.day ? Number(a.row.spent < 0n) - Number(b.row.spent < 0n) : a.row.day < b.row.day ? -1 : 1,
  )
  const open = new Map<string, string[]>()
  const pairs = new Map<string, string>()
  for (const { row, externalId } of ordered) {
    const name = JSON.stringify([row.description, String(row.spent > 0n ? row.spent : -row.spent)])
    if (row.spent > 0n) open.set(name, [...(open.get(name) ?? []), externalId])
    const purchase = row.spent < 0n ? open.get(name)?.pop() : undefined
    if (purchase !== undefined) pairs.set(externalId, purchase)
  }
  return pairs
}
