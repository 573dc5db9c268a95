import { DIFFERENCES_MAX, type Difference } from '../../ledger/index.ts'
import type { Reader } from '../../platform/db/database.ts'

/**
 * Compares each gift card order with its cards, each card with the events of its purchase (which determine the reward),
 * and undecided orders and refunds with the queue. Redemptions that pay for orders are covered by `verifyRedemptions`.
 */
export async function verifyGiftCards(reader: Reader): Promise<Difference[]> {
  const orders = await reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all orders
    select 'gift_card_order' as check, 'order ' || o.order_id as where, c.status || ' ' || c.total as expected,
      o.status || ' ' || o.total as found
    from gift_card_orders o
    cross join lateral (
      select coalesce(sum(c.denomination), 0) as total,
        case
          when bool_or(c.status = 'ordered') then 'ordered'
          when bool_and(c.status = 'undelivered') then 'failed'
          when bool_and(c.status in ('undelivered', 'refunded')) then 'refunded'
          when bool_or(c.status = 'undelivered') then 'partially_delivered'
          when bool_and(c.status in ('delivered', 'refunding', 'refunded')) then 'delivered'
          else 'without cards'
        end as status
      from gift_cards c where c.user_id = o.user_id and c.order_id = o.order_id
    ) as c
    where o.status <> c.status or o.total <> c.total
    limit ${DIFFERENCES_MAX}`
  return [...orders, ...(await verifyPurchases(reader)), ...(await verifyCalls(reader))]
}

/**
 * Compares cards with their purchases. A card bought with cashback has no purchase. A purchase may also have events
 * reported by its publisher.
 */
async function verifyPurchases(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all gift cards
    select 'gift_card_purchase' as check, 'card ' || c.card_id as where, array_to_string(e.kinds, ' ') as expected,
      array_to_string(f.kinds, ' ') as found
    from gift_cards c join gift_card_orders o on o.user_id = c.user_id and o.order_id = c.order_id
    cross join lateral (
      select case
        when o.redemption_id is not null then '{}'
        when c.status = 'ordered' then '{AUTHORIZATION}'
        when c.status = 'undelivered' then '{AUTHORIZATION,REVERSAL}'
        when c.status = 'refunded' then '{AUTHORIZATION,CLEARING,REFUND}'
        else '{AUTHORIZATION,CLEARING}'
      end::text[] as kinds
    ) as e
    cross join lateral (
      select coalesce(array_agg(distinct s.kind order by s.kind), '{}') as kinds
      from source_events s
      where s.user_id = c.user_id and s.transaction_id = c.transaction_id and s.source = 'GIFT_CARD'
        and s.amount = c.denomination and s.currency = o.currency
    ) as f
    where not (f.kinds @> e.kinds) or (o.redemption_id is not null and c.transaction_id is not null)
    limit ${DIFFERENCES_MAX}`
}

/** Finds undecided orders and refunds that are missing from the queue and would therefore never be decided. */
async function verifyCalls(reader: Reader): Promise<Difference[]> {
  const undecided = await reader<{ id: string; what: string }[]>`
    -- all publishers: all users: the operator's proof over all orders
    select order_id as id, 'order ' || order_id as what from gift_card_orders where status = 'ordered'
    union all
    select card_id, 'card ' || card_id from gift_cards where status = 'refunding'`
  const queued = await reader<{ id: string }[]>`
    -- all publishers: the operator's proof over all orders
    select item_id as id from gift_card_queue where item_id = any(${undecided.map(({ id }) => id)}::uuid[])`
  const known = new Set(queued.map(({ id }) => id))
  return undecided
    .filter(({ id }) => !known.has(id))
    .slice(0, DIFFERENCES_MAX)
    .map(({ what }) => ({ check: 'gift_card_call', where: what, expected: 'queued', found: 'not queued' }))
}
