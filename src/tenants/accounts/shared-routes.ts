/** Helpers shared by the routes for signing in and those for people's own accounts. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { operationsOn } from '../../platform/http/index.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { SessionId, Staff } from './account.ts'
import { consoleCookie } from './sessions.ts'
import type { Browser, SignedIn } from './sign-in.ts'

export type PeopleDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly baseUrl: string
  readonly operatorCallsPerSecond: number
  readonly strangerCallsPerSecond: number
}

/** A signed-in staff member and their session. */
export type SignedInPerson = Staff & { readonly sessionId: SessionId }
/** Registers an operation that needs no session. */
export type OpenOperation = ReturnType<typeof operationsOn<{ readonly caller: Browser }>>
/** Registers an operation that people perform on their own accounts. */
export type OwnOperation = ReturnType<
  typeof operationsOn<{ readonly person: SignedInPerson; readonly caller: Browser }>
>

// The cookie for a sign-in that is waiting for its second factor. Browsers send it only to the operation that finishes
// the sign-in.
export const WAITING_COOKIE = 'laurel_sign_in'
const WAITING_PATH = '/accounts/second-factor'

export const readCaller = ({ ip, headers }: FastifyRequest): Browser => ({
  realm: 'console',
  address: ip,
  userAgent: headers['user-agent'] ?? '',
})

/** Stores the token of a session, or of a sign-in that needs a second factor, in a cookie. */
export function answerSignedIn(
  reply: FastifyReply,
  { baseUrl }: Pick<PeopleDeps, 'baseUrl'>,
  { state, token }: SignedIn,
): Pick<SignedIn, 'state'> {
  const attributes = buildCookieAttributes(baseUrl)
  const waiting = { ...attributes, path: WAITING_PATH }
  if (state === 'second_factor') reply.setCookie(WAITING_COOKIE, token, waiting)
  else reply.clearCookie(WAITING_COOKIE, waiting).setCookie(consoleCookie(baseUrl), token, attributes)
  return { state }
}

export function buildCookieAttributes(baseUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
}
