import { createHash } from 'node:crypto'
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
): SourceEventInput[] {
  const seen = new Map<string, number>()
  const named = rows.map((row) => {
    const content = JSON.stringify([publisherUserId, row.day, row.description, String(row.spent), publisher.currency])
    const occurrence = (seen.get(content) ?? 0) + 1
    seen.set(content, occurrence)
    return { row, externalId: idOf(`${occurrence}:${content}`) }
  })
  const refunds = pairRefunds(named)
  return named.map(({ row, externalId }) => {
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

/**
 * Which purchase a credit gives back, where that is certain: the latest one before it with the same description and
 * amount. All other credits (salaries, payments, parts) are refunds of something unknown, and take nothing back.
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
