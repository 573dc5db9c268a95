import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import type { Role } from '../accounts/index.ts'
import { publisherNotFound, SCOPES, type Scope } from '../publishers/index.ts'
import { findOperator } from './authenticate-operators.ts'
import type { LiveKey } from './keys/queries.ts'
import { getPersonKey, READ_SCOPES } from './staff/staff.ts'

/**
 * The scopes of operators acting for a publisher, which must not bypass the permissions table. Only an admin can report
 * purchases, redeem for users and set their payout destinations, see the codes of gift cards and vouchers, decide a
 * publisher's reviews, or choose who receives its events. Otherwise support could earn rewards, and finance could
 * approve its own requests. The catalog role cannot see users.
 */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  catalog: ['brands:read', 'terms:read', 'transactions:read'],
  finance: [...READ_SCOPES, 'reports:write'],
  support: [...READ_SCOPES, 'users:write', 'linker:write'],
  'read-only': READ_SCOPES,
}

/**
 * Returns the key that stands in for a publisher's own when an operator calls its operations. The Laurel-Publisher
 * header identifies the publisher, the role limits what the operator may do, and changes are recorded in the audit log.
 * @throws Refusal publisher_not_found
 */
export async function findDeputy(
  deps: { readonly db: Database; readonly clock: Clock },
  sha256: Buffer,
  publisherUid: string,
): Promise<LiveKey | null> {
  const operator = await findOperator(deps, sha256)
  if (operator === null) return null
  const publisherId = decodeId<'publisher'>('pub', publisherUid)
  if (publisherId === null) throw publisherNotFound()
  const { id: keyId, role, actor, expiresAt, addressRanges } = operator
  return getPersonKey(deps.db.reader, publisherId, {
    keyId,
    scopes: SCOPES_OF[role],
    actor,
    expiresAt,
    addressRanges,
  })
}
