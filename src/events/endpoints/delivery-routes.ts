import { readListCount } from '../../platform/db/list-counts.ts'
import { buildPage, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import type { OperationDeps, PublisherOperation } from '../../tenants/access/index.ts'
import { ATTEMPT, DELIVERY } from '../delivery/delivery.ts'
import { countDeliveries, type DeliveryFilter, listAttempts, listDeliveries } from '../delivery/delivery-queries.ts'
import { listEventsAfter } from '../feed/feed-queries.ts'
import {
  AttemptsSchema,
  DeliveryParams,
  DeliveryQuery,
  EndpointParams,
  eventExample,
  presentAttempts,
  RangeSchema,
  ReplayedSchema,
} from '../schema.ts'
import { getEndpoint, parseEndpointId } from './endpoints.ts'
import { getDelivery, parseDeliveryId, replayDelivery, replayRange } from './replays.ts'

const SORTS = ['created_at'] as const

export function deliveryRoutes(operation: PublisherOperation, deps: OperationDeps): void {
  listRoute(operation, deps)
  attemptsRoute(operation, deps)
  replayRoutes(operation, deps)
}

function listRoute(operation: PublisherOperation, deps: OperationDeps): void {
  operation('GET /webhooks/deliveries', {
    config: { scope: 'webhooks:read' },
    id: 'listWebhookDeliveries',
    summary: 'List webhook deliveries, newest first',
    description: 'Finished deliveries are kept for 90 days unless the operator configures a different period.',
    query: DeliveryQuery,
    answer: pageSchema(DELIVERY.schema),
    example: pageExample([DELIVERY.example]),
    refusals: ['endpoint_not_found'],
    handler: async ({ query, publisher }) => {
      const { endpoint_id, status, event_type } = query
      const paging = readPaging(query, SORTS)
      const endpointId = endpoint_id === undefined ? null : parseEndpointId(endpoint_id)
      if (endpointId !== null) await getEndpoint(deps.db.reader, publisher, endpointId)
      const filter: DeliveryFilter = { endpointId, status: status ?? null, type: event_type ?? null }
      const isUnfiltered = Object.values(filter).every((value) => value === null)
      const [deliveries, total] = await Promise.all([
        listDeliveries(deps.db.reader, publisher.id, filter, paging),
        isUnfiltered
          ? readListCount(deps.db.reader, publisher.id, 'webhook_deliveries')
          : countDeliveries(deps.db.reader, publisher.id, filter),
      ])
      return buildPage(deliveries.map(DELIVERY.present), total, paging)
    },
  })
}

function attemptsRoute(operation: PublisherOperation, deps: OperationDeps): void {
  operation('GET /webhooks/deliveries/:delivery_id/attempts', {
    config: { scope: 'webhooks:read' },
    id: 'listWebhookAttempts',
    summary: 'Get the payload and attempts of a delivery, newest attempt first',
    description:
      "The last twenty attempts, each with the first KB of the receiver's response. They are kept for as long as the delivery. `event` is the body, or null if the event is no longer in the feed.",
    params: DeliveryParams,
    answer: AttemptsSchema,
    example: { delivery: DELIVERY.example, event: eventExample, content: [ATTEMPT.example] },
    refusals: ['delivery_not_found'],
    handler: async ({ params, publisher }) => {
      const delivery = await getDelivery(deps.db.reader, publisher, parseDeliveryId(params.delivery_id))
      const [[next], attempts] = await Promise.all([
        listEventsAfter(deps.db.reader, publisher, Number(delivery.sequence) - 1, 1),
        listAttempts(deps.db.reader, publisher.id, delivery.deliveryId),
      ])
      const event = next?.sequence === delivery.sequence ? next : null
      return presentAttempts(delivery, event, attempts)
    },
  })
}

function replayRoutes(operation: PublisherOperation, deps: OperationDeps): void {
  operation('POST /webhooks/deliveries/:delivery_id/replay', {
    config: { scope: 'webhooks:write' },
    id: 'replayWebhookDelivery',
    summary: 'Redeliver an event',
    description:
      "Returns the new delivery. If the delivery is still waiting for its next attempt, it is attempted immediately, or after a pause of up to a minute if earlier extra attempts failed, and is itself returned. The endpoint's other waiting deliveries are attempted too; early attempts do not count toward the retry schedule. An exhausted delivery can be replayed as long as its event is in the feed; after that, the response is 410 `events_dropped`.",
    params: DeliveryParams,
    answer: DELIVERY.schema,
    example: { ...DELIVERY.example, status: 'pending', attempts: 0, last_attempt_at: null, response_status: null },
    refusals: ['delivery_not_found', 'endpoint_not_found', 'endpoint_not_enabled', 'events_dropped'],
    handler: async ({ params, publisher, once }) => {
      const deliveryId = parseDeliveryId(params.delivery_id)
      return once(async (tx) => DELIVERY.present(await replayDelivery(tx, publisher, deliveryId, deps.clock.now())))
    },
  })

  operation('POST /webhooks/endpoints/:endpoint_id/replay', {
    config: { scope: 'webhooks:write' },
    id: 'replayWebhookRange',
    summary: 'Redeliver a range of events',
    description:
      'At most 10,000 sequences per call; `next_after` tells where to continue. Refused with 409 `deliveries_waiting` while 10,000 or more deliveries are waiting for the endpoint, and with 410 `events_dropped` if the range begins before the oldest retained event.',
    params: EndpointParams,
    body: RangeSchema,
    answer: ReplayedSchema,
    example: { replayed: 17, until: 59, next_after: null },
    bodyExample: { after: 42, until: 59 },
    refusals: [
      'replay_range_invalid',
      'endpoint_not_found',
      'deliveries_waiting',
      'endpoint_not_enabled',
      'events_dropped',
    ],
    handler: async ({ params, body, publisher, once }) => {
      const endpointId = parseEndpointId(params.endpoint_id)
      const range = { after: body.after, until: body.until ?? null }
      return once(async (tx) => {
        const { replayed, until, nextAfter } = await replayRange(tx, publisher, endpointId, range, deps.clock.now())
        return { replayed, until, next_after: nextAfter }
      })
    },
  })
}
