import type { Reader, SqlPart } from '../../platform/db/database.ts'
import type { ComparedSpan } from './span.ts'

/** Matches a row `t` of an erased user, whose events have lost their data. */
const isErased = (reader: Reader): SqlPart => reader`
  exists (select 1 from erasures e where e.user_id = t.user_id and e.publisher_id = t.publisher_id)`

/**
 * Selects transactions whose last change was in the period, except those of erased users and purchases from before a
 * card was linked, which are not announced.
 */
export const selectChangedTransactions = (reader: Reader, { publisher, from, until }: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select t.transaction_id as key, t.currency, t.version, t.status, t.user_amount as user_cashback,
    t.publisher_amount as publisher_share, 0 as missing_versions,
    case when t.created_at >= ${from} and t.created_at < ${until} then t.version end as versions
  from transactions t
  where t.publisher_id = ${publisher.id} and t.updated_at >= ${from} and t.updated_at < ${until} and not ${isErased(reader)}
    and not exists (
      select 1 from source_events s
      where s.user_id = t.user_id and s.transaction_id = t.transaction_id and s.facts @> '{"isHistory": true}'
    )
  order by 1`

/**
 * Returns those of the given transactions that changed after the period and whose newest event is therefore outside it.
 */
export async function listChangedLater(reader: Reader, { publisher, until }: ComparedSpan, ids: readonly string[]) {
  return reader<{ transactionId: string }[]>`
    -- all users: those of one publisher
    select t.transaction_id from transactions t
    where t.publisher_id = ${publisher.id} and t.transaction_id = any(${ids as string[]}::uuid[]) and t.updated_at >= ${until}`
}

export const selectRedemptionSteps = (reader: Reader, { publisher, from, until }: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select s.redemption_id || ' ' || lpad(s.version::text, 6, '0') as key, t.currency, t.amount, s.status
  from redemption_steps s join redemptions t on t.user_id = s.user_id and t.redemption_id = s.redemption_id
  where s.publisher_id = ${publisher.id} and s.at >= ${from} and s.at < ${until} and not ${isErased(reader)}
  order by s.redemption_id, s.version`

export const selectBookedInScope = (reader: Reader, { publisher, from, until }: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select t.adjustment_id || ' 000001' as key, t.currency, t.amount, t.status
  from adjustments t
  where t.publisher_id = ${publisher.id} and t.status = 'booked' and t.decided_at >= ${from} and t.decided_at < ${until}
    and not ${isErased(reader)}
  order by t.adjustment_id`

export const selectOpenedAndDecidedClaims = (
  reader: Reader,
  { publisher, from, until }: ComparedSpan,
): SqlPart => reader`
  -- all users: those of one publisher
  select t.claim_id || ' ' || lpad(v.version::text, 6, '0') as key, t.currency, t.amount, v.status
  from claims t
  cross join lateral (values (1, 'open', t.created_at), (t.version, t.status, t.decided_at)) as v (version, status, at)
  where t.publisher_id = ${publisher.id} and v.at >= ${from} and v.at < ${until} and not ${isErased(reader)}
  order by t.claim_id, v.version`

export const selectPlacedOrders = (reader: Reader, { publisher, from, until }: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select t.order_id || ' 000001' as key, t.currency, t.total, 'ordered' as status
  from gift_card_orders t
  where t.publisher_id = ${publisher.id} and t.created_at >= ${from} and t.created_at < ${until} and not ${isErased(reader)}
  order by t.order_id`
