import Type, { type Static } from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import {
  enumField,
  idField,
  instantField,
  namedObject,
  nullable,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { listOperation, type OperatorOperation } from '../../tenants/access/index.ts'
import { getPublisher } from '../../tenants/publishers/index.ts'
import { readUserNames } from '../../users/users/index.ts'
import { allowRevealAs, endOrderAs } from './allow-reveal.ts'
import { orderIdIn, parseCardId } from './cards.ts'
import { readUndecidedOrders, type UndecidedOrder } from './end.ts'
import { orderExample } from './examples.ts'
import type { OrderWithCards } from './order.ts'
import { OrderParams, OrderSchema, presentOrder } from './schema.ts'
import { UNDECIDED_CALLS } from './supplier/queue-queries.ts'

/** Registers the routes for operators' decisions about gift cards. None of the routes reveals a code. */
export function operatorGiftCardRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  revealRoute(operation, deps)
  undecidedRoutes(operation, deps)
}

function revealRoute(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/gift-cards/:card_id/allow-reveal', {
    config: { permission: 'gift-cards:decide' },
    id: 'allowGiftCardReveal',
    summary: 'Allow a gift card code to be revealed once more',
    description: 'For a publisher that lost the response with the code. The code is not returned here.',
    params: Type.Object({ card_id: idField('The card.') }),
    body: strictObject({ reason: textField(500, 'Reason, recorded in the audit log.') }),
    bodyExample: { reason: 'The response was lost in an app outage.' },
    answer: Type.Object({
      card_id: Type.String({ description: 'ID of the card.' }),
      first_revealed_at: Type.Union([Type.String({ description: 'When it was first revealed.' }), Type.Null()]),
    }),
    example: { card_id: 'gcd_01kbjyt5v4e0q9s2k6t8y0a3bd', first_revealed_at: '2026-11-21T10:15:30.000Z' },
    refusals: ['gift_card_not_found', 'publisher_not_found', 'gift_card_status'],
    handler: ({ params, body, actor, once }) => {
      const cardId = parseCardId(params.card_id)
      return once(async (tx) => {
        const first = await allowRevealAs(tx, { cardId, reason: body.reason, by: actor }, deps.clock.now())
        return { card_id: encodeId('gcd', cardId), first_revealed_at: first?.toISOString() ?? null }
      })
    },
  })
}

const AnyOrderSchema = namedObject('OperatorGiftCardOrder', {
  publisher_id: Type.String(),
  environment: enumField(['sandbox', 'production'], 'No real money moves in a sandbox.'),
  supplier_order_id: nullable(Type.String({ description: "The supplier's reference for the order, once known." })),
  ...OrderSchema.properties,
})
const UndecidedSchema = namedObject('UndecidedOrder', {
  ...AnyOrderSchema.properties,
  attempts: Type.Integer({ description: 'Number of requests made to the supplier.' }),
  waiting_since: instantField('When the order started waiting.'),
})

const anyOrderExample: Static<typeof AnyOrderSchema> = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  environment: 'production',
  supplier_order_id: null,
  ...orderExample,
  cards: orderExample.cards.map((card) => ({ ...card, status: 'ordered', masked: null, expires_on: null })),
  status: 'ordered',
  version: 1,
}

function undecidedRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  const { reader } = deps.db
  listOperation(operation, deps.db, {
    route: 'GET /operator/gift-cards/undecided',
    permission: 'gift-cards:read',
    id: 'listUndecidedOrders',
    summary: 'List gift-card orders left undecided by the supplier, oldest first',
    description:
      'Only orders that have waited for more than an hour. The supplier identifies an order by its `order_id`.',
    list: UNDECIDED_CALLS,
    resource: {
      schema: UndecidedSchema,
      example: { ...anyOrderExample, attempts: 12, waiting_since: '2026-11-21T10:15:30.000Z' },
    },
    present: async (calls) => presentUndecided(reader, await readUndecidedOrders(reader, calls)),
    refusals: ['publisher_not_found'],
  })

  operation('POST /operator/gift-cards/orders/:order_id/end', {
    config: { permission: 'gift-cards:decide' },
    id: 'endGiftCardOrder',
    summary: 'End an order left undecided by the supplier',
    description:
      'For use once the supplier has confirmed that nothing will be delivered. The order fails and its money is returned. If the supplier later reports a delivery, it is listed as a contradiction.',
    params: OrderParams,
    body: strictObject({ reason: textField(500, "The supplier's explanation. Visible to the publisher.") }),
    bodyExample: { reason: 'The supplier has lost the order.' },
    answer: AnyOrderSchema,
    example: { ...anyOrderExample, status: 'failed', reason_code: 'ended_by_operator', version: 2 },
    refusals: ['gift_card_order_not_found', 'publisher_not_found', 'gift_card_order_status'],
    handler: ({ params, body: { reason }, actor: by, once }) =>
      once(async (tx) => {
        const ended = await endOrderAs(tx, deps, { orderId: orderIdIn(params.order_id), reason, by })
        const [shown] = await presentAnyOrders(tx, [ended])
        return shown as Static<typeof AnyOrderSchema>
      }),
  })
}

async function presentAnyOrders(
  reader: Reader,
  rows: readonly OrderWithCards[],
): Promise<Static<typeof AnyOrderSchema>[]> {
  const orders = rows.map(({ order }) => order)
  const publisherIds = [...new Set(orders.map(({ publisherId }) => publisherId))]
  const [names, publishers] = [
    await readUserNames(reader, orders),
    await Promise.all(publisherIds.map((publisherId) => getPublisher(reader, publisherId))),
  ]
  const environments = new Map(publishers.map(({ id, environment }) => [id, environment]))
  return rows.map((row) => ({
    publisher_id: encodeId('pub', row.order.publisherId),
    environment: environments.get(row.order.publisherId) ?? 'production',
    supplier_order_id: row.order.supplierOrderId,
    ...presentOrder(row, names.get(row.order.userId) ?? ''),
  }))
}

async function presentUndecided(
  reader: Reader,
  rows: readonly UndecidedOrder[],
): Promise<Static<typeof UndecidedSchema>[]> {
  const shown = await presentAnyOrders(reader, rows)
  return shown.map((order, index) => ({
    ...order,
    attempts: rows[index]?.attempts ?? 0,
    waiting_since: rows[index]?.queuedAt.toISOString() ?? '',
  }))
}
