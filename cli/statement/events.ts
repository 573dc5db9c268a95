import { createHash } from 'node:crypto'
import { deriveTemplate } from '../../src/catalog/merchants/index.ts'
import { type Day, startOfDay, toDay } from '../../src/platform/calendar.ts'
import { toUserId } from '../../src/platform/ids.ts'
import type { SourceEventInput, StoredCardEvent } from '../../src/purchases/transactions/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import type { StatementRow } from './statement.ts'

/** The user and the currency of a statement. */
type Origin = {
  readonly publisher: Pick<Publisher, 'id' | 'timeZone'>
  readonly publisherUserId: string
  readonly currency: string
}

/**
 * Turns the rows of a statement into source events. Rows have no id, so one is derived from the user, the content of
 * the row, and how often that content has already appeared in the file. Importing the same file again yields the same
 * events, and a longer file that contains it adds only the new rows. Banks vary the letter case of a row between
 * exports, so case is ignored, and a row that is already stored retains its id and text. The content of an event must
 * not depend on the rest of the file, so a credit does not reference a purchase; it is matched later, among all of the
 * user's purchases. Events are ordered by day, with purchases first, so that every purchase precedes the credits that
 * might refund it.
 *
 * @param stored the user's events from earlier statements
 */
export function buildEvents(
  { publisher, publisherUserId, currency }: Origin,
  rows: readonly StatementRow[],
  leadsToBrand: (description: string) => boolean,
  stored: readonly StoredCardEvent[] = [],
): SourceEventInput[] {
  const toRowKey = (day: Day, description: string, spent: bigint, of: string): string =>
    JSON.stringify([publisherUserId, day, ignoringCase(description), String(spent), of])
  const known = Map.groupBy(stored, ({ occurredAt, kind, amount, merchantDescriptor, ...one }) =>
    toRowKey(
      toDay(occurredAt, publisher.timeZone),
      merchantDescriptor,
      kind === 'REFUND' ? -amount : amount,
      one.currency,
    ),
  )
  const seen = new Map<string, number>()
  const named = rows.map((row): Named => {
    const rowKey = toRowKey(row.day, row.description, row.spent, currency)
    const occurrence = (seen.get(rowKey) ?? 0) + 1
    seen.set(rowKey, occurrence)
    const before = known.get(rowKey)?.[occurrence - 1]
    if (before === undefined) return { row, externalId: deriveId(`${occurrence}:${rowKey}`) }
    return { row: { ...row, description: before.merchantDescriptor }, externalId: before.externalId }
  })
  const spent = rows.filter((row) => row.spent > 0n)
  const bought = new Set(spent.map(toContent))
  const merchants = new Set(spent.flatMap((row) => findName(row) ?? []))
  const isEvent = ({ row }: Named) =>
    row.spent > 0n || bought.has(toContent(row)) || isRefund(row, merchants, leadsToBrand)
  return named
    .filter(isEvent)
    .toSorted(purchasesFirst)
    .map(({ row, externalId }) => ({
      userId: toUserId(publisher.id, publisherUserId),
      source: 'CARD',
      externalId,
      kind: row.spent > 0n ? 'CLEARING' : 'REFUND',
      originalExternalId: null,
      amount: getAmount(row),
      currency,
      occurredAt: startOfDay(row.day, publisher.timeZone),
      dateOnly: true,
      facts: { merchantDescriptor: row.description },
    }))
}

/** The prefix of the ids derived from statement rows. */
export const STATEMENT_ID_PREFIX = 'statement:'

function deriveId(content: string): string {
  return STATEMENT_ID_PREFIX + createHash('sha256').update(content).digest('hex').slice(0, 40)
}

/**
 * Folds letter case to upper case. Most banks use upper case, so their rows keep the ids they had before case was
 * ignored.
 */
function ignoringCase(description: string): string {
  return description.toUpperCase()
}

type Named = { readonly row: StatementRow; readonly externalId: string }

/** Words that banks use for incoming money other than refunds. */
const MONEY_IN =
  /\b(payroll|pyrl|payrll|ppd|ach credit|salary|wages?|dir(?:ect)? ?dep|deposit|interest|dividends?|transfer|xfer|zelle|venmo|payment|pymt|autopay|thank you|tax|irs|benefits?|loan|disbursement|atm|checks?|cash ?back|rewards?)\b/i
const MONEY_BACK = /\b(refund|return|reversal|merchandise credit)/i

/**
 * True if a credit is a refund: its text says so, it comes from a merchant where the user spent money, or it comes from
 * a brand.
 */
function isRefund(
  row: StatementRow,
  merchants: ReadonlySet<string>,
  leadsToBrand: (description: string) => boolean,
): boolean {
  const { description } = row
  if (MONEY_IN.test(description)) return false
  return MONEY_BACK.test(description) || merchants.has(findName(row) ?? '') || leadsToBrand(description)
}

function findName({ description }: StatementRow): string | null {
  return deriveTemplate({ merchantDescriptor: description })
}

/** Returns the content that a purchase and its full refund have in common. */
function toContent(row: StatementRow): string {
  return JSON.stringify([ignoringCase(row.description), String(getAmount(row))])
}

function getAmount({ spent }: StatementRow): bigint {
  return spent > 0n ? spent : -spent
}

function purchasesFirst({ row: a }: Named, { row: b }: Named): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  return Number(a.spent < 0n) - Number(b.spent < 0n)
}
