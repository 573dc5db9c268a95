import type { CatalogStore } from '../../catalog/catalog/index.ts'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import { type App, buildPage, invalidInput, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import { fetchCardBalance, getOrder, orderIdIn, parseCardId, revealCard } from './cards.ts'
import { GIFT_CARD, GIFT_CARD_ORDER, orderedExample, presentOrder } from './order.ts'
import { orderGiftCards } from './place.ts'
import { countOrders, listCards, listOrders, ORDER_SORTS } from './queries.ts'
import { quoteGiftCards } from './quote.ts'
import { requestRefund } from './refund.ts'
import * as schema from './schema.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'

type Deps = OperationDeps & { readonly catalog: CatalogStore; readonly giftCardSupplier: GiftCardSupplier }

export function giftCardRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Gift cards')
  quoteRoute(operation, deps)
  orderRoute(operation, deps)
  readRoutes(operation, deps)
  cardRoutes(operation, deps)
}

function quoteRoute(operation: PublisherOperation, deps: Deps): void {
  operation('POST /gift-cards/quotes', {
    config: { scope: 'transactions:write' },
    id: 'quoteGiftCards',
    summary: 'Quote the cost and reward of gift cards',
    description: 'Checks with the supplier that the cards are available. Stores nothing.',
    body: schema.QuoteRequestSchema,
    bodyExample: schema.itemsExample,
    answer: schema.QuoteSchema,
    example: schema.quoteExample,
    refusals: [
      'user_not_found',
      'offer_unknown',
      'gift_card_unavailable',
      'gift_card_supplier_missing',
      'offer_not_available',
      'denomination_invalid',
      'gift_card_supplier_unavailable',
    ],
    unkept: true,
    handler: async ({ body, publisher, now }) => {
      const { publisher_user_id: publisherUserId, offer_uid: offerUid, items } = body
      refuseMany(items)
      const assortment = await assortmentFor(deps, publisher, offerUid)
      const request = { publisherUserId, offerUid, items }
      const quote = await quoteGiftCards({ ...deps, assortment }, publisher, request, now)
      return schema.presentQuote(quote, { publisherUserId, offerUid })
    },
  })
}

function orderRoute(operation: PublisherOperation, deps: Deps): void {
  operation('POST /gift-cards/orders', {
    config: { scope: 'transactions:write' },
    id: 'orderGiftCards',
    summary: 'Order gift cards for a user who has paid you',
    description:
      'Charge your user first. The supplier delivers within moments, and the event `gift_card.delivered` or `gift_card.failed` reports the outcome; refund your user for anything that was not delivered. Each card is a purchase with its own reward.',
    body: schema.NewOrderSchema,
    bodyExample: { ...schema.itemsExample, external_ref: 'basket-4711' },
    answer: GIFT_CARD_ORDER.schema,
    example: orderedExample,
    refusals: [
      'user_not_found',
      'offer_unknown',
      'gift_card_order_conflict',
      'gift_card_supplier_missing',
      'offer_not_available',
      'event_conflict',
      'denomination_invalid',
    ],
    handler: async ({ body, publisher, now, once }) => {
      const { publisher_user_id: publisherUserId, offer_uid: offerUid, items, external_ref: externalRef } = body
      refuseMany(items)
      const assortment = await assortmentFor(deps, publisher, offerUid)
      const request = { publisherUserId, offerUid, items, externalRef }
      return once(async (tx) =>
        presentOrder(await orderGiftCards(tx, { ...deps, assortment }, publisher, request, now)),
      )
    },
  })
}

function refuseMany(items: readonly { readonly quantity: number }[]): void {
  if (items.reduce((sum, { quantity }) => sum + quantity, 0) <= schema.CARDS_MAX) return
  throw invalidInput([
    { field: 'items', code: 'too_many', message: `must not add up to more than ${schema.CARDS_MAX} cards` },
  ])
}

async function assortmentFor({ catalog }: Deps, publisher: Publisher, offerUid: string) {
  await catalog.lookFor([{ offerUid }])
  return catalog.getAssortment(publisher)
}

function readRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('GET /gift-cards/orders', {
    config: { scope: 'transactions:read' },
    id: 'listGiftCardOrders',
    summary: 'List gift card orders',
    description: 'For all users or for a single user, newest first. Codes are never included.',
    query: schema.OrderQuery,
    answer: pageSchema(GIFT_CARD_ORDER.schema),
    example: pageExample([GIFT_CARD_ORDER.example]),
    refusals: ['user_not_found'],
    handler: async ({ query, publisher, now }) => {
      const { reader } = deps.db
      const paging = readPaging(query, ORDER_SORTS)
      const { publisher_user_id, status = null, external_ref: externalRef = null, start_date, end_date } = query
      if (publisher_user_id !== undefined) await getUser(reader, publisher, publisher_user_id, now)
      const filter = {
        userId: publisher_user_id === undefined ? null : toUserId(publisher.id, publisher_user_id),
        status,
        externalRef,
        from: start_date === undefined ? null : startOfDay(start_date, publisher.timeZone),
        until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), publisher.timeZone),
      }
      const [orders, total] = await Promise.all([
        listOrders(reader, publisher.id, filter, paging),
        countOrders(reader, publisher.id, filter),
      ])
      const cards = Map.groupBy(await listCards(reader, orders), ({ orderId }) => orderId)
      const content = orders.map((order) => presentOrder({ order, cards: cards.get(order.orderId) ?? [] }))
      return buildPage(content, total, paging)
    },
  })

  operation('GET /gift-cards/orders/:order_id', {
    config: { scope: 'transactions:read' },
    id: 'getGiftCardOrder',
    summary: 'Get a gift card order',
    description: 'Includes each of its cards, masked.',
    params: schema.OrderParams,
    answer: GIFT_CARD_ORDER.schema,
    example: GIFT_CARD_ORDER.example,
    refusals: ['gift_card_order_not_found'],
    handler: async ({ params, publisher }) =>
      presentOrder(await getOrder(deps.db.reader, publisher, orderIdIn(params.order_id))),
  })
}

function cardRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('POST /gift-cards/:card_id/reveal', {
    config: { scope: 'transactions:write' },
    id: 'revealGiftCard',
    summary: 'Reveal the number and code of a card, once',
    description:
      'With an Idempotency-Key, a retry gets the same response. Otherwise a second call is refused with `revealed_at`, and only an operator can allow another.',
    params: schema.CardParams,
    answer: schema.RevealedSchema,
    example: {
      card_id: GIFT_CARD.example.card_id,
      number: '6310984427186417',
      code: '40817722',
      expires_on: '2031-12-31',
    },
    refusals: ['gift_card_not_found', 'card_revealed', 'gift_card_status'],
    handler: ({ params, publisher, now, once }) =>
      once(async (tx) => {
        const { card, details } = await revealCard(tx, deps.vault, publisher, parseCardId(params.card_id), now)
        const { number, code } = details
        return { card_id: encodeId('gcd', card.cardId), number, code, expires_on: card.expiresOn }
      }),
  })

  operation('GET /gift-cards/:card_id/balance', {
    config: { scope: 'transactions:read' },
    id: 'getGiftCardBalance',
    summary: 'Get the remaining balance of a gift card',
    description: 'As currently reported by the supplier.',
    params: schema.CardParams,
    answer: schema.CardBalanceSchema,
    example: { card_id: GIFT_CARD.example.card_id, balance: 12.5, currency: 'USD' },
    refusals: ['gift_card_not_found', 'gift_card_status', 'gift_card_supplier_unavailable'],
    handler: async ({ params, publisher }) => {
      const cardId = parseCardId(params.card_id)
      const { balance, currency } = await fetchCardBalance(deps.db.reader, deps.giftCardSupplier, publisher, cardId)
      return { card_id: encodeId('gcd', cardId), balance: toJsonNumber(balance, currency), currency }
    },
  })

  operation('POST /gift-cards/:card_id/refund', {
    config: { scope: 'transactions:write' },
    id: 'refundGiftCard',
    summary: 'Refund an unspent gift card',
    description:
      'The card is refunding until the supplier responds; then `gift_card.refunded` or `gift_card.refund_refused` reports the outcome. Its reward is reversed; return the money to your user once the card is refunded.',
    params: schema.CardParams,
    answer: GIFT_CARD_ORDER.schema,
    example: GIFT_CARD_ORDER.example,
    refusals: ['gift_card_not_found', 'gift_card_status'],
    handler: ({ params, publisher, now, once }) => {
      const cardId = parseCardId(params.card_id)
      return once(async (tx) => presentOrder(await requestRefund(tx, publisher, cardId, now)))
    },
  })
}
