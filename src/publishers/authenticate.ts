import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, authenticateKeys } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'
import type { Publisher, Scope } from './publisher.ts'
import { findLiveKey, type LiveKey, listLiveHashes, markKeysUsed } from './queries.ts'
import { PUBLISHERS_CHANGED } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    publisher: Publisher | null
    scopes: readonly Scope[] | null
  }
  interface FastifyInstance {
    /** Makes the next request in this process see a change of a publisher, before the announcement arrives. */
    forgetPublishers(): void
  }
  interface FastifyContextConfig {
    /** The scope that the key must have. Every authenticated operation names one; null: any live key. */
    scope?: Scope | null
  }
}

/** The dates of the interface's change log that this service supports. */
const VERSIONS = ['2024-12-12']

/** Authenticates every route registered on this app: the publisher follows from the key alone. */
export async function authenticatePublishers(
  app: App,
  deps: { readonly db: Database; readonly clock: Clock; readonly strangerCallsPerSecond?: number },
): Promise<void> {
  app.decorateRequest('publisher', null)
  app.decorateRequest('scopes', null)
  const forget = await authenticateKeys<LiveKey>(app, deps, {
    topic: PUBLISHERS_CHANGED,
    find: (sha256) => findLiveKey(deps.db.reader, sha256),
    listLive: () => listLiveHashes(deps.db.reader),
    realm: 'laurel',
    keyOf: (key) => ({ keyId: key.keyId, limits: key, names: namesOf(key) }),
    markUsed: (keyIds, day) => deps.db.transaction((tx) => markKeysUsed(tx, keyIds, day)),
    rateOf: ({ keyId, publisher }, { method }) => {
      const { id: owner, eventsPerSecond: itemsPerSecond } = publisher
      const rate = { owner, itemsPerSecond }
      return method === 'GET'
        ? { ...rate, bucket: `${keyId}r`, requests: 'reads', perSecond: publisher.readsPerSecond }
        : { ...rate, bucket: `${keyId}w`, requests: 'writes', perSecond: publisher.writesPerSecond }
    },
    admit: (known, request, reply) => {
      if (known.isMoving)
        throw new Refusal<PublisherRefusal>('publisher_moved', 'This publisher has moved to another installation.')
      const scope = request.routeOptions.config.scope
      if (scope !== undefined && scope !== null && !known.scopes.includes(scope))
        throw new Refusal<PublisherRefusal>('scope_missing', `This key lacks the scope ${scope}.`)
      checkVersion(request, reply, known.version)
      request.publisher = known.publisher
      request.scopes = known.scopes
    },
  })
  app.decorate('forgetPublishers', forget)
}

function namesOf({ keyId, publisher }: LiveKey): Readonly<Record<string, string>> {
  return { publisher_id: encodeId('pub', publisher.id), key_id: encodeId('key', keyId) }
}

/** The publisher whose key came with the request. */
export function publisherOf(request: FastifyRequest): Publisher {
  if (request.publisher === null) throw new Error('a route outside authentication asked for the publisher')
  return request.publisher
}

function checkVersion(request: FastifyRequest, reply: FastifyReply, pinned: string): void {
  const asked = request.headers['laurel-version']
  const version = typeof asked === 'string' ? asked : pinned
  if (!VERSIONS.includes(version)) {
    throw new Refusal<PublisherRefusal>('version_unknown', `Laurel-Version must be one of ${VERSIONS.join(', ')}.`, {
      field: 'Laurel-Version',
    })
  }
  reply.header('Laurel-Version', version)
}
