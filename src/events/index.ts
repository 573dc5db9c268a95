/**
 * Events: the feed of everything that happened, webhook endpoints and their signed deliveries. Guarantees that an event
 * is recorded in the transaction that caused it, gets a gap-free number, is delivered at least once or listed as
 * exhausted, in order for each user, and that no endpoint delays another.
 */

export { listAnnouncements } from './delivery/announcement-queries.ts'
export { DELIVERY } from './delivery/delivery.ts'
export {
  DELIVERIES_EXAMINED,
  failingEndpoints,
  findWebhookHealth,
  type WebhookHealth,
} from './delivery/health-queries.ts'
export { sequenceEvents } from './delivery/sequencer.ts'
export { describeEvents, type EventDescription } from './describe-events.ts'
export { type Connections, openConnections } from './egress/connections.ts'
export { type Egress, egressOf, urlFault } from './egress/egress.ts'
export { createNames } from './egress/names.ts'
export type { EventRefusal } from './errors.ts'
export { announced, announcedVersions } from './feed/announced-queries.ts'
export { beginFeedEpoch } from './feed/feed.ts'
export { sequenceBefore } from './feed/feed-queries.ts'
export { eventLoops } from './loops.ts'
export { operatorDeliveryRoutes } from './operator-routes.ts'
export { EVENT_TYPES, type EventRecord, formerMembers, recordEvents } from './record.ts'
export { retainedDeliveries, retainedEvents } from './retention.ts'
export { eventRoutes } from './routes.ts'
export { TestDataSchema } from './schema.ts'
export { dataTextOf } from './stored-data.ts'
