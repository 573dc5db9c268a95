import { type App, operation } from '../platform/http/index.ts'
import { publisherOf } from '../publishers/index.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import type { EventDeps } from './deps.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { eventExample } from './examples.ts'
import { listEventsAfter } from './feed-queries.ts'
import { FeedQuery, FeedSchema, presentEvent } from './schema.ts'

const LIMIT_DEFAULT = 30

export function eventRoutes(app: App, deps: EventDeps): void {
  endpointRoutes(app, deps)
  deliveryRoutes(app, deps)

  app.get(
    '/events',
    operation({
      config: { scope: 'events:read' },
      id: 'listEvents',
      summary: 'Everything that happened, in order and without gaps',
      description:
        'Sequences count up by one: a receiver that has seen 1 to n has missed nothing. Continue after `next_after`.',
      tag: 'Events',
      query: FeedQuery,
      answer: FeedSchema,
      example: { content: [eventExample], next_after: 42 },
    }),
    async (request) => {
      const after = request.query.after ?? 0
      const limit = request.query.limit ?? request.query.size ?? LIMIT_DEFAULT
      const events = await listEventsAfter(deps.db.reader, publisherOf(request), after, limit)
      return { content: events.map(presentEvent), next_after: Number(events.at(-1)?.sequence ?? after) }
    },
  )
}
