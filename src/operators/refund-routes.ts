import Type from 'typebox'
import { listUnmatched } from '../linker/index.ts'
import { idField, namedObject, strictObject } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'
import type { OperatorDeps } from './deps.ts'
import { publisherIdIn } from './ids.ts'
import type { OperatorOperation } from './operations.ts'

const LIMIT = 100
const LIMIT_MAX = 500

const UnmatchedRefunds = namedObject('UnmatchedRefundList', {
  content: Type.Array(
    namedObject('UnmatchedRefund', {
      refund_id: Type.String({
        description: 'Identifier of the refund, as `laurel refunds assign` and `laurel refunds dismiss` take it.',
      }),
      publisher_id: Type.String(),
      svc_user_id: Type.String(),
      date: Type.String({ description: 'The day of the refund, yyyy-MM-dd.' }),
      amount: Type.Number({ description: 'Major units.' }),
      currency: Type.String(),
      merchant: Type.String({ description: 'The merchant, as the report or the feed names it; may be empty.' }),
    }),
    { description: 'The refunds, oldest first.' },
  ),
})

/** Unmatched refunds, which take nothing back until their purchase is found. */
export function operatorRefundRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/refunds/unmatched', {
    config: { permission: 'refunds:read' },
    id: 'listUnmatchedRefunds',
    summary: 'List refunds that name no purchase and have found none, oldest first',
    description:
      'Refunds of linked cards, and those that publishers reported. The purchase is looked for again with each later event of the user; an operator decides the others with `laurel refunds`.',
    query: strictObject({
      publisher_id: Type.Optional(idField("Only this publisher's.")),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Default 100.' })),
    }),
    answer: UnmatchedRefunds,
    example: {
      content: [
        {
          refund_id: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
          publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
          svc_user_id: 'usr_01kbjyt5v3f4nvj5yq5yfypr9v',
          date: '2026-11-21',
          amount: 12.5,
          currency: 'USD',
          merchant: 'BLUE KETTLE 0042',
        },
      ],
    },
    refusals: [404],
    handler: async ({ query: { publisher_id, limit = LIMIT } }) => {
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      const unmatched = await listUnmatched(deps.db.reader, publisherId, limit)
      return {
        content: unmatched.map((refund) => ({
          refund_id: refund.refundId,
          publisher_id: encodeId('pub', refund.publisherId),
          svc_user_id: encodeId('usr', refund.userId),
          date: refund.on,
          amount: toJsonNumber(refund.amount, refund.currency),
          currency: refund.currency,
          merchant: refund.merchant,
        })),
      }
    },
  })
}
