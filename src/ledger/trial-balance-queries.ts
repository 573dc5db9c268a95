import type { Tx } from '../platform/db/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { formatInstant } from './cut-queries.ts'
import type { Account } from './rules.ts'

/** Sums are decimal strings, because a publisher's totals may exceed the range of a single amount. */
type AccountSums = {
  readonly account: Account
  readonly owner: string
  readonly currency: string
  readonly debits: string
  readonly credits: string
}

/**
 * Returns the given instant, or the current time on the clock that dates journals if the instant is null or in the
 * future. RFC 3339 with microseconds.
 */
export async function findInstant(tx: Tx, at: string | null): Promise<string> {
  const [row] = await tx<{ at: string }[]>`
    select ${formatInstant(tx, tx`least(coalesce(${at}::text::timestamptz, 'infinity'), statement_timestamp())`)} as at`
  if (row === undefined) throw new Error('the database returned no time')
  return row.at
}

/**
 * Sums the debits and credits of each account over all journals booked up to an instant. Reads all of the publisher's
 * journals. No index supports this, because nobody needs the result quickly and the journals table is the largest.
 */
export async function sumAccounts(
  tx: Tx,
  publisherId: PublisherId,
  { at, byOwner }: { readonly at: string; readonly byOwner: boolean },
): Promise<AccountSums[]> {
  return tx<AccountSums[]>`
    -- all users: their accounts are shown as sums
    select account, owner, currency, debits::text, credits::text
    from (
      select account, case when ${byOwner} then owner else '' end as owner, currency,
        coalesce(sum(amount) filter (where amount > 0), 0) as debits,
        coalesce(-sum(amount) filter (where amount < 0), 0) as credits
      from postings
      where publisher_id = ${publisherId} and created_at <= ${at}::text::timestamptz
      group by 1, 2, 3
    ) as sums
    order by owner, currency`
}
