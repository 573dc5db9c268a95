import { createHash } from 'node:crypto'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { Database, Reader, Tx } from '../../../platform/db/database.ts'
import { toMinorRounded } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { getFormat } from '../networks.ts'
import type { Content, SaleStatus } from '../rules.ts'
import { listContents } from '../sales/postback-queries.ts'
import type { Sale } from '../sales/read-sale.ts'
import { receivePostback } from '../sales/receive.ts'
import { sumRecords } from '../sales/sum-of-records.ts'
import { advanceImport, beginImport, endImport, lockPosition, type ReportImport } from './import-queries.ts'
import { type ReadRow, readReport, reportRefusal } from './read-report.ts'
import { readReportInThread } from './read-report-in-thread.ts'

/** The outcome of importing a report. */
type Imported = {
  readonly rows: number
  /** The number of rows with new information. */
  readonly taken: number
  /** The number of these rows that are not credited to any click and are listed for operators. */
  readonly unmatched: number
}

// A batch's clicks stay locked until it commits, which takes less than a second.
const BATCH_ROWS = 200
// Network reports cover a few months at most, so later reports contain any rows that an older one left unread.
const STALE_MS = 90 * DAY_MS

/**
 * Returns the number of rows in a report, if all of them are readable.
 * @throws Refusal report_invalid, network_invalid
 */
export async function checkReport(reader: Reader, network: string, text: string): Promise<{ readonly rows: number }> {
  return { rows: readReport(text, await getFormat(reader, network)).length }
}

/**
 * The final state of an order in a report, or of an item reported without an order. Orders with the same number at
 * several advertisers are added up.
 */
export type SaleOfReport = {
  readonly orderId: string | null
  readonly transactionId: string | null
  readonly subIds: readonly string[]
  /** Null if the report amends only the amount. */
  readonly status: SaleStatus | null
  /** The amounts of all items that are not rejected: minor units by currency. */
  readonly amounts: ReadonlyMap<string, bigint>
}

/**
 * Reads the sales in a report without applying anything. Uses each item's last row, or the sum of its records if they
 * are additive.
 * @param findCurrencies returns currencies by sale, for sales whose rows state none
 * @throws Refusal report_invalid that lists each invalid line, network_invalid
 */
export async function readReportSales(
  reader: Reader,
  network: string,
  text: string,
  findCurrencies: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<SaleOfReport[]> {
  const rows = readReport(text, await getFormat(reader, network)).map(({ sale }) => sale)
  const orders = Map.groupBy(rows, ({ orderId, transactionId }) => orderId ?? transactionId ?? '')
  const currencies = await findCurrencies([...orders.keys()])
  return [...orders].map(([name, ofOrder]) => combineRows(ofOrder, currencies.get(name)))
}

function combineRows(rows: readonly Sale[], known: string | undefined): SaleOfReport {
  const findCurrency = (named: readonly Sale[]) => named.find(({ currency }) => currency !== null)?.currency
  const ofOrder = findCurrency(rows) ?? known ?? 'USD'
  const items = [
    ...Map.groupBy(rows, ({ subId, transactionId }) => JSON.stringify([subId, transactionId])).values(),
  ].map((ofItem) => {
    const [first] = ofItem
    const currency = findCurrency(ofItem) ?? ofOrder
    const toMinorUnits = ({ amount }: Sale) => (amount === null ? 0n : (toMinorRounded(amount, currency) ?? 0n))
    const records = ofItem.map((row) => ({ reportId: row.reportId, amount: toMinorUnits(row), status: row.status }))
    const state = records.findLast(({ status }) => status !== 'amended')?.status
    const { status, amount } =
      first?.adds === true ? sumRecords(records) : { status: state, amount: records.at(-1)?.amount ?? 0n }
    return { status: state === undefined ? null : status, amount, currency }
  })
  const standing = items.filter(({ status }) => status !== 'rejected')
  const states = new Set(standing.map(({ status }) => status))
  return {
    orderId: rows[0]?.orderId ?? null,
    transactionId: rows[0]?.transactionId ?? null,
    subIds: rows.flatMap(({ subId }) => (subId === '' ? [] : [subId.toLowerCase()])),
    status:
      standing.length === 0 ? 'rejected' : states.has('pending') ? 'pending' : states.has(null) ? null : 'approved',
    amounts: standing.reduce(
      (sums, { amount, currency }) => sums.set(currency, (sums.get(currency) ?? 0n) + amount),
      new Map<string, bigint>(),
    ),
  }
}

/**
 * Imports each row of a network's report as a postback from this network, or none if any row is unreadable. Each batch
 * is a separate transaction. Importing the same report again resumes where the last run stopped, whether it hit a
 * rejected row, such as one dated in the future, or the process died. `laurel networks list` shows the number of unread
 * rows. Rows without new information change nothing. Rows are imported in sequence, because the effect of a correction
 * depends on earlier rows. Unchanged rows, by far the most common, share one lookup per batch.
 * @throws Refusal report_invalid that lists each invalid line, network_invalid
 */
export async function importReport(db: Database, network: string, text: string, now: Date): Promise<Imported> {
  const format = await getFormat(db.reader, network)
  const rows = await readReportInThread(text, format)
  const sha256 = createHash('sha256').update(toText({ format })).update(text).digest()
  const report = { network, sha256, rows: rows.length }
  await db.transaction((tx) => beginImport(tx, report, now))
  let [taken, unmatched] = [0, 0]
  for (;;) {
    const batch = await db.transaction((tx) => takeBatch(tx, report, rows, now))
    if (batch === null) return { rows: rows.length, taken, unmatched }
    taken += batch.taken
    unmatched += batch.unmatched
  }
}

/** Imports the next rows of a report. Returns null if all have been read, perhaps by another process. */
async function takeBatch(
  tx: Tx,
  report: ReportImport,
  rows: readonly ReadRow[],
  now: Date,
): Promise<Omit<Imported, 'rows'> | null> {
  const position = await lockPosition(tx, report)
  if (position === null) return null
  const next = rows.slice(position, position + BATCH_ROWS)
  const faults: string[] = []
  let [taken, unmatched] = [0, 0]
  for (const { line, sale, content } of await changedAmong(tx, report.network, next)) {
    try {
      const { known, repeated } = await receivePostback(tx, report.network, sale, content, now)
      if (!repeated) taken++
      if (!repeated && !known) unmatched++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push(`line ${line}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw reportRefusal(faults)
  if (position + next.length < rows.length) await advanceImport(tx, report, position + next.length, now)
  else await endImport(tx, report, new Date(now.getTime() - STALE_MS))
  return { taken, unmatched }
}

/** Selects the rows that differ from the last report of the same item or record. */
async function changedAmong(tx: Tx, network: string, rows: readonly ReadRow[]): Promise<ReadRow[]> {
  const sales = rows.map(({ sale }) => sale)
  const known = await listContents(tx, network, {
    orderIds: sales.flatMap(({ orderId }) => orderId ?? []),
    transactionIds: sales.flatMap(({ orderId, transactionId }) => (orderId === null ? (transactionId ?? []) : [])),
  })
  const adds = sales[0]?.adds === true
  const last = new Map(known.map((stored) => [toKey(stored, adds), toText(stored.content)]))
  return rows.filter(({ sale, content }) => {
    const [key, text] = [toKey(sale, adds), toText(content)]
    const isKnown = last.get(key) === text
    last.set(key, text)
    return !isKnown
  })
}

/** Returns the key of a report's subject: an item of an order, or one of its records. */
function toKey({ orderId, transactionId, reportId }: Named, adds: boolean): string {
  return JSON.stringify([orderId, transactionId, adds ? reportId : null])
}
type Named = Pick<Sale, 'orderId' | 'transactionId' | 'reportId'>

/** Serializes content so that equal contents yield equal strings, regardless of member order. */
function toText(content: Content): string {
  return JSON.stringify(content, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
