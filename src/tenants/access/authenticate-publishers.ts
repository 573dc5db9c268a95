import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { type App, authenticateKeys, isRead } from '../../platform/http/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Actor, consoleCookie, listSessionHashes, SESSIONS_CHANGED } from '../accounts/index.ts'
import {
  PUBLISHERS_CHANGED,
  type Publisher,
  type PublisherRefusal,
  publisherNotFound,
  type Scope,
  VERSIONS,
} from '../publishers/index.ts'
import { listLiveOperators } from './authenticate-operators.ts'
import { findDeputy } from './deputies.ts'
import { findLiveKey, type LiveKey, listLiveHashes, markKeysUsed } from './keys/queries.ts'
import { OPERATORS_CHANGED } from './operator-keys.ts'
import { findStaffKey } from './staff/staff.ts'
import { listLines } from './user-lines.ts'

declare module 'fastify' {
  interface FastifyRequest {
    publisher: Publisher | null
    scopes: readonly Scope[] | null
    /** The person acting for the publisher; null for a program with the publisher's key. */
    actor: Actor | null
  }
  interface FastifyInstance {
    /** Makes a change to a publisher visible to the next request in this process, ahead of the notification. */
    forgetPublishers(): void
  }
  interface FastifyContextConfig {
    /**
     * The scope that the key must have, which every authenticated operation must declare; null accepts any valid key.
     */
    scope?: Scope | null
    /** Set if the verb writes its own audit entry, because only it knows the details. */
    isAuditedByVerb?: true
  }
}

/**
 * Authenticates every route registered on this app. The publisher is determined only by the key, or by the session of
 * one of the publisher's staff. Operating company staff specify the publisher they act for.
 */
export async function authenticatePublishers(
  app: App,
  deps: {
    readonly db: Database
    readonly clock: Clock
    readonly baseUrl: string
    readonly strangerCallsPerSecond?: number
  },
): Promise<void> {
  const { db, clock } = deps
  app.decorateRequest('publisher', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('scopes', null)
  const forget = await authenticateKeys<LiveKey>(app, deps, {
    topics: [PUBLISHERS_CHANGED, SESSIONS_CHANGED, OPERATORS_CHANGED],
    find: async (sha256, actsFor) => {
      const own = (await findLiveKey(db.reader, sha256)) ?? (await findStaffKey(db, sha256, clock.now()))
      if (own === null) return actsFor === null ? null : findDeputy(deps, sha256, actsFor)
      if (actsFor !== null && decodeId('pub', actsFor) !== own.publisher.id) throw publisherNotFound()
      return own
    },
    listLive: async () => {
      const kept = [
        listLiveHashes(db.reader, 'api_keys'),
        listSessionHashes(db.reader, 'publisher'),
        listLiveOperators(db),
      ]
      return (await Promise.all(kept)).flat()
    },
    realm: 'laurel',
    keysOfOthers: {
      lrl_operator_:
        "This is an operator's key. It works at /operator/…, and here only with the Laurel-Publisher header. " +
        "Send the publisher's key (lrl_sandbox_… or lrl_live_…).",
    },
    cookie: consoleCookie(deps.baseUrl),
    actsForHeader: 'Laurel-Publisher',
    readKey: (key) => ({ keyId: key.keyId, limits: key, names: toLogNames(key) }),
    markUsed: (keyIds, day) => db.transaction((tx) => markKeysUsed(tx, keyIds, day)),
    pickRate: ({ keyId, publisher, actor }, request) => {
      const { id: owner, eventsPerSecond: itemsPerSecond } = publisher
      const rate = { owner, member: actor?.id ?? null, itemsPerSecond }
      return isRead(request)
        ? { ...rate, bucket: `${keyId}r`, requests: 'reads', perSecond: publisher.readsPerSecond }
        : { ...rate, bucket: `${keyId}w`, requests: 'writes', perSecond: publisher.writesPerSecond }
    },
    listLines: (request) => listLines(getCallingPublisher(request).id, request),
    admit: (known, request, reply) => {
      if (known.isMoving)
        throw new Refusal<PublisherRefusal>('publisher_moved', 'This publisher has moved to another installation.')
      const scope = request.routeOptions.config.scope
      if (scope !== undefined && scope !== null && !known.scopes.includes(scope))
        throw new Refusal<PublisherRefusal>('scope_missing', `This key lacks the scope ${scope}.`)
      checkVersion(request, reply, known.version)
      request.publisher = known.publisher
      request.scopes = known.scopes
      request.actor = known.actor
    },
  })
  app.decorate('forgetPublishers', forget)
}

function toLogNames({ keyId, publisher, actor }: LiveKey): Readonly<Record<string, string>> {
  const publisherId = encodeId('pub', publisher.id)
  return actor === null
    ? { publisher_id: publisherId, key_id: encodeId('key', keyId) }
    : { publisher_id: publisherId, actor: actor.id }
}

/** Returns the publisher that the request was authenticated for. */
export function getCallingPublisher(request: FastifyRequest): Publisher {
  if (request.publisher === null) throw new Error('an unauthenticated route requested the publisher')
  return request.publisher
}

function checkVersion(request: FastifyRequest, reply: FastifyReply, pinned: string): void {
  const asked = request.headers['laurel-version']
  const version = typeof asked === 'string' ? asked : pinned
  if (!(VERSIONS as readonly string[]).includes(version)) {
    throw new Refusal<PublisherRefusal>('version_unknown', `Laurel-Version must be one of ${VERSIONS.join(', ')}.`, {
      field: 'Laurel-Version',
    })
  }
  reply.header('Laurel-Version', version)
}
