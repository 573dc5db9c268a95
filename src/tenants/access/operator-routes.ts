import type { OperatorOperation } from './operator-operations.ts'
import { WhoSchema } from './operator-schema.ts'
import { getPermissions } from './permissions.ts'

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
