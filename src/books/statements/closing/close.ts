import { recordEvents } from '../../../events/index.ts'
import { SHARED_BOOKS, takeCut } from '../../../ledger/index.ts'
import { type Database, type Tx, withSavepoint } from '../../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import {
  getPublisher,
  listMovingPublishers,
  listPublishers,
  type Publisher,
} from '../../../tenants/publishers/index.ts'
import type { SettlementRefusal } from '../errors.ts'
import { endOfMonth, findCloseFault, type Month, monthAfter } from '../month-rules.ts'
import { HEADING } from '../statements/heading.ts'
import {
  countStatementsByBooks,
  type MonthlyStatement,
  type StatementTotal,
  sumStatements,
} from '../statements/queries.ts'
import { addUpActivity, findBookedFrom, type PeriodBound } from './activity-queries.ts'
import { type Books, drawUpStatements } from './draw-up.ts'
import { insertClosings, listClosings, lockClosings, type MonthClosing } from './queries.ts'

type Asked = {
  readonly month: Month
  /** The publisher to close; null for all of production, including its advertisers and the service. */
  readonly publisherId: PublisherId | null
}
type ClosedBooks = {
  readonly books: string
  readonly endsAt: Date
  readonly cutAt: string
  readonly statements: number
}

export type ClosedMonth = {
  readonly closed: readonly ClosedBooks[]
  readonly totals: readonly StatementTotal[]
  readonly isNew: boolean
}

/**
 * Takes the cut that closing a month requires: every booking up to that instant is committed. This is a separate step
 * because the cut itself must be committed before the month is closed.
 * @throws Refusal bookings_open
 */
export async function openCut(db: Database, waitMaxMs: number): Promise<string> {
  const cut = await takeCut(db, waitMaxMs)
  if (cut === null) throw bookingsOpen()
  return cut
}

/**
 * Closes a month: draws up the statements of all parties in one pass over the journals, in constant memory. Idempotent,
 * because books whose month is already closed do not change.
 * @throws Refusal publisher_not_found, month_out_of_order, month_not_over, bookings_open
 */
export async function closeMonth(
  tx: Tx,
  { month, publisherId }: Asked,
  { cut, by, realNow }: { readonly cut: string; readonly by: string; readonly realNow: Date },
): Promise<ClosedMonth> {
  await lockClosings(tx)
  const books = await listBooks(tx, publisherId)
  const names = books.map(({ name }) => name)
  const known = await listClosings(tx, names, month)
  const open = books.filter(
    ({ name, publisher }) =>
      !known.some((one) => one.books === name && one.month === month) &&
      // If a publisher's first closed month is later than this one, that month's statement contains the earlier
      // bookings.
      !(publisherId === null && publisher !== null && known.some((one) => one.books === name && one.month > month)),
  )
  for (const one of open) refuseUnlessDue(one, month, known, realNow)
  if (known.some(({ cutAt }) => open.length > 0 && cutAt >= cut)) throw bookingsOpen()
  if (open.length > 0) await close(tx, open, { month, known, cut, by, realNow })
  const [closings, counts] = [await listClosings(tx, names, month), await countStatementsByBooks(tx, names, month)]
  const closed = closings.filter((one) => one.month === month)
  return {
    closed: closed.map((one) => ({ ...one, statements: counts.get(one.books) ?? 0 })),
    totals: await sumStatements(tx, names, month),
    isNew: open.length > 0,
  }
}

/**
 * Dry run of closeMonth: closes the month, rolls everything back, and returns the result.
 * @throws the same refusals as closeMonth
 */
export async function closeDryRun(...of: Parameters<typeof closeMonth>): Promise<ClosedMonth> {
  const [tx] = of
  let tried: ClosedMonth = { closed: [], totals: [], isNew: false }
  await withSavepoint(tx, 'closing', async () => {
    tried = await closeMonth(...of)
    return false
  })
  return tried
}

async function listBooks(tx: Tx, publisherId: PublisherId | null): Promise<Books[]> {
  const toBooks = (publisher: Publisher): Books => ({ name: publisher.id, publisher })
  if (publisherId !== null) return [toBooks(await getPublisher(tx, publisherId))]
  const moving = await listMovingPublishers(tx)
  // Publishers that are moving or have moved get their statements from the new installation. Their bookings here are
  // still included in the statements of advertisers and the service.
  const publishers = (await listPublishers(tx)).filter(({ id }) => !moving.has(id))
  return [
    ...publishers.filter(({ environment }) => environment === 'production').map(toBooks),
    { name: SHARED_BOOKS, publisher: null },
  ]
}

function computeEnd({ publisher }: Books, month: Month): Date {
  return endOfMonth(month, publisher?.timeZone ?? 'UTC')
}

function refuseUnlessDue(books: Books, month: Month, known: readonly MonthClosing[], realNow: Date): void {
  const { name, publisher } = books
  const last = known.findLast((one) => one.books === name) ?? null
  const now = new Date(realNow.getTime() + (publisher?.clockOffsetMs ?? 0))
  const fault = findCloseFault(month, { last, endsAt: computeEnd(books, month), now })
  if (fault === null) return
  const shown = publisher === null ? SHARED_BOOKS : encodeId('pub', publisher.id)
  const next = last === null ? null : monthAfter(last.month)
  throw new Refusal<SettlementRefusal>(
    fault,
    fault === 'month_not_over'
      ? `${month} is not over yet in the books of ${shown}.`
      : `Months must be closed in order. The next month for ${shown} is ${next}.`,
    { members: { books: shown, next_month: next } },
  )
}

type Closable = Pick<Asked, 'month'> & {
  readonly known: readonly MonthClosing[]
  readonly cut: string
  readonly by: string
  readonly realNow: Date
}

async function close(tx: Tx, books: readonly Books[], { month, known, cut, by, realNow }: Closable): Promise<void> {
  const lasts = books.map(({ name }) => known.findLast((one) => one.books === name) ?? null)
  const bounds: PeriodBound[] = books.flatMap((one, index) => {
    const last = lasts[index] ?? null
    return [
      { books: one.name, endsAt: last?.endsAt.toISOString() ?? '-infinity', cutAt: last?.cutAt ?? '-infinity' },
      { books: one.name, endsAt: computeEnd(one, month).toISOString(), cutAt: cut },
    ]
  })
  const bookedFrom = lasts.map((last) => last?.bookedFrom ?? '-infinity').reduce((a, b) => (a < b ? a : b))
  await addUpActivity(tx, bounds, bookedFrom)
  const closings = []
  for (const one of books)
    closings.push({
      books: one.name,
      month,
      endsAt: computeEnd(one, month).toISOString(),
      cutAt: cut,
      bookedFrom: await findBookedFrom(tx, one.name, cut),
    })
  await insertClosings(tx, closings, { by, now: realNow })
  const deps = { month, bounds, closings: new Map(closings.map((one) => [one.books, one])), by, now: realNow }
  for await (const statements of drawUpStatements(tx, books, deps)) await announce(tx, books, statements, deps)
}

/** Notifies publishers of their statements. */
async function announce(
  tx: Tx,
  books: readonly Books[],
  statements: readonly MonthlyStatement[],
  { closings, now }: { readonly closings: ReadonlyMap<string, { endsAt: string; cutAt: string }>; readonly now: Date },
): Promise<void> {
  for (const statement of statements) {
    const publisher = books.find(({ name }) => name === statement.publisherId)?.publisher ?? null
    const closing = closings.get(statement.books)
    if (publisher === null || closing === undefined) continue
    const { cutAt } = closing
    const data = HEADING.present({ ...statement, endsAt: new Date(closing.endsAt), cutAt })
    await recordEvents(tx, publisher, [{ type: 'statement.closed', userId: null, data }], now)
  }
}

function bookingsOpen(): Refusal<SettlementRefusal> {
  return new Refusal('bookings_open', 'A long-running booking is still in progress. Try again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
}

const RETRY_SECONDS = 5
