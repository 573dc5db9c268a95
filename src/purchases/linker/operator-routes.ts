import Type from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { idField, namedObject, strictObject, textField } from '../../platform/http/index.ts'
import { listOperation, type OperatorOperation } from '../../tenants/access/index.ts'
import { readUserNames } from '../../users/users/index.ts'
import { presentTransaction, TRANSACTION } from '../transactions/index.ts'
import { UNMATCHED_REFUNDS } from './feed/unmatched-queries.ts'
import { UNMATCHED_REFUND } from './feed/unmatched-refund.ts'
import { assignRefundAs, dismissRefundAs, listPurchasesFor } from './feed/unmatched-refunds.ts'

const RefundParams = Type.Object({ refund_id: idField('ID of the refund, as returned in the list.') })
const Reason = textField(1000, 'Reason, stored with the decision.')
const DecidedSchema = namedObject('DecidedRefund', {
  refund_id: Type.String({ description: 'ID of the refund.' }),
})

/** Registers the routes for unmatched refunds, which claw nothing back until their purchase is found. */
export function operatorRefundRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/refunds/unmatched',
    permission: 'refunds:read',
    id: 'listUnmatchedRefunds',
    summary: 'List unmatched refunds, longest waiting first',
    description:
      'Refunds that reference no purchase and match none. Each later event for the user triggers another search; operators decide the rest.',
    list: UNMATCHED_REFUNDS,
    resource: UNMATCHED_REFUND,
    refusals: ['publisher_not_found'],
  })
  operation('GET /operator/refunds/:refund_id/candidates', {
    config: { permission: 'refunds:read' },
    id: 'listRefundCandidates',
    summary: 'List candidate purchases for an unmatched refund',
    description: 'Up to 20 purchases of the same user: exact matches of the amount first, then the latest.',
    params: RefundParams,
    answer: namedObject('RefundCandidateList', { content: Type.Array(TRANSACTION.schema) }),
    example: { content: [TRANSACTION.example] },
    refusals: ['refund_not_found', 'publisher_not_found', 'refund_settled'],
    handler: async ({ params }) => {
      const { purchases, ...of } = await listPurchasesFor(deps.db.reader, params.refund_id)
      const name = (await readUserNames(deps.db.reader, [of])).get(of.userId) ?? ''
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
      "Reduces the purchase's reward accordingly. 422 if the purchase has another user, source or currency, or if less than the refund's amount is left to refund.",
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
    bodyExample: { reason: 'For a purchase made before the card was linked.' },
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
