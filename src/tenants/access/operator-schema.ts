import Type from 'typebox'
import { enumOf, namedObject } from '../../platform/http/index.ts'
import { ROLES } from '../accounts/index.ts'
import { PERMISSIONS } from './permissions.ts'

export const WhoSchema = namedObject('Operator', {
  operator_id: Type.String({ description: 'Identifier of the operator.' }),
  name: Type.String({ description: 'Name of the operator.' }),
  role: enumOf(ROLES, 'What they do; an admin may do everything.'),
  permissions: Type.Array(enumOf(PERMISSIONS), { description: 'What the role allows.' }),
})
