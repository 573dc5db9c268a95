import type { App } from '../platform/http/index.ts'
import { publisherOperations } from '../tenants/access/index.ts'
import type { EventDeps } from './deps.ts'
import { deliveryRoutes } from './endpoints/delivery-routes.ts'
import { endpointRoutes } from './endpoints/endpoint-routes.ts'
import { eventExample } from './examples.ts'
import { cursorOf, positionOf, readFeed } from './feed/feed.ts'
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
      'Sequences count up by one: a receiver that has seen 1 to n has missed nothing. Continue with `cursor=next_cursor`, or with `after=next_after`. The cursor also notices that the service was restored from a backup: 409 `feed_restored` names the last event that both know. A position beyond the newest event is refused and the newest named. Events are kept for 400 days unless the operator sets another time: a position before the oldest that is kept is refused with 410 `events_dropped`, which names the oldest; without a position, the feed begins there.',
    query: FeedQuery,
    answer: FeedSchema,
    example: { content: [eventExample], next_after: 42, next_cursor: '0-42' },
    refusals: ['feed_position_invalid', 'feed_restored', 'events_dropped'],
    handler: async ({ query, publisher }) => {
      const { after, cursor } = query
      const from =
        cursor !== undefined ? positionOf(cursor) : after !== undefined ? { epoch: null, sequence: after } : null
      const limit = query.limit ?? query.size ?? LIMIT_DEFAULT
      const { events, next } = await readFeed(deps.db.reader, publisher, from, limit)
      return { content: events.map(presentEvent), next_after: next.sequence, next_cursor: cursorOf(next) }
    },
  })
}
