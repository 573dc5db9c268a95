import type { Reader, Tx } from '../platform/database.ts'
import { decodeId, encodeId, newUuid } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Publisher } from '../publishers/index.ts'
import type { Vault } from '../secrets/index.ts'
import { hurryQueue } from './delivery-queries.ts'
import type { EventDeps } from './deps.ts'
import { urlFault } from './egress.ts'
import type { Endpoint } from './endpoint-queries.ts'
import * as queries from './endpoint-queries.ts'
import type { EventRefusal } from './errors.ts'
import { type EndpointId, type EventId, type EventType, recordEventFor } from './record.ts'
import { OLD_SECRET_MS } from './rules.ts'
import { newSecret, sealContext } from './signing.ts'

// Every event costs a row and a call per endpoint.
const ENDPOINTS_MAX = 20

export type EndpointWithSecret = { readonly endpoint: Endpoint; readonly secret: string }

/** @throws Refusal webhook_url_refused, too_many_endpoints */
export async function createEndpoint(
  tx: Tx,
  { vault, egress }: Pick<EventDeps, 'vault' | 'egress'>,
  publisher: Publisher,
  input: { readonly url: string; readonly eventTypes: readonly EventType[] | null },
  now: Date,
): Promise<EndpointWithSecret> {
  const fault = urlFault(input.url, publisher.environment, egress)
  if (fault !== null) throw new Refusal<EventRefusal>('webhook_url_refused', `url ${fault}.`, { field: 'url' })
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
    throw new Refusal<EventRefusal>('too_many_endpoints', `There are ${ENDPOINTS_MAX} endpoints already; delete one.`)
  }
  return { endpoint, secret }
}

/** A new secret; the replaced one also signs for a day. @throws Refusal endpoint_not_found */
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

/** The owner no longer sees it; its deliveries are deleted later. @throws Refusal endpoint_not_found */
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
 * Enables a paused or disabled endpoint, and has what waits for it sent at once. The sequence at which it stopped is
 * kept, because the owner may want to replay from there. @throws Refusal endpoint_not_found
 */
export async function enableEndpoint(
  tx: Tx,
  publisher: Publisher,
  endpointId: EndpointId,
  now: Date,
): Promise<Endpoint> {
  const healthy = { failures: 0, failingSince: null, throttledUntil: null, recoveredAt: now }
  return found(await queries.updateEndpoint(tx, publisher.id, endpointId, { ...healthy, status: 'enabled' }))
}

/** Has what waits for an endpoint sent at once. */
export async function markRecovered(tx: Tx, publisher: Publisher, endpointId: EndpointId, now: Date): Promise<void> {
  await queries.updateEndpoint(tx, publisher.id, endpointId, { recoveredAt: now })
}

/**
 * Sends webhook.test to this endpoint alone, regardless of its types. @throws Refusal endpoint_not_found,
 * endpoint_not_enabled
 */
export async function testEndpoint(tx: Tx, publisher: Publisher, endpointId: EndpointId, now: Date): Promise<EventId> {
  await getEnabledEndpoint(tx, publisher, endpointId)
  // Events about no user wait for one another, too, and an earlier test may have failed.
  await hurryQueue(tx, publisher.id, endpointId, publisher.id)
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
    throw new Refusal<EventRefusal>('endpoint_not_enabled', `This endpoint is ${endpoint.status}; enable it first.`, {
      members: { endpoint_status: endpoint.status },
    })
  }
  return endpoint
}

/** @throws Refusal endpoint_not_found */
export async function getEndpoint(reader: Reader, publisher: Publisher, endpointId: EndpointId): Promise<Endpoint> {
  return found(await queries.findEndpoint(reader, publisher.id, endpointId))
}

/** @throws Refusal endpoint_not_found for what cannot be an endpoint's id */
export function endpointIdOf(text: string): EndpointId {
  return found(decodeId<'endpoint'>('whe', text))
}

function found<T>(endpoint: T | null): T {
  if (endpoint !== null) return endpoint
  throw new Refusal<EventRefusal>('endpoint_not_found', 'There is no webhook endpoint with this id.', {
    field: 'endpoint_id',
  })
}
