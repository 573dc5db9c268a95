import type { Reader, Tx } from '../../platform/db/database.ts'
import { KNOWN_MAX } from '../../platform/http/callers/key-cache.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { AccountId, PortalUser, Role, SessionId, Staff } from './account.ts'

type NewSession = {
  readonly sessionId: SessionId
  readonly who: Pick<Staff, 'kind' | 'accountId'> | PortalUser
  readonly address: string
  readonly userAgent: string
  readonly isEmbedded: boolean
  readonly expiresAt: Date
}

export async function insertSession(tx: Tx, session: NewSession, sha256: Buffer, now: Date): Promise<void> {
  const { sessionId, who, address, userAgent, isEmbedded, expiresAt } = session
  const user = who.kind === 'user' ? who : null
  await tx`
    insert into sessions (session_id, kind, account_id, publisher_id, user_id, sha256, created_at, last_used_at,
      expires_at, address, user_agent, is_embedded)
    select ${sessionId}, ${who.kind}, ${who.accountId},
      coalesce(${user?.publisherId ?? null}::uuid, (select publisher_id from accounts where account_id = ${who.accountId})),
      ${user?.userId ?? null}, ${sha256}, ${now}, ${now}, ${expiresAt}, ${address}, ${userAgent}, ${isEmbedded}`
}

type FoundSession = {
  readonly sessionId: SessionId
  readonly who: Staff | PortalUser
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

/** Finds a session. Ignores sessions of disabled accounts. */
export async function findSession(reader: Reader, sha256: Buffer): Promise<FoundSession | null> {
  // all publishers: the token identifies the owner of the session
  const [row] = await reader<
    {
      sessionId: SessionId
      kind: Staff['kind'] | 'user'
      accountId: AccountId | null
      publisherId: PublisherId | null
      userId: UserId | null
      role: Role | null
      name: string | null
      lastUsedAt: Date
      expiresAt: Date
    }[]
  >`
    select s.session_id, s.kind, s.account_id, s.publisher_id, s.user_id, a.role, a.name, s.last_used_at, s.expires_at
    from sessions s
    left join accounts a on a.account_id = s.account_id
    where s.sha256 = ${sha256} and a.disabled_at is null`
  if (row === undefined) return null
  const { sessionId, lastUsedAt, expiresAt, ...columns } = row
  // The table's check constraints determine which columns each kind of session has.
  const own = Object.entries(columns).filter(([name, value]) => value !== null || name === 'accountId')
  return { sessionId, lastUsedAt, expiresAt, who: Object.fromEntries(own) as Staff | PortalUser }
}

export async function markSessionUsed(tx: Tx, sessionId: SessionId, now: Date): Promise<void> {
  // all publishers: it is the caller's own session
  await tx`update sessions set last_used_at = greatest(last_used_at, ${now}) where session_id = ${sessionId}`
}

/** Returns true if the session belongs to the account and began after this time. */
export async function hasBegunAfter(
  reader: Reader,
  { accountId, sessionId }: { readonly accountId: AccountId; readonly sessionId: SessionId },
  since: Date,
): Promise<boolean> {
  // all publishers: it is the caller's own session
  const rows = await reader`
    select from sessions
    where session_id = ${sessionId} and account_id = ${accountId} and created_at > ${since}`
  return rows.length === 1
}

export type ListedSession = {
  readonly sessionId: SessionId
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly address: string
  readonly userAgent: string
  readonly isEmbedded: boolean
}

/** The owner of sessions: an account, a user, or all of a publisher's users who signed in with an account. */
export type SessionOwner =
  | { readonly accountId: AccountId }
  | { readonly userId: UserId }
  | { readonly allAccountsAt: PublisherId }

function matchesOwner(reader: Reader, holder: SessionOwner) {
  if ('userId' in holder) return reader`user_id = ${holder.userId}`
  if ('accountId' in holder) return reader`account_id = ${holder.accountId}`
  return reader`account_id is not null and kind = 'user' and publisher_id = ${holder.allAccountsAt}`
}

export async function listSessions(
  reader: Reader,
  holder: SessionOwner,
  { now, usedAfter }: { readonly now: Date; readonly usedAfter: Date },
): Promise<ListedSession[]> {
  // all publishers: filtered by holder
  return reader<ListedSession[]>`
    select session_id, created_at, last_used_at, expires_at, address, user_agent, is_embedded
    from sessions
    where ${matchesOwner(reader, holder)} and expires_at > ${now} and last_used_at > ${usedAfter}
    order by last_used_at desc, session_id`
}

export async function deleteSession(tx: Tx, holder: SessionOwner, sessionId: SessionId): Promise<boolean> {
  // all publishers: filtered by holder
  const { count } = await tx`delete from sessions where session_id = ${sessionId} and ${matchesOwner(tx, holder)}`
  return count === 1
}

export async function deleteSessions(tx: Tx, holder: SessionOwner, stays: SessionId | null): Promise<void> {
  // all publishers: filtered by holder
  await tx`delete from sessions where ${matchesOwner(tx, holder)} and session_id is distinct from ${stays}`
}

/** Lists the token hashes of the newest staff sessions. */
export async function listSessionHashes(reader: Reader, kind: Staff['kind']): Promise<Buffer[]> {
  // all publishers: any staff member's token may be presented
  const rows = await reader<{ sha256: Buffer }[]>`
    select sha256 from sessions where kind = ${kind} order by created_at desc limit ${KNOWN_MAX}`
  return rows.map(({ sha256 }) => sha256)
}
