import type { Reader, Tx } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { Delivery, DeliveryId } from '../delivery/delivery.ts'
import * as queries from '../delivery/delivery-queries.ts'
import { preferLookups } from '../delivery/lease-queries.ts'
import type { EventRefusal } from '../errors.ts'
import { checkKept } from '../feed/feed.ts'
import { findFeedBounds } from '../feed/feed-queries.ts'
import type { EndpointId } from '../record.ts'
import { getEnabledEndpoint, markRecovered } from './endpoints.ts'

/**
 * A replay is a new delivery of the same event with the same ID and bytes, so a receiver that records event IDs can
 * drop duplicates. It is queued behind deliveries that are already waiting for the same user. Replaying implies that
 * the endpoint works again, so its waiting deliveries are sent immediately.
 */

// One call covers at most this many sequences. The response contains the sequence after which to continue.
const RANGE_MAX = 10_000
// Range replays are refused while an endpoint has this many waiting deliveries. Otherwise, each tiny request could queue
// another whole range. `recover` queues missed events without duplicating those already waiting.
const WAITING_MAX = 10_000

/**
 * Delivers one event again. If its delivery is still waiting for the next attempt, that attempt is made as soon as the
 * delivery has rested.
 * @throws Refusal delivery_not_found, endpoint_not_enabled, events_dropped
 */
export async function replayDelivery(
  tx: Tx,
  publisher: Publisher,
  deliveryId: DeliveryId,
  now: Date,
): Promise<Delivery> {
  const { endpointId, userId, status } = await getDelivery(tx, publisher, deliveryId)
  await getEnabledEndpoint(tx, publisher, endpointId)
  const repeated = status === 'pending' ? null : await queries.insertRepeat(tx, publisher.id, deliveryId)
  if (status !== 'pending' && repeated === null) {
    throw new Refusal<EventRefusal>('events_dropped', 'The event of this delivery is no longer retained.', {
      field: 'delivery_id',
    })
  }
  await queries.makeQueueDue(tx, publisher.id, endpointId, userId)
  await markRecovered(tx, publisher, endpointId, now)
  return found(repeated ?? (await queries.findDelivery(tx, publisher.id, deliveryId)))
}

type ReplayedRange = {
  readonly replayed: number
  readonly until: number
  /** The sequence after which to continue; null when the range is done. */
  readonly nextAfter: number | null
}

/**
 * Delivers the events in a range of sequences again. Without an upper bound, the range extends to the newest event.
 * @throws Refusal endpoint_not_found, endpoint_not_enabled, replay_range_invalid, deliveries_waiting, events_dropped
 */
export async function replayRange(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  range: { readonly after: number; readonly until: number | null },
  now: Date,
): Promise<ReplayedRange> {
  await getEnabledEndpoint(tx, publisher, endpointId)
  if (range.until !== null && range.until <= range.after) {
    throw new Refusal<EventRefusal>('replay_range_invalid', 'until must be greater than after.', { field: 'until' })
  }
  await preferLookups(tx)
  await queries.awaitReplays(tx, endpointId)
  if (await queries.hasWaiting(tx, publisher.id, endpointId, WAITING_MAX)) {
    throw new Refusal<EventRefusal>(
      'deliveries_waiting',
      `At least ${WAITING_MAX} deliveries are pending for this endpoint. Replay the range once they have been ` +
        'sent, or queue the missed events with POST /webhooks/endpoints/{endpoint_id}/recover.',
      { members: { waiting_max: WAITING_MAX } },
    )
  }
  const bounds = await findFeedBounds(tx, publisher)
  checkKept(range.after, bounds, 'after')
  const wanted = Math.min(range.until ?? bounds.newest, bounds.newest)
  const until = Math.min(wanted, range.after + RANGE_MAX)
  if (until <= range.after) return { replayed: 0, until: range.after, nextAfter: null }
  const replayed = await queries.insertRepeats(tx, publisher.id, endpointId, { after: range.after, until })
  // Checked again, because the insert may have waited for a transaction that dropped the first events.
  checkKept(range.after, await findFeedBounds(tx, publisher), 'after')
  await markRecovered(tx, publisher, endpointId, now)
  return { replayed, until, nextAfter: until < wanted ? until : null }
}

/** @throws Refusal delivery_not_found */
export async function getDelivery(reader: Reader, publisher: Publisher, deliveryId: DeliveryId): Promise<Delivery> {
  return found(await queries.findDelivery(reader, publisher.id, deliveryId))
}

/**
 * Parses a delivery ID.
 * @throws Refusal delivery_not_found if it is malformed
 */
export function parseDeliveryId(text: string): DeliveryId {
  return found(decodeId<'delivery'>('dlv', text))
}

function found<T>(delivery: T | null): T {
  if (delivery !== null) return delivery
  throw new Refusal<EventRefusal>('delivery_not_found', 'There is no delivery with this id.', { field: 'delivery_id' })
}
