import { SHARED_BOOKS } from '../../ledger/index.ts'
import { toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { listLastStatements, type ReceivableRow } from './receivables-queries.ts'
import { charge, type Open, sumByAge } from './statements/ageing-rules.ts'
import type { StatementDocument } from './statements/document.ts'
import { getClosing, getOpen } from './statements/rules.ts'

type Aged = {
  /** The month of the last statement; null if there is none. */
  readonly month: string | null
  /** Charges minus payments, counting only those that are not in any statement yet. */
  readonly sinceStatement: bigint
  readonly open: Open
  readonly ages: ReturnType<typeof sumByAge>
}
export type Receivable = ReceivableRow & { readonly aged: Aged | null }

/**
 * Adds the ages of receivables as of the current month: the open amounts of the last statement plus bookings since
 * then. Amounts credited since then reduce the oldest month. In production, advertisers owe for all publishers
 * combined, so the receivables of a single publisher have no ages.
 */
export async function addAges(reader: Reader, rows: readonly ReceivableRow[], clock: Clock): Promise<Receivable[]> {
  const publisherId = rows[0]?.publisherId ?? null
  const publisher = publisherId === null ? null : await getPublisher(reader, publisherId)
  if (publisher?.environment === 'production') return rows.map((row) => ({ ...row, aged: null }))
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
    return { ...row, aged: agedIn(month, row.balance, statement) }
  })
}

function agedIn(month: string, balance: bigint, statement: StatementDocument | null): Aged {
  const sinceStatement = balance - (statement === null ? 0n : getClosing(statement, 'advertiser_receivable'))
  const { open } = charge(getOpen(statement), month, sinceStatement)
  return { month: statement?.month ?? null, sinceStatement, open, ages: sumByAge(open, month) }
}
