import { useSession } from '../accounts/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, createLimit, createStrangerCount } from '../platform/http/index.ts'
import { openKeyCache } from '../platform/key-cache.ts'

type Deps = { readonly db: Database; readonly clock: Clock; readonly strangerCallsPerSecond: number }
type UserSession = NonNullable<Awaited<ReturnType<typeof sessionOf>>>

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a user, of whichever publisher. */
    userSession: UserSession | null
  }
}

export const SESSION_COOKIE = 'laurel_portal'
// As many as a network without sessions has: a page and what it loads, one after the other.
const AT_ONCE = 40

/**
 * Finds the session of each request, and limits who has entered by session and everybody else by network, as keys are:
 * the people behind one address do not slow each other down, and a token that is guessed counts as none.
 */
export async function findSessions(app: App, { db, clock, strangerCallsPerSecond }: Deps): Promise<void> {
  // Users are too many to list: their sessions are known from their first request on.
  const sessions = await openKeyCache(db, {
    topics: [],
    find: (sha256) => sessionOf(db, sha256, clock.now()),
    listLive: async () => [],
  })
  const countStranger = createStrangerCount(strangerCallsPerSecond)
  const countCall = createLimit(
    { perSecond: strangerCallsPerSecond, burst: strangerCallsPerSecond * AT_ONCE },
    'Too many calls with this session.',
  )
  app.decorateRequest('userSession', null)
  app.addHook('onRequest', async (request, reply) => {
    const nowMs = clock.now().getTime()
    const count = () => countStranger(request, reply, nowMs)
    const secret = request.cookies[SESSION_COOKIE]
    if (secret === undefined) return count()
    // Not recalled from memory: a session that has ended, or its user, is gone at once.
    request.userSession = await sessions.find({ secret, actsFor: null }, nowMs, count)
    if (request.userSession !== null) countCall(reply, request.userSession.sessionId, nowMs)
  })
}

async function sessionOf(db: Database, sha256: Buffer, now: Date) {
  const found = await useSession(db, sha256, now)
  return found === null || found.who.kind !== 'user' ? null : { sessionId: found.sessionId, who: found.who }
}
