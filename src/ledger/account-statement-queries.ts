import type { SqlPart, Tx } from '../platform/db/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { type Balances, type JournalKind, USER_ACCOUNTS } from './rules.ts'
import { selectBalanceSums } from './verify.ts'

/**
 * A position in statement order: by the time a journal was written, according to the database clock, and by ID within
 * one write. A user's journals are written while the user's balance row is locked. `created_at` is the time of the
 * writing statement, which begins after the lock is granted, so a later journal always has a later time, no matter
 * which process books it. The transaction's time would not be safe, because a transaction begins before it waits for
 * the lock. The ID by itself would not be safe either, because its time comes from the process's clock. Within one
 * write, all IDs come from one process, in order.
 */
type BookingPosition = { readonly bookedAt: string; readonly journalId: string }
export const beforeAll: BookingPosition = { bookedAt: '-infinity', journalId: '00000000-0000-0000-0000-000000000000' }

/** A user's account in one currency. */
export type UserAccount = { readonly publisherId: PublisherId; readonly userId: UserId; readonly currency: string }

/** The amounts that a statement lists. */
export type UserAmounts = Pick<Balances, 'pending' | 'available' | 'held' | 'debt'>
/** The kinds of journals that touch a user's accounts. */
export type UserJournalKind = Exclude<JournalKind, 'reassignment' | 'payment'>

export type BookedChange = UserAmounts & {
  readonly journalId: string
  readonly kind: UserJournalKind
  readonly causeId: string
  readonly effectiveAt: Date
  readonly bookedAt: Date
}

/** A period of booking times: `from` is inclusive, `until` exclusive. Null means no bound. */
export type BookingPeriod = { readonly from: Date | null; readonly until: Date | null }

/** Finds a journal's position in statement order, to the microsecond. Returns null if the user has no such journal. */
export async function findPosition(
  tx: Tx,
  { publisherId, userId, currency }: UserAccount,
  journalId: string,
): Promise<BookingPosition | null> {
  const [row] = await tx<BookingPosition[]>`
    select created_at::text as booked_at, journal_id
    from journals
    where user_id = ${userId} and publisher_id = ${publisherId} and currency = ${currency} and journal_id = ${journalId}`
  return row ?? null
}

type PartSum = UserAmounts & { readonly part: 'before' | 'skipped' | 'rest' }

/**
 * In one pass over the user's journals, sums what was booked before the period, what was booked in it up to a position,
 * and what was booked in the rest of it.
 */
export async function sumParts(
  tx: Tx,
  { publisherId, userId, currency }: UserAccount,
  period: BookingPeriod,
  after: BookingPosition,
): Promise<PartSum[]> {
  const { from, until } = buildBounds(tx, period)
  return tx<PartSum[]>`
    select part, ${shownAmounts(tx)}
    from (
      select part, ${selectBalanceSums(tx)}
      from (
        select account, amount, kind, case
          when created_at < ${from} then 'before'
          when (created_at, journal_id) <= ${position(tx, after)} then 'skipped'
          else 'rest' end as part
        from postings
        where user_id = ${userId} and publisher_id = ${publisherId} and currency = ${currency} and created_at < ${until}
      ) as booked
      group by part
    ) as sums`
}

/** Lists the journals of the period that touch the user's accounts, starting after a position. */
export async function listChanges(
  tx: Tx,
  { publisherId, userId, currency }: UserAccount,
  period: BookingPeriod,
  { after, limit }: { readonly after: BookingPosition; readonly limit: number },
): Promise<BookedChange[]> {
  const { from, until } = buildBounds(tx, period)
  return tx<BookedChange[]>`
    select j.journal_id, j.kind, j.cause_id, j.effective_at, j.created_at as booked_at, ${shownAmounts(tx)}
    from (
      select journal_id, kind, cause_id, effective_at, created_at, accounts, amounts
      from journals
      where user_id = ${userId} and publisher_id = ${publisherId} and currency = ${currency}
        and accounts && ${USER_ACCOUNTS as string[]}::text[]
        and created_at >= ${from} and created_at < ${until} and (created_at, journal_id) > ${position(tx, after)}
      order by created_at, journal_id
      limit ${limit}
    ) as j
    cross join lateral (
      select ${selectBalanceSums(tx)} from unnest(j.accounts, j.amounts) as posting (account, amount)
    ) as sums
    order by j.created_at, j.journal_id`
}

const shownAmounts = (tx: Tx): SqlPart => tx`
  pending::int8 as pending, available::int8 as available, held::int8 as held, debt::int8 as debt`

const position = (tx: Tx, { bookedAt, journalId }: BookingPosition): SqlPart => tx`
  (${bookedAt}::text::timestamptz, ${journalId}::uuid)`

function buildBounds(tx: Tx, { from, until }: BookingPeriod): { readonly from: SqlPart; readonly until: SqlPart } {
  return {
    from: tx`${from?.toISOString() ?? '-infinity'}::text::timestamptz`,
    until: tx`${until?.toISOString() ?? 'infinity'}::text::timestamptz`,
  }
}
