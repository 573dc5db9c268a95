import type { Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { type Balances, type JournalKind, USER_ACCOUNTS } from './rules.ts'
import { balanceSums, type SqlPart } from './verify.ts'

/**
 * The order of a statement: by the database's clock when the journal was written, and within one write by the id. The
 * journals of a user are written while the row of their balances is locked, and the time is that of the writing
 * statement, which begins after the lock was granted: so a later journal has a later time, whichever process books it.
 * Neither the time of the transaction is safe, which begins before it waits for the lock, nor the id alone, whose time is
 * by the clock of the process. One process made the ids of one write, in order.
 */
type BookingPosition = { readonly bookedAt: string; readonly journalId: string }
export const beforeAll: BookingPosition = { bookedAt: '-infinity', journalId: '00000000-0000-0000-0000-000000000000' }

/** What a user has in one currency. */
export type UserAccount = { readonly publisherId: PublisherId; readonly userId: UserId; readonly currency: string }

/** The accounts that a statement shows. */
export type UserAmounts = Pick<Balances, 'pending' | 'available' | 'held' | 'debt'>
/** Kinds of journals that touch accounts of the user. */
export type UserJournalKind = Exclude<JournalKind, 'reassignment' | 'payment'>

export type BookedChange = UserAmounts & {
  readonly journalId: string
  readonly kind: UserJournalKind
  readonly causeId: string
  readonly effectiveAt: Date
  readonly bookedAt: Date
}

/** From the first instant, inclusive, until the second, exclusive. Null: without that bound. */
export type BookingPeriod = { readonly from: Date | null; readonly until: Date | null }

/** Where a journal of the user is in the order, to the microsecond, or null if the user has no such journal. */
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

/** What was booked before the period, in it up to a position, and in the rest of it: one pass over the user's journals. */
export async function sumParts(
  tx: Tx,
  { publisherId, userId, currency }: UserAccount,
  period: BookingPeriod,
  after: BookingPosition,
): Promise<PartSum[]> {
  const { from, until } = boundsOf(tx, period)
  return tx<PartSum[]>`
    select part, ${shownAmounts(tx)}
    from (
      select part, ${balanceSums(tx)}
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

/** The journals of the period after a position that touch accounts of the user. */
export async function listChanges(
  tx: Tx,
  { publisherId, userId, currency }: UserAccount,
  period: BookingPeriod,
  { after, limit }: { readonly after: BookingPosition; readonly limit: number },
): Promise<BookedChange[]> {
  const { from, until } = boundsOf(tx, period)
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
      select ${balanceSums(tx)} from unnest(j.accounts, j.amounts) as posting (account, amount)
    ) as sums
    order by j.created_at, j.journal_id`
}

const shownAmounts = (tx: Tx): SqlPart => tx`
  pending::int8 as pending, available::int8 as available, held::int8 as held, debt::int8 as debt`

const position = (tx: Tx, { bookedAt, journalId }: BookingPosition): SqlPart => tx`
  (${bookedAt}::text::timestamptz, ${journalId}::uuid)`

function boundsOf(tx: Tx, { from, until }: BookingPeriod): { readonly from: SqlPart; readonly until: SqlPart } {
  return {
    from: tx`${from?.toISOString() ?? '-infinity'}::text::timestamptz`,
    until: tx`${until?.toISOString() ?? 'infinity'}::text::timestamptz`,
  }
}
