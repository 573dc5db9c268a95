import { listOperation, type OperatorDeps, type OperatorOperation } from '../../tenants/access/index.ts'
import { BROKEN_LOGINS } from './across-queries.ts'
import { BROKEN_LOGIN } from './broken-login.ts'

/** Registers the route for all publishers' broken logins. */
export function operatorLoginRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/logins/broken',
    permission: 'users:read',
    id: 'listBrokenLogins',
    summary: "List all publishers' broken logins, newest first",
    description:
      'Only the user can repair a login, with a link token that the publisher requests with `GET /linker/auth-token/…`. Unlinked logins are omitted.',
    list: BROKEN_LOGINS,
    resource: BROKEN_LOGIN,
    refusals: ['publisher_not_found'],
  })
}
