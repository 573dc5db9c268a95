import { from, id, ids, instant, oneOf, orNull, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { listOperation, type OperatorDeps, type OperatorOperation } from '../../tenants/access/index.ts'
import { BROKEN_LOGINS } from './across-queries.ts'
import { CARD_ERRORS } from './queries.ts'

const BROKEN_LOGIN = resource('BrokenLogin', {
  publisher_id: id<'publisher'>('pub', 'pub_01kbjyt5v3f4nvj5yq5yfypr9v'),
  svc_user_id: from('userId', id<'user'>('usr', 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha')),
  publisher_user_id: text('user-1'),
  card_ids: ids<'card'>('crd', ['crd_01kbjyt5v3f4nvj5yq5yfypr9v'], 'Cards linked through this login (crd_…).'),
  institution_name: text('First Platypus Bank'),
  error: oneOf(CARD_ERRORS, 'NEED_AUTHENTICATION', 'NEED_AUTHENTICATION: the user must sign in again.'),
  linked_at: instant('2026-10-01T10:15:30.000Z', 'When it was linked.'),
  broken_since: orNull(
    instant('2026-11-21T10:15:30.000Z', 'When the user was prompted to repair it, or null if they were not.'),
  ),
  reauthentication_deadline: orNull(instant(null, 'Deadline for the user to sign in again, or null if none is known.')),
})

/** Registers the route for broken logins of all publishers. */
export function operatorLoginRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  listOperation(operation, deps.db, {
    address: 'GET /operator/logins/broken',
    permission: 'users:read',
    id: 'listBrokenLogins',
    summary: 'List broken logins of all publishers, newest first',
    description:
      'Only the user can repair a login, through a link that the publisher opens with `POST /linker/link-token`. Unlinked logins are omitted.',
    list: BROKEN_LOGINS,
    resource: BROKEN_LOGIN,
    refusals: ['publisher_not_found'],
  })
}
