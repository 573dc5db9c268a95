import Type from 'typebox'
import { toDay } from '../../../platform/calendar.ts'
import {
  buildPage,
  idField,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  strictObject,
} from '../../../platform/http/index.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { getUser } from '../../../users/users/index.ts'
import { CODE_OF_USER } from './code-of-user.ts'
import { CODE_SORTS, countCodesOfUser, listCodesOfUser } from './queries.ts'

export function voucherCodeRoutes(operation: PublisherOperation, { db }: Pick<OperationDeps, 'db'>): void {
  operation('GET /users/:publisher_user_id/voucher-codes', {
    config: { scope: 'transactions:read' },
    id: 'listVoucherCodes',
    summary: "List a user's voucher codes and their status",
    description:
      'Codes that were issued individually, newest first. `POST /offers/{offer_uid}/voucher-code` returns a code.',
    params: Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") }),
    query: strictObject(pageQuery),
    answer: pageSchema(CODE_OF_USER.schema),
    example: pageExample([CODE_OF_USER.example]),
    refusals: ['user_not_found'],
    handler: async ({ params, query, publisher, now }) => {
      const paging = readPaging(query, CODE_SORTS)
      const { user } = await getUser(db.reader, publisher, params.publisher_user_id, now)
      const wanted = { userId: user.userId, today: toDay(now, publisher.timeZone) }
      const [codes, total] = await Promise.all([
        listCodesOfUser(db.reader, publisher.id, wanted, paging),
        countCodesOfUser(db.reader, publisher.id, user.userId),
      ])
      return buildPage(codes.map(CODE_OF_USER.present), total, paging)
    },
  })
}
