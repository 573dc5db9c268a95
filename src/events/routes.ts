import type { App } from '../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../publishers/index.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { eventExample } from './examples.ts'
import { listEventsAfter } from './feed-queries.ts'
import { FeedQuery, FeedSchema, presentEvent } from './schema.ts'

const LIMIT_DEFAULT = 30

export function eventRoutes(app: App, deps: OperationDeps): void {
  const webhooks = publisherOperations(app, deps, 'Webhooks')
  endpointRoutes(webhooks, deps)
  deliveryRoutes(webhooks, deps)

  const operation = publisherOperations(app, deps, 'Events')
  operation('GET /events', {
    config: { scope: 'events:read' },
    id: 'listEvents',
    summary: 'Everything that happened, in order and without gaps',
    description:
      'Sequences count up by one: a receiver that has seen 1 to n has missed nothing. Continue after `next_after`.',
    query: FeedQuery,
    answer: FeedSchema,
    example: { content: [eventExample], next_after: 42 },
    handler: async ({ query, publisher }) => {
      const after = query.after ?? 0
      const limit = query.limit ?? query.size ?? LIMIT_DEFAULT
      const events = await listEventsAfter(deps.db.reader, publisher, after, limit)
      return { content: events.map(presentEvent), next_after: Number(events.at(-1)?.sequence ?? after) }
    },
  })
}
