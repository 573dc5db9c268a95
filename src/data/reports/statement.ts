import { readAccountStatement } from '../../ledger/index.ts'
import { addDays, type Day, startOfDay } from '../../platform/calendar.ts'
import type { Database } from '../../platform/db/database.ts'
import { decodeId, encodeId, type TransactionId, toUserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getNamedUser } from '../../users/users/index.ts'
import { listShops } from './statement-queries.ts'
import { type PresentedStatement, presentAmounts, presentLine } from './statement-schema.ts'
import { WORDINGS } from './statement-sentences.ts'

type Asked = {
  readonly currency: string
  readonly startDate: Day | null
  readonly endDate: Day | null
  readonly after: string | null
  readonly limit: number
}

/** A page of a user's statement, with the shops of its purchases by transaction ID. */
type Statement = NonNullable<Awaited<ReturnType<typeof readAccountStatement>>> & {
  readonly shops: ReadonlyMap<string, string | null>
}

/**
 * Reads a page of a user's statement in one currency from a single snapshot. Returns null if `after` is not a line of
 * that statement.
 * @throws Refusal user_not_found
 */
export async function readStatement(
  db: Database,
  publisher: Publisher,
  publisherUserId: string,
  { currency, startDate, endDate, after, limit }: Asked,
): Promise<Statement | null> {
  const { id, timeZone } = publisher
  const userId = toUserId(id, publisherUserId)
  const journalId = after === null ? null : decodeId('jnl', after)
  const asked = {
    from: startDate === null ? null : startOfDay(startDate, timeZone),
    until: endDate === null ? null : startOfDay(addDays(endDate, 1), timeZone),
    after: journalId,
    limit,
  }
  return db.snapshot(async (tx) => {
    await getNamedUser(tx, publisher, publisherUserId)
    if (after !== null && journalId === null) return null
    const statement = await readAccountStatement(tx, { publisherId: id, userId, currency }, asked)
    if (statement === null) return null
    const rewards = statement.lines.filter(({ kind }) => WORDINGS[kind].about === 'transaction')
    const shops = await listShops(tx, id, userId, [...new Set(rewards.map((line) => line.causeId as TransactionId))])
    return { ...statement, shops }
  })
}

/**
 * Reads a page of a user's statement and formats it as the API returns it.
 * @throws Refusal user_not_found
 */
export async function readStatementPage(
  db: Database,
  publisher: Publisher,
  publisherUserId: string,
  asked: Asked,
): Promise<PresentedStatement | null> {
  const statement = await readStatement(db, publisher, publisherUserId, asked)
  if (statement === null) return null
  const { currency } = asked
  const { opening, closing, lines, hasMore, shops } = statement
  const last = lines.at(-1)
  return {
    publisher_user_id: publisherUserId,
    currency,
    start_date: asked.startDate,
    end_date: asked.endDate,
    opening: presentAmounts(opening, currency),
    closing: presentAmounts(closing, currency),
    content: lines.map((line) => presentLine(line, currency, shops)),
    next_after: hasMore && last !== undefined ? encodeId('jnl', last.journalId) : null,
  }
}
