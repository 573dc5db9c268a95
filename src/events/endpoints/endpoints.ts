import { DAY_MS, MINUTE_MS } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId, newUuid } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Publisher, PublisherRefusal } from '../../tenants/publishers/index.ts'
import { makeQueueDue } from '../delivery/delivery-queries.ts'
import { newSecret, sealContext } from '../delivery/signing.ts'
import type { EventDeps } from '../deps.ts'
import { type Egress, findUrlFault } from '../egress/egress.ts'
import type { EventRefusal } from '../errors.ts'
import { findFeedBounds, findSequenceBefore } from '../feed/feed-queries.ts'
import { type EndpointId, type EventId, recordEventFor } from '../record.ts'
import { OLD_SECRET_MS } from '../rules.ts'
import type { Endpoint } from './endpoint.ts'
import * as queries from './endpoint-queries.ts'

// Every event costs a row and a call per endpoint.
const ENDPOINTS_MAX = 20

export type EndpointWithSecret = { readonly endpoint: Endpoint; readonly secret: string }

/** @throws Refusal webhook_url_refused, too_many_endpoints, scope_missing */
export async function createEndpoint(
  tx: Tx,
  { vault, egress }: Pick<EventDeps, 'vault' | 'egress'>,
  publisher: Publisher,
  {
    mayDecide,
    ...input
  }: Pick<Endpoint, 'url' | 'eventTypes' | 'description' | 'decidesOutcomes'> & {
    readonly mayDecide: boolean
  },
  now: Date,
): Promise<EndpointWithSecret> {
  checkUrl(input.url, publisher, egress)
  if (input.decidesOutcomes && !mayDecide) throw mayNotDecide()
  const endpoint: Endpoint = {
    ...input,
    endpointId: newUuid<'endpoint'>(),
    status: 'enabled',
    stoppedAfterSequence: null,
    failingSince: null,
    createdAt: now,
  }
  const secret = newSecret()
  const sealedSecret = vault.seal(secret, sealContext(publisher.id, endpoint.endpointId))
  if (!(await queries.insertEndpoint(tx, publisher.id, { ...endpoint, sealedSecret }, ENDPOINTS_MAX))) {
    throw new Refusal<EventRefusal>(
      'too_many_endpoints',
      `The publisher already has ${ENDPOINTS_MAX} endpoints. Delete one first.`,
    )
  }
  return { endpoint, secret }
}

function checkUrl(url: string, publisher: Publisher, egress: Egress): void {
  const fault = findUrlFault(url, publisher.environment, egress)
  if (fault !== null) throw new Refusal<EventRefusal>('webhook_url_refused', `url ${fault}.`, { field: 'url' })
}

function mayNotDecide(): Refusal<PublisherRefusal> {
  return new Refusal<PublisherRefusal>(
    'scope_missing',
    "Only a key with the scope rewards:write can let an endpoint's responses decide the outcome of redemptions.",
  )
}

type EndpointEdit = Partial<Pick<Endpoint, 'url' | 'eventTypes' | 'description' | 'decidesOutcomes'>> & {
  readonly disabled?: boolean
}

/**
 * Changes the given members. A new URL is a new receiver, so the failure count is reset.
 * @throws Refusal endpoint_not_found, webhook_url_refused, scope_missing
 */
export async function changeEndpoint(
  tx: Tx,
  { egress }: Pick<EventDeps, 'egress'>,
  publisher: Publisher,
  {
    endpointId,
    changes: { disabled, ...changes },
    mayDecide,
  }: { readonly endpointId: EndpointId; readonly changes: EndpointEdit; readonly mayDecide: boolean },
  now: Date,
): Promise<Endpoint> {
  const endpoint = await getEndpoint(tx, publisher, endpointId)
  const { url, status } = endpoint
  if (changes.url !== undefined) checkUrl(changes.url, publisher, egress)
  const isMoved = changes.url !== undefined && changes.url !== url
  const decides = changes.decidesOutcomes ?? endpoint.decidesOutcomes
  if (decides && !mayDecide && (isMoved || !endpoint.decidesOutcomes)) throw mayNotDecide()
  const all = {
    ...changes,
    ...(isMoved || (disabled === false && status !== 'enabled') ? healthy(now) : {}),
    ...(disabled === undefined ? {} : { status: disabled ? ('disabled' as const) : ('enabled' as const) }),
    ...(disabled && status === 'enabled'
      ? { stoppedAfterSequence: (await findFeedBounds(tx, publisher)).newest, stoppedAt: now }
      : {}),
  }
  if (Object.keys(all).length === 0) return endpoint
  return found(await queries.updateEndpoint(tx, publisher.id, endpointId, all))
}

function healthy(now: Date) {
  return { failures: 0, failingSince: null, throttledUntil: null, recoveredAt: now }
}

// Events are numbered after they commit, so one recorded slightly earlier may have a later number.
const RECOVER_MARGIN_MS = MINUTE_MS

/**
 * Enables an endpoint, makes its waiting deliveries due immediately, and makes the worker send it every event it has
 * missed since an instant, whether because it was stopped, did not exist or did not subscribe to the type, or because
 * all attempts failed. Events that are no longer stored are not sent. If any of them might have been missed,
 * `dropped_until` is the sequence of the last one.
 * @throws Refusal endpoint_not_found, replay_range_invalid
 */
export async function recoverEndpoint(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  since: Date,
  now: Date,
  deliveryDays: number,
): Promise<{ readonly after: number; readonly until: number; readonly dropped_until: number | null }> {
  await enableEndpoint(tx, publisher, endpointId, now)
  // There is no record of what was sent before the oldest stored delivery.
  const daysMax = deliveryDays - 1
  if (now.getTime() - since.getTime() > daysMax * DAY_MS)
    throw new Refusal<EventRefusal>('replay_range_invalid', `since must be within the last ${daysMax} days.`, {
      field: 'since',
    })
  // In a sandbox, the publisher's clock may be ahead.
  const margin = RECOVER_MARGIN_MS + publisher.clockOffsetMs
  const { droppedUntil, newest: until } = await findFeedBounds(tx, publisher)
  const after = await findSequenceBefore(tx, publisher, new Date(Math.max(0, since.getTime() - margin)))
  if (after < until) await queries.markResend(tx, publisher.id, endpointId, { after, until })
  return { after, until, dropped_until: droppedUntil > 0 && after === droppedUntil ? droppedUntil : null }
}

/**
 * Issues a new secret. For one more day, deliveries are also signed with the old one.
 * @throws Refusal endpoint_not_found
 */
export async function rotateSecret(
  tx: Tx,
  vault: Vault,
  publisher: Publisher,
  endpointId: EndpointId,
  now: Date,
): Promise<EndpointWithSecret> {
  const secret = newSecret()
  const endpoint = await queries.markSecretRotated(tx, publisher.id, endpointId, {
    sealedSecret: vault.seal(secret, sealContext(publisher.id, endpointId)),
    oldUntil: new Date(now.getTime() + OLD_SECRET_MS),
  })
  return { endpoint: found(endpoint), secret }
}

/**
 * Destroys the endpoint's secrets and hides it from its owner. Its deliveries are deleted later.
 * @throws Refusal endpoint_not_found
 */
export async function deleteEndpoint(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  now: Date,
): Promise<Endpoint> {
  const noSecrets = { sealedSecret: Buffer.alloc(0), sealedOldSecret: null, oldSecretUntil: null }
  return found(await queries.updateEndpoint(tx, publisher.id, endpointId, { ...noSecrets, deletedAt: now }))
}

/**
 * Enables a paused or disabled endpoint and makes its waiting deliveries due immediately. The sequence at which it
 * stopped is retained, because the owner may want to replay from there.
 * @throws Refusal endpoint_not_found
 */
export async function enableEndpoint(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  now: Date,
): Promise<Endpoint> {
  return found(await queries.updateEndpoint(tx, publisher.id, endpointId, { ...healthy(now), status: 'enabled' }))
}

/** Makes the worker send an endpoint's waiting deliveries immediately. */
export async function markRecovered(tx: Tx, publisher: Publisher, endpointId: EndpointId, now: Date): Promise<void> {
  await queries.updateEndpoint(tx, publisher.id, endpointId, { recoveredAt: now })
}

/**
 * Sends webhook.test only to this endpoint, regardless of its event types.
 * @throws Refusal endpoint_not_found, endpoint_not_enabled
 */
export async function testEndpoint(tx: Tx, publisher: Publisher, endpointId: EndpointId, now: Date): Promise<EventId> {
  await getEnabledEndpoint(tx, publisher, endpointId)
  // Events that are not about a user also wait for one another, and an earlier test event may have failed.
  await makeQueueDue(tx, publisher.id, endpointId, publisher.id)
  const data = { endpoint_id: encodeId('whe', endpointId), message: 'This is a test.', version: 1 }
  return recordEventFor(tx, publisher, endpointId, { type: 'webhook.test', userId: null, data }, now)
}

/** @throws Refusal endpoint_not_found, endpoint_not_enabled */
export async function getEnabledEndpoint(
  reader: Reader,
  publisher: Publisher,
  endpointId: EndpointId,
): Promise<Endpoint> {
  const endpoint = await getEndpoint(reader, publisher, endpointId)
  if (endpoint.status !== 'enabled') {
    throw new Refusal<EventRefusal>('endpoint_not_enabled', `This endpoint is ${endpoint.status}. Enable it first.`, {
      members: { endpoint_status: endpoint.status },
    })
  }
  return endpoint
}

/** @throws Refusal endpoint_not_found */
export async function getEndpoint(reader: Reader, publisher: Publisher, endpointId: EndpointId): Promise<Endpoint> {
  return found(await queries.findEndpoint(reader, publisher.id, endpointId))
}

/**
 * Parses an endpoint ID.
 * @throws Refusal endpoint_not_found if it is malformed
 */
export function parseEndpointId(text: string): EndpointId {
  return found(decodeId<'endpoint'>('whe', text))
}

function found<T>(endpoint: T | null): T {
  if (endpoint !== null) return endpoint
  throw new Refusal<EventRefusal>('endpoint_not_found', 'There is no webhook endpoint with this id.', {
    field: 'endpoint_id',
  })
}
