import { integer } from '../platform/resource/fields.ts'
import { resource } from '../platform/resource/resource.ts'
import { listOperation, type OperatorDeps, type OperatorOperation, PUBLISHER_FIELD } from '../tenants/access/index.ts'
import { DELIVERY } from './delivery/delivery.ts'
import { DELIVERY_LIST, ENDPOINT_LIST } from './endpoints/across-queries.ts'
import { ENDPOINT } from './endpoints/endpoint.ts'

const OPERATOR_DELIVERY = resource('OperatorWebhookDelivery', { publisher_id: PUBLISHER_FIELD, ...DELIVERY.fields })
const OPERATOR_ENDPOINT = resource('OperatorWebhookEndpoint', {
  publisher_id: PUBLISHER_FIELD,
  ...ENDPOINT.fields,
  failures: integer({ example: 0, description: 'Failed attempts since the last success.' }),
})

/**
 * Registers the routes that list all publishers' webhooks. Operators act on a webhook through the publisher's own
 * operations.
 */
export function operatorDeliveryRoutes(operation: OperatorOperation, { db }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/deliveries',
    permission: 'webhooks:read',
    id: 'listAllDeliveries',
    summary: 'List webhook deliveries across all publishers, newest first',
    description:
      "With a delivery's publisher in `Laurel-Publisher`, `GET /webhooks/deliveries/{…}/attempts` lists its attempts, and `POST …/replay` sends it again.",
    list: DELIVERY_LIST,
    resource: OPERATOR_DELIVERY,
    refusals: ['publisher_not_found'],
  })
  listOperation(operation, db, {
    route: 'GET /operator/endpoints',
    permission: 'webhooks:read',
    id: 'listAllEndpoints',
    summary: 'List webhook endpoints across all publishers with their health, newest first',
    description:
      'Secrets are not included. `POST /webhooks/endpoints/{…}/recover` sends the events an endpoint missed.',
    list: ENDPOINT_LIST,
    resource: OPERATOR_ENDPOINT,
    example: {
      status: 'paused',
      failing_since: '2026-11-16T10:15:30.000Z',
      failures: 20,
      stopped_after_sequence: 41,
    },
    refusals: ['publisher_not_found'],
  })
}
