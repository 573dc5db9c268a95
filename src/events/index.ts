/**
 * Events: the feed of everything that happened, webhook endpoints and their signed deliveries. Guarantees that an event
 * is recorded in the transaction that caused it, is numbered without gaps, and is delivered at least once, in order for
 * each user, or listed as exhausted; and that no endpoint delays another.
 */

export { listAnnouncements } from './delivery/announcement-queries.ts'
export { DELIVERY } from './delivery/delivery.ts'
export {
  countFailingEndpoints,
  DELIVERIES_EXAMINED,
  findWebhookHealth,
} from './delivery/health-queries.ts'
export { sequenceEvents } from './delivery/sequencer.ts'
export { describeEvents, type EventDescription } from './describe-events.ts'
export { type Connections, openConnections } from './egress/connections.ts'
export { configureEgress, type Egress, findUrlFault } from './egress/egress.ts'
export { createNames } from './egress/names.ts'
export type { EventRefusal } from './errors.ts'
export { selectAnnounced, selectAnnouncedVersions } from './feed/announced-queries.ts'
export { beginFeedEpoch, findSequenceBefore } from './feed/feed-queries.ts'
export { createEventLoops } from './loops.ts'
export { operatorDeliveryRoutes } from './operator-routes.ts'
export { diffMembers, EVENT_TYPES, type EventRecord, recordEvents } from './record.ts'
export { retainedDeliveries, retainedEvents } from './retention.ts'
export { eventRoutes } from './routes.ts'
export { TestDataSchema } from './schema.ts'
export { toDataText } from './stored-data.ts'
