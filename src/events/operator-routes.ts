import Type from 'typebox'
import {
  enumOf,
  idField,
  namedObject,
  strictObject,
  walkExample,
  walkedPage,
  walkOf,
  walkQuery,
  walkSchema,
} from '../platform/http/index.ts'
import { decodeId, encodeId } from '../platform/ids.ts'
import { type OperatorDeps, type OperatorOperation, publisherIdIn } from '../tenants/access/index.ts'
import { faultAt } from '../tenants/publishers/index.ts'
import { walkDeliveries, walkEndpoints } from './endpoints/across-queries.ts'
import { EVENT_TYPES } from './record.ts'
import { DeliverySchema, EndpointSchema, presentDelivery, presentEndpoint } from './schema.ts'

const OperatorDeliverySchema = namedObject('OperatorWebhookDelivery', {
  publisher_id: Type.String(),
  ...DeliverySchema.properties,
})
const OperatorEndpointSchema = namedObject('OperatorWebhookEndpoint', {
  publisher_id: Type.String(),
  ...EndpointSchema.properties,
  failures: Type.Integer({ description: 'Failed attempts since the last success.' }),
})
const publisher = { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' }
const endpoint_id = 'whe_01kbjyt5v3f4nvj5yq5yfypr9v'
const ORDER = '-created_at'

/**
 * Registers the routes for the webhooks of all publishers. Actions on a webhook are among the publishers' own
 * operations.
 */
export function operatorDeliveryRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  deliveriesRoute(operation, deps)
  endpointsRoute(operation, deps)
}

function deliveriesRoute(operation: OperatorOperation, { db: { reader } }: OperatorDeps): void {
  operation('GET /operator/deliveries', {
    config: { permission: 'webhooks:read' },
    id: 'listAllDeliveries',
    summary: 'List webhook deliveries of all publishers, newest first',
    description:
      'With its publisher in `Laurel-Publisher`, `GET /webhooks/deliveries/{…}/attempts` lists the attempts of a delivery, and `POST …/replay` sends it again.',
    query: strictObject({
      publisher_id: Type.Optional(idField('Only deliveries of this publisher.')),
      endpoint_id: Type.Optional(idField('Only deliveries to this endpoint (whe_…).')),
      status: Type.Optional(enumOf(['pending', 'delivered', 'exhausted'], 'Only deliveries with this status.')),
      event_type: Type.Optional(enumOf(EVENT_TYPES, 'Only deliveries of events of this type.')),
      ...walkQuery,
    }),
    answer: walkSchema(OperatorDeliverySchema),
    example: walkExample([
      {
        ...publisher,
        delivery_id: 'dlv_01kbjyt5v3f4nvj5yq5yfypr9v',
        endpoint_id,
        event_id: 'evt_01kbjyt5v3f4nvj5yq5yfypr9v',
        event_type: 'user.created',
        sequence: 42,
        status: 'delivered',
        attempts: 1,
        last_attempt_at: '2026-11-21T10:15:30.000Z',
        next_attempt_at: null,
        waits_for: null,
        response_status: 200,
        error: null,
      },
    ]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, endpoint_id, status = null, event_type = null } = query
      const filter = {
        publisherId: publisher_id === undefined ? null : publisherIdIn(publisher_id),
        endpointId: endpoint_id === undefined ? null : endpointIdIn(endpoint_id),
        status,
        type: event_type,
      }
      const found = await walkDeliveries(reader, filter, walkOf(query, ORDER, 'integer'))
      return walkedPage(found, ORDER, (row) => ({ ...uidOf(row), ...presentDelivery(row) }))
    },
  })
}

function endpointsRoute(operation: OperatorOperation, { db: { reader } }: OperatorDeps): void {
  operation('GET /operator/endpoints', {
    config: { permission: 'webhooks:read' },
    id: 'listAllEndpoints',
    summary: 'List webhook endpoints of all publishers with their health, newest first',
    description:
      'Secrets are not included. `POST /webhooks/endpoints/{…}/recover` sends the events an endpoint missed.',
    query: strictObject({
      publisher_id: Type.Optional(idField('Only endpoints of this publisher.')),
      status: Type.Optional(enumOf(['enabled', 'paused', 'disabled'], 'Only endpoints with this status.')),
      failing: Type.Optional(enumOf(['true', 'false'], 'If true, only endpoints whose last attempt failed.')),
      ...walkQuery,
    }),
    answer: walkSchema(OperatorEndpointSchema),
    example: walkExample([
      {
        ...publisher,
        endpoint_id,
        url: 'https://acme.example/hooks',
        event_types: null,
        description: null,
        decides_outcomes: false,
        status: 'paused',
        failing_since: '2026-11-21T10:15:30.000Z',
        failures: 20,
        stopped_after_sequence: 41,
        created_at: '2026-11-01T10:15:30.000Z',
      },
    ]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, status = null, failing } = query
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      const filter = { publisherId, status, fails: failing === 'true' }
      const found = await walkEndpoints(reader, filter, walkOf(query, ORDER, 'instant'))
      return walkedPage(found, ORDER, (row) => ({ ...uidOf(row), ...presentEndpoint(row), failures: row.failures }))
    },
  })
}

function uidOf({ publisherId }: { readonly publisherId: string }): { publisher_id: string } {
  return { publisher_id: encodeId('pub', publisherId) }
}

function endpointIdIn(text: string): NonNullable<Parameters<typeof walkDeliveries>[1]['endpointId']> {
  const id = decodeId<'endpoint'>('whe', text)
  if (id === null) throw faultAt('endpoint_id', 'must be the id of an endpoint (whe_…)')
  return id
}
