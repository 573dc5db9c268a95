import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { openKeyCache } from '../platform/http/callers/key-cache.ts'
import { type App, actAsStranger, createLimit, createStrangerCount, identifyStranger } from '../platform/http/index.ts'
import { runFor } from '../platform/on-behalf.ts'
import { nameUserLine } from '../tenants/access/index.ts'
import { useSession } from '../tenants/accounts/index.ts'
import type { PortalFields } from './visit.ts'

type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly baseUrl: string
  readonly strangerCallsPerSecond: number
}
type UserSession = NonNullable<Awaited<ReturnType<typeof findSession>>>

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a user, whichever publisher's portal it is for. */
    userSession: UserSession | null
  }
}

// The same as for a network without sessions. Enough to load a page and its assets in quick succession.
const AT_ONCE = 40

/**
 * Returns the name and path of the session cookie for the portal with this slug. Over HTTPS, the name's prefix keeps
 * other hosts in the domain, and networks that forge HTTP, from planting a session that a user might link cards to. The
 * prefix requires the path /, so the rest of the name separates the portals of different publishers. Without HTTPS, the
 * path does.
 */
export function nameSessionCookie(baseUrl: string, slug: string): { readonly name: string; readonly path: string } {
  return baseUrl.startsWith('https:')
    ? { name: `__Host-laurel_portal_${slug}`, path: '/' }
    : { name: 'laurel_portal', path: `/portal/${slug}` }
}

/**
 * Finds each request's session and rate-limits the request. With a session, the limit is per user, across all of the
 * user's sessions; without one, it is per network, as for requests without a key. People behind one address therefore
 * do not slow each other down, and a guessed token does not count as a session. Database connections are divided in the
 * same way. The users of a publisher's portal divide a share that is separate from the publisher's keys and from other
 * publishers.
 */
export async function findSessions(app: App, { db, clock, baseUrl, strangerCallsPerSecond }: Deps): Promise<void> {
  // There are too many sessions to preload, so each one becomes known on its first request.
  const sessions = await openKeyCache(db, {
    topics: [],
    find: (sha256) => findSession(db, sha256, clock.now()),
    listLive: async () => [],
  })
  const countStranger = createStrangerCount(strangerCallsPerSecond)
  const countCall = createLimit(
    { perSecond: strangerCallsPerSecond, burst: strangerCallsPerSecond * AT_ONCE },
    'Too many requests from this user.',
  )
  app.decorateRequest('userSession', null)
  app.addHook('onRequest', async (request, reply) => {
    const nowMs = clock.now().getTime()
    const stranger = identifyStranger(request, () => countStranger(request, reply, nowMs))
    const { portal: slug = '' } = request.params as PortalFields
    const secret = request.cookies[nameSessionCookie(baseUrl, slug).name]
    if (secret === undefined) return stranger.count()
    // Reread for every request, so that ending a session or erasing its user takes effect immediately.
    request.userSession = await sessions.find({ secret, actsFor: null }, nowMs, stranger)
    if (request.userSession !== null) countCall(reply, request.userSession.who.userId, nowMs)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.userSession === null) return actAsStranger(request, done)
    const { publisherId, userId } = request.userSession.who
    runFor({ owner: `portal ${publisherId}`, member: userId, lines: [nameUserLine(userId)] }, done)
  })
}

async function findSession(db: Database, sha256: Buffer, now: Date) {
  const found = await useSession(db, sha256, now)
  return found === null || found.who.kind !== 'user' ? null : { sessionId: found.sessionId, who: found.who }
}
