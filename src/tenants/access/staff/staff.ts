import type { Database, Reader } from '../../../platform/db/database.ts'
import { NO_LIMITS } from '../../../platform/http/callers/key-limits.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { type StaffRole, toAccountActor, useSession } from '../../accounts/index.ts'
import { findMoving, getPublisher, SCOPES, type Scope, VERSIONS } from '../../publishers/index.ts'
import type { LiveKey } from '../keys/queries.ts'

/** The scopes of a read-only key. */
export const READ_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'))

const SCOPES_OF: Readonly<Record<StaffRole, readonly Scope[]>> = {
  admin: SCOPES,
  // Covers helping users: registering and deactivating them, linking cards, opening claims and redeeming for them.
  support: [...READ_SCOPES, 'users:write', 'linker:write', 'rewards:write', 'transactions:write'],
  'read-only': READ_SCOPES,
}

type Deputy = Pick<LiveKey, 'keyId' | 'scopes' | 'actor'> & Partial<Pick<LiveKey, 'expiresAt' | 'addressRanges'>>

/**
 * Returns the key that stands in for a publisher's own when a person acts for it.
 * @throws Refusal publisher_not_found
 */
export async function getPersonKey(reader: Reader, publisherId: PublisherId, deputy: Deputy): Promise<LiveKey> {
  const publisher = await getPublisher(reader, publisherId)
  const isMoving = await findMoving(reader, publisherId)
  return { ...NO_LIMITS, ...deputy, version: VERSIONS[0], publisher, isMoving }
}

/** Returns the key that stands in for the staff member of this session; null if it is not a publisher staff session. */
export async function findStaffKey(db: Database, sha256: Buffer, now: Date): Promise<LiveKey | null> {
  const session = await useSession(db, sha256, now)
  if (session === null || session.who.kind !== 'publisher') return null
  const { role, publisherId } = session.who
  return getPersonKey(db.reader, publisherId, {
    keyId: session.sessionId,
    scopes: SCOPES_OF[role],
    actor: toAccountActor(session.who),
  })
}
