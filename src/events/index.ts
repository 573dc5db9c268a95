/**
 * Events: the feed of everything that happened, webhook endpoints and their signed deliveries. Guarantees that an event
 * is recorded in the transaction that caused it, gets a gap-free number, is delivered at least once or listed as
 * exhausted, in order for each user, and that no endpoint delays another.
 */
export { walkDeliveries, walkEndpoints } from './across-queries.ts'
export { announced, announcedVersions } from './announced-queries.ts'
export { listAnnouncements } from './announcement-queries.ts'
export { type Connections, openConnections } from './connections.ts'
export { describeEvents, type EventDescription } from './describe-events.ts'
export { type Egress, egressOf, urlFault } from './egress.ts'
export type { EventRefusal } from './errors.ts'
export { beginFeedEpoch } from './feed.ts'
export { sequenceBefore } from './feed-queries.ts'
export { DELIVERIES_EXAMINED, failingEndpoints, findWebhookHealth, type WebhookHealth } from './health-queries.ts'
export { eventLoops } from './loops.ts'
export { createNames } from './names.ts'
export { EVENT_TYPES, type EventRecord, formerMembers, recordEvents } from './record.ts'
export { retainedDeliveries, retainedEvents } from './retention.ts'
export { eventRoutes } from './routes.ts'
export { DeliverySchema, EndpointSchema, presentDelivery, presentEndpoint, TestDataSchema } from './schema.ts'
export { sequenceEvents } from './sequencer.ts'
export { dataTextOf } from './stored-data.ts'
