/** What the routes of signing in and those of people share. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { operationsOn } from '../platform/http/index.ts'
import type { Vault } from '../secrets/index.ts'
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

/** Who has signed in, in which session. */
export type SignedInPerson = Staff & { readonly sessionId: SessionId }
/** Registers operations that need no session. */
export type OpenOperation = ReturnType<typeof operationsOn<{ readonly caller: Browser }>>
/** Registers what a person does with their own account. */
export type OwnOperation = ReturnType<
  typeof operationsOn<{ readonly person: SignedInPerson; readonly caller: Browser }>
>

// A sign-in that waits for its second factor; only the operation that finishes it sees the cookie.
export const WAITING_COOKIE = 'laurel_sign_in'
const WAITING_PATH = '/accounts/second-factor'

export const callerOf = ({ ip, headers }: FastifyRequest): Browser => ({
  realm: 'console',
  address: ip,
  userAgent: headers['user-agent'] ?? '',
})

/** Leaves the token of a session, or of a sign-in that is half done, in a cookie. */
export function answerSignedIn(
  reply: FastifyReply,
  { baseUrl }: Pick<PeopleDeps, 'baseUrl'>,
  { state, token }: SignedIn,
): Pick<SignedIn, 'state'> {
  const attributes = attributesOf(baseUrl)
  const waiting = { ...attributes, path: WAITING_PATH }
  if (state === 'second_factor') reply.setCookie(WAITING_COOKIE, token, waiting)
  else reply.clearCookie(WAITING_COOKIE, waiting).setCookie(consoleCookie(baseUrl), token, attributes)
  return { state }
}

export function attributesOf(baseUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
}
