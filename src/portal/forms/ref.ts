import { encodeId } from '../../platform/ids.ts'
import type { PortalFields, UserVisit } from '../visit.ts'

// Longer than our IDs.
const REF_MAX = 64

/**
 * Returns the reference for a form's request. It is rendered into the page, so that submitting the form twice makes
 * only one request, and includes the user, so that it never matches another user's reference.
 */
export function buildRef({ user }: Pick<UserVisit, 'user'>, body: PortalFields): string {
  return `portal-${encodeId('usr', user.userId)}-${(body['ref'] ?? '').slice(0, REF_MAX)}`
}
