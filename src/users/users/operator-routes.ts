import { listOperation, type OperatorDeps, type OperatorOperation } from '../../tenants/access/index.ts'
import { buildUserList, OPERATOR_USER, readPublishers } from './across-queries.ts'

/** Registers the routes for all publishers' users. */
export function operatorUserRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/users',
    permission: 'users:read',
    id: 'listAllUsers',
    summary: "List all publishers' users, newest first",
    description:
      "For a user's full details, send the user's publisher in `Laurel-Publisher` and call `GET /users/{…}`.",
    list: buildUserList({ publisherIds: [], documents: {} }),
    complete: async () => buildUserList(await readPublishers(db.reader, clock)),
    resource: OPERATOR_USER,
    refusals: ['publisher_not_found'],
  })
}
