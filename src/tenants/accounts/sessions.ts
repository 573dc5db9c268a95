import { randomBytes } from 'node:crypto'
import { announce, type Database, type Reader, type Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { newUuid } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountId, PortalUser, SessionId, Staff } from './account.ts'
import type { AccountRefusal } from './errors.ts'
import * as queries from './session-queries.ts'

/** The notification that makes processes clear their cache of keys and staff sessions. User sessions are not cached. */
export const SESSIONS_CHANGED = 'laurel_sessions_changed'

/**
 * Returns the name of the cookie that holds a console session token. Over HTTPS, browsers accept the `__Host-` prefix
 * only from the host itself, so neither another host in the domain nor an attacker who forges HTTP responses can inject
 * a session.
 */
export function consoleCookie(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-laurel_console' : 'laurel_console'
}

const HOUR_MS = 3_600_000
// NIST SP 800-63B-4, section 2.2.3 (AAL2): sign in again after at most 24 hours, or one hour of inactivity.
const IDLE_MS = HOUR_MS
const LIFETIME_MS: Readonly<Record<Staff['kind'] | 'user', number>> = {
  operator: 12 * HOUR_MS,
  publisher: 12 * HOUR_MS,
  user: 24 * HOUR_MS,
}
const RECENT_MS = 10 * 60_000
// Limits writes to one per minute for each active session.
const WRITE_AFTER_MS = 60_000
// The beginning of the user agent is enough for staff and users to recognize their browser.
const AGENT_LENGTH_MAX = 255

type Origin = { readonly address: string; readonly userAgent: string; readonly isEmbedded?: boolean }

/** Opens a session and returns its token for the cookie. Only the token's hash is stored. */
export async function openSession(
  tx: Tx,
  who: Pick<Staff, 'kind' | 'accountId'> | PortalUser,
  { address, userAgent, isEmbedded = false }: Origin,
  now: Date,
): Promise<{ readonly sessionId: SessionId; readonly token: string; readonly expiresAt: Date }> {
  const sessionId = newUuid<'session'>()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[who.kind])
  const seen = { address, userAgent: userAgent.slice(0, AGENT_LENGTH_MAX), isEmbedded }
  await queries.insertSession(tx, { sessionId, who, ...seen, expiresAt }, hashKey(token), now)
  if (who.kind !== 'user') await announce(tx, SESSIONS_CHANGED)
  return { sessionId, token, expiresAt }
}

/** Returns the staff member or user of the session with this token; null if it has ended or the account is disabled. */
export async function useSession(
  db: Database,
  sha256: Buffer,
  now: Date,
): Promise<{ readonly sessionId: SessionId; readonly who: Staff | PortalUser } | null> {
  const found = await queries.findSession(db.reader, sha256)
  if (found === null) return null
  const { sessionId, who, lastUsedAt, expiresAt } = found
  if (expiresAt <= now || lastUsedAt.getTime() + IDLE_MS <= now.getTime()) return null
  if (lastUsedAt.getTime() + WRITE_AFTER_MS <= now.getTime())
    await db.transaction((tx) => queries.markSessionUsed(tx, sessionId, now))
  return { sessionId, who }
}

type Signed = { readonly accountId: AccountId; readonly sessionId: SessionId }

/**
 * Returns true if this session began in the last ten minutes with a sign-in to the account rather than a publisher's
 * link.
 */
export async function hasSignedInRecently(reader: Reader, signed: Signed, now: Date): Promise<boolean> {
  return queries.hasBegunAfter(reader, signed, new Date(now.getTime() - RECENT_MS))
}

/**
 * Guards actions that an unattended browser or a stolen session must not be able to perform.
 * @throws Refusal sign_in_again if this session's sign-in was more than ten minutes ago
 */
export async function requireRecentSignIn(reader: Reader, signed: Signed, now: Date): Promise<void> {
  if (await hasSignedInRecently(reader, signed, now)) return
  throw new Refusal<AccountRefusal>('sign_in_again', 'You signed in more than ten minutes ago. Sign in again first.')
}

/** Lists the open sessions of an account or user, most recently used first. */
export async function listSessions(
  reader: Reader,
  holder: queries.SessionOwner,
  now: Date,
): Promise<queries.ListedSession[]> {
  return queries.listSessions(reader, holder, { now, usedAfter: new Date(now.getTime() - IDLE_MS) })
}

/**
 * Ends one session.
 * @throws Refusal session_not_found if it has ended or belongs to someone else
 */
export async function endSession(tx: Tx, holder: queries.SessionOwner, sessionId: SessionId): Promise<void> {
  if (!(await queries.deleteSession(tx, holder, sessionId)))
    throw new Refusal<AccountRefusal>('session_not_found', 'You have no such session.')
  await announce(tx, SESSIONS_CHANGED)
}

/** Ends all of a holder's sessions, except the given one, if any. */
export async function endSessions(tx: Tx, holder: queries.SessionOwner, stays: SessionId | null): Promise<void> {
  await queries.deleteSessions(tx, holder, stays)
  await announce(tx, SESSIONS_CHANGED)
}
