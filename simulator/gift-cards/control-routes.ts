import Type from 'typebox'
import { ControlError } from '../errors.ts'
import { PARTNER_FAULTS } from '../partner-faults.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { findCard } from './cards.ts'
import { presentProduct } from './index.ts'
import { AMOUNT, formatCents, parseCents } from './money.ts'
import { NEXT_OUTCOMES } from './next-orders.ts'
import { listOrders } from './orders.ts'
import { changeProduct } from './products.ts'
import { type GiftCard, type GiftCardOrder, OUTCOMES } from './state.ts'

const CLOSED = { additionalProperties: false }
const Words = Type.String({ minLength: 1, maxLength: 255 })
/** Enough to see recent activity. Older orders can be found by reference. */
const LIST_MAX = 1000

const ListQuery = Type.Object({ account: Type.Optional(Words), reference: Type.Optional(Words) }, CLOSED)
const OutcomeBody = Type.Object({ outcome: Type.Union(OUTCOMES.map((outcome) => Type.Literal(outcome))) }, CLOSED)
const BalanceBody = Type.Object({ balance: Type.String({ pattern: `${AMOUNT}|^0(\\.00?)?$` }) }, CLOSED)
const count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const NextBody = Type.Object(
  { orders: count, outcome: Type.Union(NEXT_OUTCOMES.map((outcome) => Type.Literal(outcome))) },
  CLOSED,
)
const FaultBody = Type.Object(
  { calls: count, fault: Type.Union(PARTNER_FAULTS.map((fault) => Type.Literal(fault))) },
  CLOSED,
)
const ProductBody = Type.Object(
  {
    product: Words,
    in_stock: Type.Optional(Type.Boolean()),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  },
  CLOSED,
)

export function giftCardControls(app: App, world: World): void {
  app.get('/_sim/gift-cards', { schema: { querystring: ListQuery } }, async ({ query: { account, reference } }) => ({
    orders: listOrders(world)
      .filter((order) => account === undefined || order.account === account)
      .filter((order) => reference === undefined || order.reference === reference)
      .slice(0, LIST_MAX)
      .map(present),
  }))
  app.get('/_sim/gift-cards/statement', { schema: { querystring: ListQuery } }, async ({ query }, reply) =>
    reply.type('text/csv; charset=utf-8').send(buildStatement(listOrders(world), query)),
  )
  const orderPath = { params: Type.Object({ order_id: Words }), body: OutcomeBody }
  app.post('/_sim/gift-cards/orders/:order_id', { schema: orderPath }, async ({ params, body }) =>
    present(setOutcome(world, params.order_id, body.outcome)),
  )
  const cardPath = { params: Type.Object({ card_id: Words }), body: BalanceBody }
  app.post('/_sim/gift-cards/cards/:card_id', { schema: cardPath }, async ({ params, body }) =>
    presentCard(setBalance(world, params.card_id, parseCents(body.balance))),
  )
  app.post('/_sim/gift-cards/products', { schema: { body: ProductBody } }, async ({ body }) => {
    const { product, in_stock: inStock, currency } = body
    const change = { ...(inStock === undefined ? {} : { inStock }), ...(currency === undefined ? {} : { currency }) }
    return presentProduct(changeProduct(world, product, change))
  })
  misbehaviour(app, world)
}

/** Builds the account holder's statement, with one line per order that covers all of its cards. */
function buildStatement(
  orders: readonly GiftCardOrder[],
  { account, reference }: { account?: string; reference?: string },
) {
  const lines = orders
    .filter((order) => account === undefined || order.account === account)
    .filter((order) => reference === undefined || order.reference === reference)
    .map(({ reference: name, content, status, cards }) => {
      const total = content.lines.reduce((sum, { denomination, quantity }) => sum + denomination * quantity, 0)
      const isRefunded = cards.length > 0 && cards.every((card) => card.isRefunded)
      return `${name},${formatCents(total)},${content.currency},${isRefunded ? 'refunded' : status}\n`
    })
  return `reference,amount,currency,status\n${lines.join('')}`
}

function misbehaviour(app: App, { nextGiftCards, giftCardFaults }: World): void {
  app.get('/_sim/gift-cards/next', async () => nextGiftCards.status())
  app.post('/_sim/gift-cards/next', { schema: { body: NextBody } }, async ({ body }) => {
    nextGiftCards.set(body)
    return nextGiftCards.status()
  })
  app.delete('/_sim/gift-cards/next', async () => {
    nextGiftCards.clear()
    return nextGiftCards.status()
  })
  app.get('/_sim/gift-cards/faults', async () => giftCardFaults.status())
  app.post('/_sim/gift-cards/faults', { schema: { body: FaultBody } }, async ({ body }) => {
    giftCardFaults.set(body)
    return giftCardFaults.status()
  })
  app.delete('/_sim/gift-cards/faults', async () => {
    giftCardFaults.clear()
    return giftCardFaults.status()
  })
}

/** Overrides the planned outcome of an undelivered order. The new outcome takes effect on the next call. */
function setOutcome(world: World, orderId: string, outcome: (typeof OUTCOMES)[number]): GiftCardOrder {
  const order = listOrders(world).find((one) => one.orderId === orderId)
  if (order === undefined) throw new ControlError(404, 'ORDER_NOT_FOUND', 'There is no such order.')
  if (order.planned === null)
    throw new ControlError(
      409,
      'OUTCOME_IMPOSSIBLE',
      `This order is already ${order.status}; its outcome can no longer change.`,
    )
  order.planned = { outcome, dueAt: null }
  world.changed()
  return order
}

function setBalance(world: World, cardId: string, balance: number): GiftCard {
  const found = findCard(world, cardId)
  if (found === undefined) throw new ControlError(404, 'CARD_NOT_FOUND', 'There is no such card.')
  if (found.card.isRefunded || balance > found.card.denomination)
    throw new ControlError(
      409,
      'BALANCE_IMPOSSIBLE',
      "A card's balance is at most its denomination, and zero once refunded.",
    )
  found.card.balance = balance
  world.changed()
  return found.card
}

function present({ orderId, account, reference, content, orderedAt, status, planned, cards }: GiftCardOrder) {
  return {
    order_id: orderId,
    account,
    reference,
    product: content.product,
    currency: content.currency,
    lines: content.lines.map(({ denomination, quantity }) => ({ denomination: formatCents(denomination), quantity })),
    ordered_at: orderedAt,
    status,
    planned: planned === null ? null : { outcome: planned.outcome, due_at: planned.dueAt },
    cards: cards.map(presentCard),
  }
}

/** Formats a card without its code and with only the last four digits of its number. */
function presentCard({ cardId, denomination, number, balance, isRefunded }: GiftCard) {
  return {
    card_id: cardId,
    denomination: formatCents(denomination),
    last4: number.slice(-4),
    balance: formatCents(balance),
    status: isRefunded ? 'refunded' : 'delivered',
  }
}
