import Type from 'typebox'
import type { Day } from '../../../platform/calendar.ts'
import { nullable } from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { field, id, instant, oneOf, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { CODE_STATUSES } from './rules.ts'

/** A voucher code that a user was given. */
export const CODE_OF_USER = resource('UserVoucherCode', {
  voucher_code_id: field(
    Type.String({ description: 'ID of the code. The code itself is not included.' }),
    { property: 'codeId', example: 'vcd_01kbjyt5v3f4nvj5yq5yfypr9v' },
    (codeId: string) => encodeId('vcd', codeId),
  ),
  offer_uid: text({ example: 'off_3k1n' }),
  // Never `free`, because a free code belongs to no user.
  status: oneOf(
    CODE_STATUSES.filter((status) => status !== 'free'),
    {
      example: 'redeemed',
      description:
        'assigned: given to the user. reported: used in a purchase. redeemed: that purchase has cleared. returned: that purchase was undone or earned nothing, so the code can be used again. expired: not used in time.',
    },
  ),
  assigned_at: instant({
    example: '2026-11-21T10:15:30.000Z',
    description: 'When it was assigned to the user, RFC 3339.',
  }),
  expires_on: field(
    nullable(Type.String({ description: 'Last day it can be used, or null if it does not expire.' })),
    { example: '2026-12-31' },
    (day: Day) => (day === 'infinity' ? null : day),
  ),
  transaction_uid: id('txn', {
    property: 'transactionId',
    nullable: true,
    example: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'The purchase that uses the code, or the last one that did; null if it has not been used.',
  }),
})
export type CodeOfUser = ResourceRow<typeof CODE_OF_USER>
