import type { App } from '../platform/http/index.ts'
import { publisherOperations } from '../publishers/index.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import type { EventDeps } from './deps.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { eventExample } from './examples.ts'
import { cursorOf, positionOf, readFeed } from './feed.ts'
import { FeedQuery, FeedSchema, presentEvent } from './schema.ts'

const LIMIT_DEFAULT = 30

export function eventRoutes(app: App, deps: EventDeps): void {
  const webhooks = publisherOperations(app, deps, 'Webhooks')
  endpointRoutes(webhooks, deps)
  deliveryRoutes(webhooks, deps)

  const operation = publisherOperations(app, deps, 'Events')
  operation('GET /events', {
    config: { scope: 'events:read' },
    id: 'listEvents',
    summary: 'Everything that happened, in order and without gaps',
    description:
      'Sequences count up by one: a receiver that has seen 1 to n has missed nothing. Continue with `cursor=next_cursor`, or with `after=next_after`. The cursor also notices that the service was restored from a backup: 409 `feed_restored` names the last event that both know. A position beyond the newest event is refused and the newest named.',
    query: FeedQuery,
    answer: FeedSchema,
    example: { content: [eventExample], next_after: 42, next_cursor: '0-42' },
    refusals: [409],
    handler: async ({ query, publisher }) => {
      const from = query.cursor === undefined ? { epoch: null, sequence: query.after ?? 0 } : positionOf(query.cursor)
      const limit = query.limit ?? query.size ?? LIMIT_DEFAULT
      const { events, next } = await readFeed(deps.db.reader, publisher, from, limit)
      return { content: events.map(presentEvent), next_after: next.sequence, next_cursor: cursorOf(next) }
    },
  })
}
