import Type from 'typebox'
import { enumField, namedObject } from '../../platform/http/index.ts'
import { ROLES } from '../accounts/index.ts'
import type { OperatorOperation } from './operator-operations.ts'
import { getPermissions, PERMISSIONS } from './permissions.ts'

const WhoSchema = namedObject('Operator', {
  operator_id: Type.String({ description: 'ID of the operator.' }),
  name: Type.String({ description: 'Name of the operator.' }),
  role: enumField(ROLES, 'Role of the operator; an admin may do everything.'),
  permissions: Type.Array(enumField(PERMISSIONS), { description: 'Permissions of the role.' }),
})

/** Registers the route that returns the calling operator and its permissions. */
export function operatorRoute(operation: OperatorOperation): void {
  operation('GET /operator/me', {
    config: { permission: null },
    id: 'getOperator',
    summary: 'Get the operator of this key and their permissions',
    description: 'Identifies the key and confirms that it is live.',
    answer: WhoSchema,
    example: {
      operator_id: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
      name: 'Ada',
      role: 'catalog',
      permissions: getPermissions('catalog'),
    },
    handler: async ({ operator: { role }, actor: { id, name } }) => ({
      operator_id: id,
      name,
      role,
      permissions: [...getPermissions(role)],
    }),
  })
}
