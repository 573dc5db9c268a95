import type { Reader } from '../../platform/db/database.ts'
import type { SideQueries } from './booked-queries.ts'
import type { ComparedSpan } from './span.ts'

const touched = (reader: Reader, { from, until }: ComparedSpan) => reader`
  ((o.created_at >= ${from} and o.created_at < ${until}) or (o.updated_at >= ${from} and o.updated_at < ${until}))`

/** Compares each order's total with the sum of its cards' face values. */
export function compareOrdersWithCards(reader: Reader, span: ComparedSpan): SideQueries {
  return {
    left: reader`
      -- all users: those of one publisher
      select o.order_id as key, o.currency, o.total, o.status = 'ordered' as waits
      from gift_card_orders o where o.publisher_id = ${span.publisher.id} and ${touched(reader, span)} order by 1`,
    right: reader`
      -- all users: those of one publisher
      select o.order_id as key, o.currency, coalesce(sum(c.denomination), 0)::bigint as total
      from gift_card_orders o left join gift_cards c on c.user_id = o.user_id and c.order_id = o.order_id
      where o.publisher_id = ${span.publisher.id} and ${touched(reader, span)}
      group by o.order_id, o.currency
      order by 1`,
  }
}

/**
 * Compares gift card redemptions with their orders. Until an order's outcome reaches its redemption, in a later commit,
 * only the amounts are compared.
 */
export function compareOrdersWithRedemptions(reader: Reader, span: ComparedSpan): SideQueries {
  const bought = reader`
    -- all users: those of one publisher
    select o.user_id, o.redemption_id from gift_card_orders o
    where o.publisher_id = ${span.publisher.id} and o.redemption_id is not null and ${touched(reader, span)}
    union
    select o.user_id, o.redemption_id from redemptions o
    where o.publisher_id = ${span.publisher.id} and o.method = 'gift_card' and ${hasOrdered(reader, 'o')}
      and ${touched(reader, span)}`
  return {
    left: reader`
      -- all publishers: all users: the redemptions are those of one publisher
      select c.redemption_id as key, o.currency, o.total as amount,
        case when r.status is distinct from 'sent' then
          case o.status when 'ordered' then 'sent' when 'failed' then 'failed' when 'refunded' then 'returned'
            when 'delivered' then 'paid' when 'partially_delivered' then 'paid' end
        end as status
      from (${bought}) as c
      left join gift_card_orders o on o.user_id = c.user_id and o.redemption_id = c.redemption_id
      left join redemptions r on r.user_id = c.user_id and r.redemption_id = c.redemption_id
      order by 1`,
    right: reader`
      -- all publishers: all users: the redemptions are those of one publisher
      select r.redemption_id as key, r.currency, r.amount, nullif(r.status, 'sent') as status, r.status = 'sent' as waits
      from (${bought}) as c join redemptions r on r.user_id = c.user_id and r.redemption_id = c.redemption_id
      where ${hasOrdered(reader, 'r')}
      order by 1`,
  }
}

const hasOrdered = (reader: Reader, table: 'o' | 'r') => reader`
  ${reader(table)}.status in ('sent', 'paid', 'failed', 'returned')`

/** Compares cards bought by users with the purchases recorded for those cards. */
export function compareCardsWithPurchases(reader: Reader, span: ComparedSpan): SideQueries {
  return {
    left: reader`
      -- all users: those of one publisher
      select c.card_id as key, o.currency, c.denomination as amount
      from gift_card_orders o join gift_cards c on c.user_id = o.user_id and c.order_id = o.order_id
      where o.publisher_id = ${span.publisher.id} and o.redemption_id is null and ${touched(reader, span)}
      order by 1`,
    right: reader`
      -- all users: those of one publisher
      select c.card_id as key, t.currency, t.amount
      from gift_card_orders o
      join gift_cards c on c.user_id = o.user_id and c.order_id = o.order_id
      join transactions t on t.user_id = c.user_id and t.transaction_id = c.transaction_id
      where o.publisher_id = ${span.publisher.id} and o.redemption_id is null and ${touched(reader, span)}
      order by 1`,
  }
}
