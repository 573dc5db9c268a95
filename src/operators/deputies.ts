import type { Role } from '../accounts/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { decodeId } from '../platform/ids.ts'
import { type Deputies, keyOfPerson, publisherNotFound, READ_SCOPES, SCOPES, type Scope } from '../publishers/index.ts'
import { findOperator, listLiveOperators } from './authenticate.ts'
import { OPERATORS_CHANGED } from './service.ts'

/**
 * What an operator may do in the place of a publisher, which must not bypass the table of permissions: only an admin
 * reports purchases, redeems for users and says where they are paid, sees the codes of gift cards and vouchers, decides
 * reviews of a publisher, or says who gets its events. Otherwise support could earn, and finance approve what it has
 * itself asked for; catalog sees no users.
 */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  catalog: ['brands:read', 'terms:read', 'transactions:read'],
  finance: [...READ_SCOPES, 'reports:write'],
  support: [...READ_SCOPES, 'users:write', 'linker:write'],
  'read-only': READ_SCOPES,
}

/**
 * Lets operators use the operations of publishers: one names the publisher in the header Laurel-Publisher, may do there
 * what the role allows, and what they change is audited.
 */
export function operatorsAsDeputies(deps: { readonly db: Database; readonly clock: Clock }): Deputies {
  return {
    topics: [OPERATORS_CHANGED],
    listLive: () => listLiveOperators(deps.db),
    find: async (sha256, publisherUid) => {
      const operator = await findOperator(deps, sha256)
      if (operator === null) return null
      const publisherId = decodeId<'publisher'>('pub', publisherUid)
      if (publisherId === null) throw publisherNotFound()
      const { id: keyId, role, actor, expiresAt, addressRanges } = operator
      return keyOfPerson(deps.db.reader, publisherId, {
        keyId,
        scopes: SCOPES_OF[role],
        actor,
        expiresAt,
        addressRanges,
      })
    },
  }
}
