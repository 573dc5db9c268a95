import {
  buildPage,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  refuseStale,
  strictObject,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { PublisherOperation } from '../../tenants/access/index.ts'
import { lockPublisher } from '../../tenants/publishers/index.ts'
import type { EventDeps } from '../deps.ts'
import {
  EndpointChangesSchema,
  EndpointParams,
  eventExample,
  NewEndpointSchema,
  RecoveredSchema,
  RecoverySchema,
  TestedSchema,
} from '../schema.ts'
import { ENDPOINT, ENDPOINT_WITH_SECRET } from './endpoint.ts'
import { countEndpoints, listEndpoints } from './endpoint-queries.ts'
import * as service from './endpoints.ts'

/** Only callers that may report the outcome of a redemption may let a receiver do so. */
const DECIDING_SCOPE = 'rewards:write'
const SORTS = ['created_at'] as const
const WRITE = { scope: 'webhooks:write' } as const
/** Shared by the operations on one endpoint. */
const ofEndpoint = { config: WRITE, params: EndpointParams }
const showsEndpoint = { ...ofEndpoint, answer: ENDPOINT.schema, example: ENDPOINT.example }
const showsSecret = { answer: ENDPOINT_WITH_SECRET.schema, example: ENDPOINT_WITH_SECRET.example }

export function endpointRoutes(operation: PublisherOperation, deps: EventDeps): void {
  listRoutes(operation, deps)
  oneRoutes(operation, deps)
  lifeRoutes(operation, deps)
  secretRoutes(operation, deps)
}

function listRoutes(operation: PublisherOperation, deps: EventDeps): void {
  operation('GET /webhooks/endpoints', {
    config: { scope: 'webhooks:read' },
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Includes paused and disabled endpoints. Secrets are not returned.',
    query: strictObject(pageQuery),
    answer: pageSchema(ENDPOINT.schema),
    example: pageExample([ENDPOINT.example]),
    handler: async ({ query, publisher }) => {
      const paging = readPaging(query, SORTS)
      const [endpoints, total] = await Promise.all([
        listEndpoints(deps.db.reader, publisher.id, paging),
        countEndpoints(deps.db.reader, publisher.id),
      ])
      return buildPage(endpoints.map(ENDPOINT.present), total, paging)
    },
  })
}

function oneRoutes(operation: PublisherOperation, deps: EventDeps): void {
  operation('GET /webhooks/endpoints/:endpoint_id', {
    ...showsEndpoint,
    config: { scope: 'webhooks:read' },
    id: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'Does not include the secret, which is only returned once.',
    refusals: ['endpoint_not_found'],
    handler: async ({ params, publisher }) =>
      ENDPOINT.present(
        await service.getEndpoint(deps.db.reader, publisher, service.parseEndpointId(params.endpoint_id)),
      ),
  })

  operation('PATCH /webhooks/endpoints/:endpoint_id', {
    ...showsEndpoint,
    id: 'changeWebhookEndpoint',
    summary: 'Update a webhook endpoint',
    description:
      'Changes only the fields you send. After its URL changes, the endpoint counts as healthy and waiting deliveries are sent there immediately. A disabled endpoint receives nothing; `recover` sends what it missed. Use `expected` to avoid overwriting a change made by someone else in the meantime.',
    body: EndpointChangesSchema,
    bodyExample: { url: ENDPOINT.example.url, disabled: false },
    refusals: ['webhook_url_refused', 'endpoint_not_found', 'changed_meanwhile'],
    handler: async ({ params, body, publisher, scopes, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      const { event_types, decides_outcomes, expected, ...rest } = body
      const changes = {
        ...rest,
        ...(event_types === undefined ? {} : { eventTypes: event_types }),
        ...(decides_outcomes === undefined ? {} : { decidesOutcomes: decides_outcomes }),
      }
      const asked = { endpointId, changes, mayDecide: scopes.includes(DECIDING_SCOPE) }
      return once(async (tx) => {
        if (expected !== undefined) {
          await lockPublisher(tx, publisher.id)
          refuseStale(expected, ENDPOINT.present(await service.getEndpoint(tx, publisher, endpointId)))
        }
        return ENDPOINT.present(await service.changeEndpoint(tx, deps, publisher, asked, deps.clock.now()))
      })
    },
  })

  operation('POST /webhooks/endpoints/:endpoint_id/recover', {
    ...ofEndpoint,
    id: 'recoverWebhookEndpoint',
    summary: 'Send an endpoint everything it missed since a point in time',
    description:
      'Enables the endpoint and immediately sends its waiting deliveries, then every event since that time that was not delivered to it because it was stopped, all attempts failed, it did not exist yet, or it did not subscribe to the type. Delivered events are not sent again. Reaches back at most as far as deliveries are kept (90 days unless the operator configures a different period), less a day. `dropped_until` indicates whether any events since that time are no longer kept.',
    body: RecoverySchema,
    bodyExample: { since: ENDPOINT.example.created_at },
    answer: RecoveredSchema,
    example: { after: 42, until: 59, dropped_until: null },
    refusals: ['replay_range_invalid', 'endpoint_not_found'],
    handler: async ({ params, body, publisher, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      const since = new Date(body.since)
      return once((tx) =>
        service.recoverEndpoint(tx, publisher, endpointId, since, deps.clock.now(), deps.retentionDays.deliveries),
      )
    },
  })
}

function lifeRoutes(operation: PublisherOperation, deps: EventDeps): void {
  operation('POST /webhooks/endpoints', {
    config: WRITE,
    ...showsSecret,
    id: 'createWebhookEndpoint',
    summary: 'Register a webhook endpoint',
    description: 'Webhooks follow Standard Webhooks. The secret is returned only here and on rotation.',
    body: NewEndpointSchema,
    bodyExample: { url: ENDPOINT.example.url, event_types: ENDPOINT.example.event_types },
    refusals: ['webhook_url_refused', 'too_many_endpoints'],
    handler: async ({ body, publisher, scopes, once }) => {
      const { url, event_types, description, decides_outcomes: decidesOutcomes = false } = body
      const input = { url, eventTypes: event_types ?? null, description: description ?? null, decidesOutcomes }
      const asked = { ...input, mayDecide: scopes.includes(DECIDING_SCOPE) }
      return once(async (tx) =>
        presentWithSecret(await service.createEndpoint(tx, deps, publisher, asked, deps.clock.now())),
      )
    },
  })

  operation('DELETE /webhooks/endpoints/:endpoint_id', {
    ...showsEndpoint,
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries waiting for it are not sent.',
    refusals: ['endpoint_not_found'],
    handler: async ({ params, publisher, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      return once(async (tx) =>
        ENDPOINT.present(await service.deleteEndpoint(tx, publisher, endpointId, deps.clock.now())),
      )
    },
  })

  operation('POST /webhooks/endpoints/:endpoint_id/enable', {
    ...showsEndpoint,
    id: 'enableWebhookEndpoint',
    summary: 'Enable a paused or disabled webhook endpoint',
    description:
      'An endpoint is disabled when it responds with 410, and paused when all attempts over five days, at least ten of them, have failed. Waiting deliveries are sent immediately, oldest first. To send the events it missed while it was stopped, use `recover`, or replay everything after `stopped_after_sequence`.',
    refusals: ['endpoint_not_found'],
    handler: async ({ params, publisher, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      return once(async (tx) =>
        ENDPOINT.present(await service.enableEndpoint(tx, publisher, endpointId, deps.clock.now())),
      )
    },
  })
}

function secretRoutes(operation: PublisherOperation, deps: EventDeps): void {
  operation('POST /webhooks/endpoints/:endpoint_id/rotate-secret', {
    ...ofEndpoint,
    ...showsSecret,
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'For 24 hours, webhooks are signed with both the new secret and the previous one.',
    refusals: ['endpoint_not_found'],
    handler: async ({ params, publisher, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      return once(async (tx) =>
        presentWithSecret(await service.rotateSecret(tx, deps.vault, publisher, endpointId, deps.clock.now())),
      )
    },
  })

  operation('POST /webhooks/endpoints/:endpoint_id/test', {
    ...ofEndpoint,
    id: 'testWebhookEndpoint',
    summary: 'Send webhook.test to a webhook endpoint',
    description:
      "Signed and retried like any event, but sent only to this endpoint. When it arrives, the endpoint's waiting deliveries are sent immediately.",
    answer: TestedSchema,
    example: { event_id: eventExample.id, event_type: 'webhook.test' },
    refusals: ['endpoint_not_found', 'endpoint_not_enabled'],
    handler: async ({ params, publisher, now, once }) => {
      const endpointId = service.parseEndpointId(params.endpoint_id)
      return once(async (tx) => {
        const eventId = await service.testEndpoint(tx, publisher, endpointId, now)
        return { event_id: encodeId('evt', eventId), event_type: 'webhook.test' }
      })
    },
  })
}

function presentWithSecret({ endpoint, secret }: service.EndpointWithSecret) {
  return ENDPOINT_WITH_SECRET.present({ ...endpoint, secret })
}
