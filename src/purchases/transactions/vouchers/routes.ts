import Type, { type Static } from 'typebox'
import { toDay } from '../../../platform/calendar.ts'
import {
  buildPage,
  enumField,
  idField,
  namedObject,
  nullable,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  strictObject,
} from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { getUser } from '../../../users/users/index.ts'
import { CODE_SORTS, type CodeOfUser, countCodesOfUser, listCodesOfUser } from './queries.ts'
import { CODE_STATUSES } from './rules.ts'

const CodeOfUserSchema = namedObject('UserVoucherCode', {
  voucher_code_id: Type.String({ description: 'ID of the code. The code itself is not included.' }),
  offer_uid: Type.String(),
  status: enumField(
    CODE_STATUSES.filter((status) => status !== 'free'),
    'assigned: given to the user. reported: used in a purchase. redeemed: that purchase has cleared. returned: that purchase was undone or earned nothing, so the code can be used again. expired: not used in time.',
  ),
  assigned_at: Type.String({ description: 'When it was assigned to the user, RFC 3339.' }),
  expires_on: nullable(Type.String({ description: 'Last day it can be used, or null if it does not expire.' })),
  transaction_uid: nullable(
    Type.String({
      description: 'The purchase that uses the code, or the last one that did; null if it has not been used.',
    }),
  ),
})

const example: Static<typeof CodeOfUserSchema> = {
  voucher_code_id: 'vcd_01kbjyt5v3f4nvj5yq5yfypr9v',
  offer_uid: 'off_3k1n',
  status: 'redeemed',
  assigned_at: '2026-11-21T10:15:30.000Z',
  expires_on: '2026-12-31',
  transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
}

export function voucherCodeRoutes(operation: PublisherOperation, { db }: Pick<OperationDeps, 'db'>): void {
  operation('GET /users/:publisher_user_id/voucher-codes', {
    config: { scope: 'transactions:read' },
    id: 'listVoucherCodes',
    summary: "List a user's voucher codes and their status",
    description:
      'Codes that were issued individually, newest first. `POST /offers/{offer_uid}/voucher-code` returns a code.',
    params: Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") }),
    query: strictObject(pageQuery),
    answer: pageSchema(CodeOfUserSchema),
    example: pageExample([example]),
    refusals: ['user_not_found'],
    handler: async ({ params, query, publisher, now }) => {
      const paging = readPaging(query, CODE_SORTS)
      const { user } = await getUser(db.reader, publisher, params.publisher_user_id, now)
      const wanted = { userId: user.userId, today: toDay(now, publisher.timeZone) }
      const [codes, total] = await Promise.all([
        listCodesOfUser(db.reader, publisher.id, wanted, paging),
        countCodesOfUser(db.reader, publisher.id, user.userId),
      ])
      return buildPage(codes.map(present), total, paging)
    },
  })
}

function present(code: CodeOfUser): Static<typeof CodeOfUserSchema> {
  return {
    voucher_code_id: encodeId('vcd', code.codeId),
    offer_uid: code.offerUid,
    // Never `free`, because a free code belongs to no user.
    status: code.status as Static<typeof CodeOfUserSchema>['status'],
    assigned_at: code.assignedAt.toISOString(),
    expires_on: code.expiresOn === 'infinity' ? null : code.expiresOn,
    transaction_uid: code.transactionId === null ? null : encodeId('txn', code.transactionId),
  }
}
