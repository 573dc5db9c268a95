import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Environment } from '../../tenants/publishers/index.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import {
  GIFT_CARD,
  GIFT_CARD_ORDER,
  type GiftCard,
  type GiftCardId,
  type GiftCardOrder,
  type GiftCardOrderId,
} from './order.ts'
import type { OrderStatus } from './rules.ts'

const orderColumns = (reader: Reader) => reader`
  ${selectColumns(reader, 'o', GIFT_CARD_ORDER.columns)}, ${selectPublisherUserId(reader, 'o')}`

const cardColumns = (reader: Reader) => selectColumns(reader, 'c', GIFT_CARD.columns)

export async function findOrder(
  reader: Reader,
  publisherId: PublisherId,
  orderId: GiftCardOrderId,
): Promise<GiftCardOrder | null> {
  const [row] = await reader<GiftCardOrder[]>`
    -- all users: a publisher names its orders by their ids
    select ${orderColumns(reader)} from gift_card_orders o
    where o.publisher_id = ${publisherId} and o.order_id = ${orderId}`
  return row ?? null
}

/** An order as operators see it. */
export type OperatorOrder = GiftCardOrder & { readonly environment: Environment }

/** Lists orders of any publisher, for operators. */
export async function listOrdersById(reader: Reader, orderIds: readonly GiftCardOrderId[]): Promise<OperatorOrder[]> {
  return reader<OperatorOrder[]>`
    -- all publishers: all users: operators look after the orders of all
    select ${orderColumns(reader)},
      (select p.environment from publishers p where p.publisher_id = o.publisher_id) as environment
    from gift_card_orders o
    where o.order_id = any(${orderIds as GiftCardOrderId[]}::uuid[])`
}

export async function findOrderByRef(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalRef: string,
): Promise<GiftCardOrder | null> {
  const [row] = await reader<GiftCardOrder[]>`
    select ${orderColumns(reader)} from gift_card_orders o
    where o.publisher_id = ${publisherId} and o.user_id = ${userId} and o.external_ref = ${externalRef}`
  return row ?? null
}

/** Lists the cards of these orders, by their position within each order. */
export async function listCards(reader: Reader, orders: readonly GiftCardOrder[]): Promise<GiftCard[]> {
  const publisherIds = [...new Set(orders.map(({ publisherId }) => publisherId))]
  const userIds = [...new Set(orders.map(({ userId }) => userId))]
  const orderIds = orders.map(({ orderId }) => orderId)
  return reader<GiftCard[]>`
    select ${cardColumns(reader)} from gift_cards c
    where c.publisher_id = any(${publisherIds}::uuid[]) and c.user_id = any(${userIds}::uuid[])
      and c.order_id = any(${orderIds}::uuid[])
    order by c.order_id, c.ordinal`
}

/** Finds a card of one publisher, or of any publisher if `publisherId` is null. */
export async function findCard(
  reader: Reader,
  publisherId: PublisherId | null,
  cardId: GiftCardId,
): Promise<GiftCard | null> {
  const [row] = await reader<GiftCard[]>`
    -- all publishers: all users: an operator names a card of any publisher by its ID; a publisher names one of its own
    select ${cardColumns(reader)} from gift_cards c
    where c.card_id = ${cardId} ${publisherId === null ? reader`` : reader`and c.publisher_id = ${publisherId}`}`
  return row ?? null
}

export async function insertOrders(tx: Tx, publisherId: PublisherId, orders: readonly GiftCardOrder[]): Promise<void> {
  await tx`
    insert into gift_card_orders (user_id, order_id, publisher_id, external_ref, offer_uid, currency, total, status,
      redemption_id, version, created_at, updated_at)
    select user_id, order_id, ${publisherId}, external_ref, offer_uid, currency, total, status, redemption_id, version,
      created_at, updated_at
    from ${asTable(tx, orders, {
      userId: 'uuid',
      orderId: 'uuid',
      externalRef: 'text',
      offerUid: 'text',
      currency: 'plain',
      total: 'int8',
      status: 'plain',
      redemptionId: 'uuid',
      version: 'int4',
      createdAt: 'timestamptz',
      updatedAt: 'timestamptz',
    })}`
}

export async function insertCards(tx: Tx, publisherId: PublisherId, cards: readonly GiftCard[]): Promise<void> {
  await tx`
    insert into gift_cards (user_id, card_id, publisher_id, order_id, ordinal, denomination, status, transaction_id)
    select user_id, card_id, ${publisherId}, order_id, ordinal, denomination, status, transaction_id
    from ${asTable(tx, cards, {
      userId: 'uuid',
      cardId: 'uuid',
      orderId: 'uuid',
      ordinal: 'int2',
      denomination: 'int8',
      status: 'plain',
      transactionId: 'uuid',
    })}`
}

export async function updateOrder(tx: Tx, order: GiftCardOrder): Promise<void> {
  await tx`
    update gift_card_orders set status = ${order.status}, supplier_order_id = ${order.supplierOrderId},
      reason_code = ${order.reasonCode}, reason_text = ${order.reasonText}, version = ${order.version},
      updated_at = ${order.updatedAt}
    where publisher_id = ${order.publisherId} and user_id = ${order.userId} and order_id = ${order.orderId}`
}

export async function updateCards(tx: Tx, publisherId: PublisherId, cards: readonly GiftCard[]): Promise<void> {
  await tx`
    update gift_cards c set status = given.status, supplier_card_id = given.supplier_card_id, mask = given.mask,
      sealed_details = given.sealed_details, expires_on = given.expires_on
    from ${asTable(tx, cards, {
      userId: 'uuid',
      cardId: 'uuid',
      status: 'plain',
      supplierCardId: 'text',
      mask: 'text',
      sealedDetails: 'bytea',
      expiresOn: 'date',
    })}
    where c.publisher_id = ${publisherId} and c.user_id = given.user_id and c.card_id = given.card_id`
}

/** Marks a card as revealed. Returns false if its code may not be revealed again, or if the card is not `delivered`. */
export async function markRevealed(tx: Tx, { publisherId, userId, cardId }: GiftCard, now: Date): Promise<boolean> {
  const { count } = await tx`
    update gift_cards set revealed_at = coalesce(revealed_at, ${now}), may_reveal = false
    where publisher_id = ${publisherId} and user_id = ${userId} and card_id = ${cardId}
      and may_reveal and status = 'delivered'`
  return count === 1
}

export async function markRevealable(tx: Tx, { publisherId, userId, cardId }: GiftCard): Promise<void> {
  await tx`
    update gift_cards set may_reveal = true
    where publisher_id = ${publisherId} and user_id = ${userId} and card_id = ${cardId}`
}

export const ORDER_SORTS = ['created_at', 'total', 'order_id'] as const

type OrderFilter = {
  readonly userId: UserId | null
  readonly status: OrderStatus | null
  readonly externalRef: string | null
  /** The period: `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

export async function listOrders(
  reader: Reader,
  publisherId: PublisherId,
  filter: OrderFilter,
  paging: Paging<(typeof ORDER_SORTS)[number]>,
): Promise<GiftCardOrder[]> {
  const columns = { created_at: reader`o.created_at`, total: reader`o.total`, order_id: reader`o.order_id` }
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<GiftCardOrder[]>`
    -- all users: a publisher lists its own
    select ${orderColumns(reader)} from gift_card_orders o
    where ${conditions(reader, publisherId, filter)}
    ${buildPageClauses(reader, columns, paging, byDefault, reader`o.order_id`)}`
}

export async function countOrders(reader: Reader, publisherId: PublisherId, filter: OrderFilter): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: a publisher lists its own
    select count(*) as total from gift_card_orders o where ${conditions(reader, publisherId, filter)}`
  return Number(row?.total ?? 0)
}

function conditions(
  reader: Reader,
  publisherId: PublisherId,
  { userId, status, externalRef, from, until }: OrderFilter,
) {
  return reader`
    o.publisher_id = ${publisherId}
    ${userId === null ? reader`` : reader`and o.user_id = ${userId}`}
    ${status === null ? reader`` : reader`and o.status = ${status}`}
    ${externalRef === null ? reader`` : reader`and o.external_ref = ${externalRef}`}
    ${from === null ? reader`` : reader`and o.created_at >= ${from}`}
    ${until === null ? reader`` : reader`and o.created_at < ${until}`}`
}
