import { id, instant, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../tenants/access/index.ts'

export const STATUSES = ['ACTIVE', 'INACTIVE', 'PENDING'] as const

export const OPERATOR_USER = resource('OperatorUser', {
  publisher_id: PUBLISHER_FIELD,
  svc_user_id: id('usr', { property: 'userId', example: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha' }),
  publisher_user_id: text({ example: 'user-1' }),
  email: text({ nullable: true, example: 'ada@example.com' }),
  primary_zip_code: text({ nullable: true, example: '10001' }),
  account_status: oneOf(STATUSES, { property: 'status', example: 'ACTIVE' }),
  created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
  updated_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
})

export type UserOfPublisher = ResourceRow<typeof OPERATOR_USER>
