import Type from 'typebox'
import { enumField, namedObject } from '../../platform/http/index.ts'
import { ROLES } from '../accounts/index.ts'
import { PERMISSIONS } from './permissions.ts'

export const WhoSchema = namedObject('Operator', {
  operator_id: Type.String({ description: 'ID of the operator.' }),
  name: Type.String({ description: 'Name of the operator.' }),
  role: enumField(ROLES, 'Role of the operator; an admin may do everything.'),
  permissions: Type.Array(enumField(PERMISSIONS), { description: 'Permissions of the role.' }),
})
