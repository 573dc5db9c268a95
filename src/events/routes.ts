import type { App } from '../platform/http/index.ts'
import { publisherOperations } from '../tenants/access/index.ts'
import type { EventDeps } from './deps.ts'
import { deliveryRoutes } from './endpoints/delivery-routes.ts'
import { endpointRoutes } from './endpoints/endpoint-routes.ts'
import { formatCursor, parseCursor, readFeed } from './feed/feed.ts'
import { eventExample, FeedQuery, FeedSchema, presentEvent } from './schema.ts'

const LIMIT_DEFAULT = 30

export function eventRoutes(app: App, deps: EventDeps): void {
  const webhooks = publisherOperations(app, deps, 'Webhooks')
  endpointRoutes(webhooks, deps)
  deliveryRoutes(webhooks, deps)

  const operation = publisherOperations(app, deps, 'Events')
  operation('GET /events', {
    config: { scope: 'events:read' },
    id: 'listEvents',
    summary: 'List all events in order, without gaps',
    description:
      'Sequences increase by one, so a receiver that has seen 1 to n has missed nothing. Continue with `cursor=next_cursor`, or with `after=next_after`. The cursor also detects that the service was restored from a backup: 409 `feed_restored` specifies the last event known to both sides. A position beyond the newest event is refused, and the error specifies the newest. Events are kept for 400 days unless the operator sets a different period: a position before the oldest event kept is refused with 410 `events_dropped`, which specifies the oldest. Without a position, the feed starts at the oldest event.',
    query: FeedQuery,
    answer: FeedSchema,
    example: { content: [eventExample], next_after: 42, next_cursor: '0-42' },
    refusals: ['feed_position_invalid', 'feed_restored', 'events_dropped'],
    handler: async ({ query, publisher }) => {
      const { after, cursor } = query
      const from =
        cursor !== undefined ? parseCursor(cursor) : after !== undefined ? { epoch: null, sequence: after } : null
      const limit = query.limit ?? query.size ?? LIMIT_DEFAULT
      const { events, next } = await readFeed(deps.db.reader, publisher, from, limit)
      return { content: events.map(presentEvent), next_after: next.sequence, next_cursor: formatCursor(next) }
    },
  })
}
