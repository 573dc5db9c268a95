import {
  type App,
  operation,
  pageExample,
  pageOf,
  pageQuery,
  pageSchema,
  sortOf,
  strictObject,
} from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { answerOnce, publisherNow, publisherOf } from '../publishers/index.ts'
import type { EventDeps } from './deps.ts'
import { countEndpoints, listEndpoints } from './endpoint-queries.ts'
import * as service from './endpoints.ts'
import { endpointExample, eventExample, secretExample } from './examples.ts'
import {
  EndpointParams,
  EndpointSchema,
  EndpointWithSecretSchema,
  NewEndpointSchema,
  presentEndpoint,
  presentWithSecret,
  TestedSchema,
} from './schema.ts'

const SORTS = ['created_at'] as const

export function endpointRoutes(app: App, deps: EventDeps): void {
  listRoutes(app, deps)
  lifeRoutes(app, deps)
  secretRoutes(app, deps)
}

function listRoutes(app: App, deps: EventDeps): void {
  app.get(
    '/webhooks/endpoints',
    operation({
      config: { scope: 'webhooks:read' },
      id: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      tag: 'Webhooks',
      query: strictObject(pageQuery),
      answer: pageSchema(EndpointSchema),
      example: pageExample([endpointExample]),
    }),
    async (request) => {
      const publisher = publisherOf(request)
      const paging = sortOf(request.query, SORTS)
      const newestFirst = paging.sort[0]?.descending ?? false
      const endpoints = await listEndpoints(deps.db.reader, publisher.id, { ...paging, newestFirst })
      return pageOf(endpoints.map(presentEndpoint), await countEndpoints(deps.db.reader, publisher.id), paging)
    },
  )
}

function lifeRoutes(app: App, deps: EventDeps): void {
  app.post(
    '/webhooks/endpoints',
    operation({
      config: { scope: 'webhooks:write' },
      id: 'createWebhookEndpoint',
      summary: 'Register a webhook endpoint',
      description: 'Webhooks follow Standard Webhooks. The secret is shown here and on rotation, never again.',
      tag: 'Webhooks',
      body: NewEndpointSchema,
      answer: EndpointWithSecretSchema,
      example: secretExample,
      bodyExample: { url: endpointExample.url, event_types: endpointExample.event_types },
      refusals: [409, 422],
    }),
    async (request, reply) => {
      const { url, event_types } = request.body
      const input = { url, eventTypes: event_types ?? null }
      return answerOnce(deps, request, reply, async (tx) =>
        presentWithSecret(await service.createEndpoint(tx, deps.vault, publisherOf(request), input, deps.clock.now())),
      )
    },
  )

  app.delete(
    '/webhooks/endpoints/:endpoint_id',
    operation({
      config: { scope: 'webhooks:write' },
      id: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'Waiting deliveries to it are not sent.',
      tag: 'Webhooks',
      params: EndpointParams,
      answer: EndpointSchema,
      example: endpointExample,
      refusals: [404, 422],
    }),
    async (request, reply) => {
      const endpointId = service.endpointIdOf(request.params.endpoint_id)
      return answerOnce(deps, request, reply, async (tx) =>
        presentEndpoint(await service.deleteEndpoint(tx, publisherOf(request), endpointId, deps.clock.now())),
      )
    },
  )

  app.post(
    '/webhooks/endpoints/:endpoint_id/enable',
    operation({
      config: { scope: 'webhooks:write' },
      id: 'enableWebhookEndpoint',
      summary: 'Enable a paused or disabled endpoint',
      description:
        'An endpoint is disabled when it responds with 410, and paused when every attempt of five days, and at least ten, failed. Events since then can be replayed after `stopped_after_sequence`.',
      tag: 'Webhooks',
      params: EndpointParams,
      answer: EndpointSchema,
      example: endpointExample,
      refusals: [404, 422],
    }),
    async (request, reply) => {
      const endpointId = service.endpointIdOf(request.params.endpoint_id)
      return answerOnce(deps, request, reply, async (tx) =>
        presentEndpoint(await service.enableEndpoint(tx, publisherOf(request), endpointId)),
      )
    },
  )
}

function secretRoutes(app: App, deps: EventDeps): void {
  app.post(
    '/webhooks/endpoints/:endpoint_id/rotate-secret',
    operation({
      config: { scope: 'webhooks:write' },
      id: 'rotateWebhookSecret',
      summary: 'Replace the secret of an endpoint',
      description: 'For 24 hours webhooks are signed with both the new secret and the one it replaces.',
      tag: 'Webhooks',
      params: EndpointParams,
      answer: EndpointWithSecretSchema,
      example: secretExample,
      refusals: [404, 422],
    }),
    async (request, reply) => {
      const endpointId = service.endpointIdOf(request.params.endpoint_id)
      return answerOnce(deps, request, reply, async (tx) =>
        presentWithSecret(
          await service.rotateSecret(tx, deps.vault, publisherOf(request), endpointId, deps.clock.now()),
        ),
      )
    },
  )

  app.post(
    '/webhooks/endpoints/:endpoint_id/test',
    operation({
      config: { scope: 'webhooks:write' },
      id: 'testWebhookEndpoint',
      summary: 'Send webhook.test to one endpoint',
      tag: 'Webhooks',
      params: EndpointParams,
      answer: TestedSchema,
      example: { event_id: eventExample.id, event_type: 'webhook.test' },
      refusals: [404, 409, 422],
    }),
    async (request, reply) => {
      const publisher = publisherOf(request)
      const endpointId = service.endpointIdOf(request.params.endpoint_id)
      return answerOnce(deps, request, reply, async (tx) => {
        const eventId = await service.testEndpoint(tx, publisher, endpointId, publisherNow(publisher, deps.clock))
        return { event_id: encodeId('evt', eventId), event_type: 'webhook.test' }
      })
    },
  )
}
