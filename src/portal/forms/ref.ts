import { encodeId } from '../../platform/ids.ts'
import type { PortalFields, UserVisit } from '../visit.ts'

// An id of ours is shorter.
const REF_MAX = 64

/**
 * The reference of what a form asks for. It is made with the page, so that sending the form twice asks once; and with the
 * user, so that it is no other user's.
 */
export function refOf({ user }: Pick<UserVisit, 'user'>, body: PortalFields): string {
  return `portal-${encodeId('usr', user.userId)}-${(body['ref'] ?? '').slice(0, REF_MAX)}`
}
