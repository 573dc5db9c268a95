import Type from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import { idField, instantField, strictObject, textField } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { instant, integer, oneOf, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { listOperation, type OperatorOperation, PUBLISHER_FIELD } from '../../tenants/access/index.ts'
import { ENVIRONMENTS } from '../../tenants/publishers/index.ts'
import { allowRevealAs, orderIdIn, parseCardId } from './cards.ts'
import { endOrderAs } from './end.ts'
import { GIFT_CARD_ORDER, orderedExample } from './order.ts'
import { listCards, listOrdersById } from './queries.ts'
import { OrderParams } from './schema.ts'
import { UNDECIDED_CALLS, type UndecidedCall } from './supplier/queue-queries.ts'

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

const OPERATOR_ORDER = resource('OperatorGiftCardOrder', {
  publisher_id: PUBLISHER_FIELD,
  environment: oneOf(ENVIRONMENTS, {
    joined: true,
    example: 'production',
    description: 'No real money moves in a sandbox.',
  }),
  supplier_order_id: text({
    nullable: true,
    example: null,
    description: "The supplier's reference for the order, once known.",
  }),
  ...GIFT_CARD_ORDER.fields,
})
const UNDECIDED_ORDER = resource('UndecidedOrder', {
  ...OPERATOR_ORDER.fields,
  attempts: integer({ joined: true, example: 12, description: 'Number of requests made to the supplier.' }),
  waiting_since: {
    ...instant({ property: 'queuedAt', joined: true, example: '2026-11-21T10:15:30.000Z' }),
    schema: instantField('When the order started waiting.'),
  },
})

function undecidedRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/gift-cards/undecided',
    permission: 'gift-cards:read',
    id: 'listUndecidedOrders',
    summary: 'List gift-card orders left undecided by the supplier, oldest first',
    description:
      'Only orders that have waited for more than an hour. The supplier identifies an order by its `order_id`.',
    list: UNDECIDED_CALLS,
    resource: { schema: UNDECIDED_ORDER.schema, example: { ...UNDECIDED_ORDER.example, ...orderedExample } },
    present: (calls) => presentUndecided(deps.db.reader, calls),
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
    answer: OPERATOR_ORDER.schema,
    example: {
      ...OPERATOR_ORDER.example,
      ...orderedExample,
      status: 'failed',
      reason_code: 'ended_by_operator',
      version: 2,
    },
    refusals: ['gift_card_order_not_found', 'publisher_not_found', 'gift_card_order_status'],
    handler: ({ params, body: { reason }, actor: by, once }) =>
      once(async (tx) => {
        const { order, cards } = await endOrderAs(tx, deps, { orderId: orderIdIn(params.order_id), reason, by })
        return OPERATOR_ORDER.present({ ...order, cards })
      }),
  })
}

async function presentUndecided(reader: Reader, calls: readonly UndecidedCall[]) {
  const ids = calls.map(({ itemId }) => itemId)
  const orders = new Map((await listOrdersById(reader, ids)).map((order) => [order.orderId, order]))
  const cards = Map.groupBy(await listCards(reader, [...orders.values()]), ({ orderId }) => orderId)
  return calls.flatMap((call) => {
    const order = orders.get(call.itemId)
    return order === undefined
      ? []
      : [UNDECIDED_ORDER.present({ ...order, ...call, cards: cards.get(order.orderId) ?? [] })]
  })
}
