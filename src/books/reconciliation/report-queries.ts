import { selectBookedRewards, selectPostings } from '../../ledger/index.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import type { ComparedSpan } from './span.ts'

/** Selects the pending and earned totals booked for purchases made in the period, by currency. */
export function selectBookedTotals(reader: Reader, { publisher, from, until }: ComparedSpan): SqlPart {
  const bought = reader`
    -- all users: those of one publisher
    select user_id, transaction_id as cause_id from transactions
    where publisher_id = ${publisher.id} and authorized_at >= ${from} and authorized_at < ${until}`
  return reader`
    select currency || ' ' || state as key, currency, count(*)::int as rewards, sum(user_amount)::bigint as user_cashback,
      sum(publisher_amount)::bigint as publisher_share
    from (
      select currency, case pending when 0 then 'earned' else 'pending' end as state, user_amount, publisher_amount
      from (${selectBookedRewards(reader, selectPostings(reader, bought))}) as b
      where user_amount <> 0 or publisher_amount <> 0
    ) as rewards
    group by currency, state
    order by currency collate "C", state collate "C"`
}
