/**
 * The simulated gift card supplier. It sells cards, reports on orders and takes back unused cards. Like the bank, it
 * has no clock: calls whose result depends on the time pass the current time.
 */
import type { Static } from 'typebox'
import { openPartnerDoor } from '../partner-door.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { getCard, refundCard } from './cards.ts'
import { formatCents, parseCents } from './money.ts'
import { findOrder, placeOrder } from './orders.ts'
import { checkContent, listProducts } from './products.ts'
import { AtQuery, CardPath, OrderBody, OrderPath, QuoteBody } from './schema.ts'
import type { GiftCardOrder, OrderContent, Product } from './state.ts'

const QUOTE_VALID_MS = 15 * 60_000

export async function giftCards(app: App, world: World): Promise<void> {
  openPartnerDoor(app, { faults: world.giftCardFaults, cut: '{"order_id": "gor_' })
  app.get('/gift-cards/v1/products', async () => ({ products: listProducts(world).map(presentProduct) }))
  app.post('/gift-cards/v1/quotes', { schema: { body: QuoteBody } }, async ({ body }) => {
    const content = toContent(body)
    const { discountPercent } = checkContent(world, content)
    const face = content.lines.reduce((sum, { denomination, quantity }) => sum + denomination * quantity, 0)
    return {
      face_value: formatCents(face),
      price: formatCents(face - Math.floor((face * discountPercent) / 100)),
      currency: content.currency,
      valid_until: new Date(new Date(body.at).getTime() + QUOTE_VALID_MS).toISOString(),
    }
  })
  app.post('/gift-cards/v1/orders', { schema: { body: OrderBody } }, async ({ body }) => {
    const { account, reference, at } = body
    return presentOrder(placeOrder(world, { account, reference, at: new Date(at), ...toContent(body) }))
  })
  app.get('/gift-cards/v1/orders/:order_id', { schema: { params: OrderPath, querystring: AtQuery } }, async (request) =>
    presentOrder(findOrder(world, request.params.order_id, new Date(request.query.at))),
  )
  app.get('/gift-cards/v1/cards/:card_id/balance', { schema: { params: CardPath } }, async ({ params }) => {
    const { card, order } = getCard(world, params.card_id)
    return { card_id: card.cardId, balance: formatCents(card.balance), currency: order.content.currency }
  })
  app.post('/gift-cards/v1/cards/:card_id/refund', { schema: { params: CardPath } }, async ({ params }) => {
    refundCard(world, params.card_id)
    return { card_id: params.card_id, status: 'refunded' }
  })
}

function toContent({ product, currency, lines }: Static<typeof QuoteBody>): OrderContent {
  return {
    product,
    currency,
    lines: lines.map(({ denomination, quantity }) => ({ denomination: parseCents(denomination), quantity })),
  }
}

export function presentProduct({ discountPercent, inStock, ...product }: Product) {
  return {
    product: product.product,
    name: product.name,
    currency: product.currency,
    denominations: product.denominations?.map(formatCents) ?? null,
    smallest: formatCents(product.smallest),
    largest: formatCents(product.largest),
    discount_percent: discountPercent,
    in_stock: inStock,
  }
}

function presentOrder({ orderId, reference, status, cards }: GiftCardOrder) {
  return {
    order_id: orderId,
    reference,
    status,
    cards: cards.map((card) => ({
      card_id: card.cardId,
      denomination: formatCents(card.denomination),
      number: card.number,
      code: card.code,
      expires_on: card.expiresOn,
    })),
  }
}
