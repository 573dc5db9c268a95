import Type from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { idField, namedObject, strictObject, textField } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { type OperatorOperation, publisherIdIn } from '../../tenants/access/index.ts'
import { namesOfUsers } from '../../users/users/index.ts'
import { presentTransaction, TransactionSchema, transactionExample } from '../rewards/index.ts'
import { assignRefundAs, dismissRefundAs } from './decide-refund.ts'
import { listPurchasesFor, listUnmatched } from './feed/unmatched-refunds.ts'

const LIMIT = 100
const LIMIT_MAX = 500

const UnmatchedRefunds = namedObject('UnmatchedRefundList', {
  content: Type.Array(
    namedObject('UnmatchedRefund', {
      refund_id: Type.String({ description: 'ID of the refund.' }),
      publisher_id: Type.String(),
      svc_user_id: Type.String(),
      publisher_user_id: Type.String({ description: "The publisher's ID for the user." }),
      date: Type.String({ format: 'date', description: 'The day of the refund, yyyy-MM-dd.' }),
      amount: Type.Number({ description: 'Amount in major units.' }),
      currency: Type.String(),
      merchant: Type.String({ description: 'The merchant as named in the report or the feed. May be empty.' }),
    }),
    { description: 'Unmatched refunds, oldest first.' },
  ),
})

const RefundParams = Type.Object({ refund_id: idField('ID of the refund, as returned in the list.') })
const Reason = textField(1000, 'Reason, stored with the decision.')
const DecidedSchema = namedObject('DecidedRefund', {
  refund_id: Type.String({ description: 'ID of the refund.' }),
})

/** Registers the routes for unmatched refunds, which claw nothing back until their purchase is found. */
export function operatorRefundRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('GET /operator/refunds/unmatched', {
    config: { permission: 'refunds:read' },
    id: 'listUnmatchedRefunds',
    summary: 'List refunds that name no purchase and match none, oldest first',
    description:
      'Refunds on linked cards and refunds reported by publishers. Each later event of the user triggers another search for the purchase; operators decide the rest.',
    query: strictObject({
      publisher_id: Type.Optional(idField('Only results for this publisher.')),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Defaults to 100.' })),
    }),
    answer: UnmatchedRefunds,
    example: {
      content: [
        {
          refund_id: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
          publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
          svc_user_id: 'usr_01kbjyt5v3f4nvj5yq5yfypr9v',
          publisher_user_id: 'user-1',
          date: '2026-11-21',
          amount: 12.5,
          currency: 'USD',
          merchant: 'BLUE KETTLE 0042',
        },
      ],
    },
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id, limit = LIMIT } }) => {
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      const unmatched = await listUnmatched(deps.db.reader, publisherId, limit)
      const names = await namesOfUsers(deps.db.reader, unmatched)
      return {
        content: unmatched.map((refund) => ({
          refund_id: refund.refundId,
          publisher_id: encodeId('pub', refund.publisherId),
          svc_user_id: encodeId('usr', refund.userId),
          publisher_user_id: names.get(refund.userId) ?? '',
          date: refund.on,
          amount: toJsonNumber(refund.amount, refund.currency),
          currency: refund.currency,
          merchant: refund.merchant,
        })),
      }
    },
  })
  operation('GET /operator/refunds/:refund_id/candidates', {
    config: { permission: 'refunds:read' },
    id: 'listRefundCandidates',
    summary: 'List candidate purchases for an unmatched refund',
    description: 'Up to 20 purchases of the same user: exact matches of the amount first, then the latest.',
    params: RefundParams,
    answer: namedObject('RefundCandidateList', { content: Type.Array(TransactionSchema) }),
    example: { content: [transactionExample] },
    refusals: ['refund_not_found', 'publisher_not_found', 'refund_settled'],
    handler: async ({ params }) => {
      const { purchases, ...of } = await listPurchasesFor(deps.db.reader, params.refund_id)
      const name = (await namesOfUsers(deps.db.reader, [of])).get(of.userId) ?? ''
      return { content: purchases.map((purchase) => presentTransaction(purchase, name)) }
    },
  })
  decisionRoutes(operation, deps)
}

function decisionRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/refunds/:refund_id/assign', {
    config: { permission: 'refunds:decide' },
    id: 'assignRefund',
    summary: 'Assign an unmatched refund to its purchase',
    description:
      "Reduces the purchase's reward accordingly. 422 if the purchase has another user, source or currency, or if less than the refund is left to refund.",
    params: RefundParams,
    body: strictObject({ transaction_uid: idField('The purchase.'), reason: Reason }),
    bodyExample: { transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9w', reason: 'The user has the receipt.' },
    answer: DecidedSchema,
    example: { refund_id: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v' },
    refusals: [
      'refund_not_found',
      'publisher_not_found',
      'user_not_found',
      'refund_settled',
      'event_conflict',
      'refund_mismatch',
    ],
    handler: async ({ params: { refund_id }, body: { transaction_uid, reason }, actor, once }) =>
      once(async (tx) => {
        await assignRefundAs(tx, deps, { refundId: refund_id, purchaseUid: transaction_uid, reason, by: actor })
        return { refund_id }
      }),
  })
  operation('POST /operator/refunds/:refund_id/dismiss', {
    config: { permission: 'refunds:decide' },
    id: 'dismissRefund',
    summary: 'Dismiss an unmatched refund without reducing a reward',
    description: 'Later purchases are not matched to the refund either.',
    params: RefundParams,
    body: strictObject({ reason: Reason }),
    bodyExample: { reason: 'Of a purchase before the card was linked.' },
    answer: DecidedSchema,
    example: { refund_id: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v' },
    refusals: ['refund_not_found', 'publisher_not_found', 'refund_settled'],
    handler: async ({ params: { refund_id }, body: { reason }, actor, once }) =>
      once(async (tx) => {
        await dismissRefundAs(tx, deps, { refundId: refund_id, reason, by: actor })
        return { refund_id }
      }),
  })
}
