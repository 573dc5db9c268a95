import { SHARED_BOOKS } from '../../ledger/index.ts'
import { toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import type { Receivable, ReceivableAges, ReceivableRow } from './receivable.ts'
import { listLastStatements } from './receivables-queries.ts'
import { charge, sumByAge } from './statements/ageing-rules.ts'
import type { StatementDocument } from './statements/document.ts'
import { getClosing, getOpen } from './statements/rules.ts'

/**
 * Adds the ages of receivables as of the current month: the open amounts of the last statement plus bookings since
 * then. Amounts credited since then reduce the oldest month. In production, advertisers owe for all publishers
 * combined, so the receivables of a single publisher have no ages.
 */
export async function addAges(reader: Reader, rows: readonly ReceivableRow[], clock: Clock): Promise<Receivable[]> {
  const publisherId = rows[0]?.publisherId ?? null
  const publisher = publisherId === null ? null : await getPublisher(reader, publisherId)
  if (publisher?.environment === 'production') return rows.map((row) => ({ ...row, ageing: null }))
  const last = await listLastStatements(
    reader,
    publisher?.id ?? SHARED_BOOKS,
    rows.map(({ brandUid }) => brandUid),
  )
  const documents = new Map(last.map(({ party, currency, document }) => [`${currency} ${party}`, document]))
  const now = publisher === null ? clock.now() : publisherNow(publisher, clock)
  const month = toDay(now, publisher?.timeZone ?? 'UTC').slice(0, 7)
  return rows.map((row) => {
    const document = documents.get(`${row.currency} ${row.brandUid}`)
    const statement = document === undefined ? null : (JSON.parse(document) as StatementDocument)
    return { ...row, ageing: computeAges(month, row, statement) }
  })
}

function computeAges(
  month: string,
  { balance, currency }: ReceivableRow,
  statement: StatementDocument | null,
): ReceivableAges {
  const sinceStatement = balance - (statement === null ? 0n : getClosing(statement, 'advertiser_receivable'))
  const { open } = charge(getOpen(statement), month, sinceStatement)
  const [current, upTo30, upTo60, upTo90, over90] = sumByAge(open, month)
  const ages = { current, upTo30, upTo60, upTo90, over90, credit: open.credit }
  return { statementMonth: statement?.month ?? null, sinceStatement, ...ages, currency }
}
