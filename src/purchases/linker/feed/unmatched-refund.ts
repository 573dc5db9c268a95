import Type from 'typebox'
import { encodeId, type TransactionId } from '../../../platform/ids.ts'
import { field, id, money, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../../tenants/access/index.ts'

const refundId = field(
  Type.String({ description: 'ID of the refund.' }),
  { example: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v' },
  // A refund from a feed has the ID of its row, and a reported refund the ID of its transaction.
  (refundId: string, { isReported }: { readonly isReported: boolean }) =>
    isReported ? encodeId('txn', refundId as TransactionId) : refundId,
)

const details = {
  date: field(
    Type.String({ format: 'date', description: 'The day of the refund, yyyy-MM-dd.' }),
    { example: '2026-11-21' },
    (date: string) => date,
  ),
  amount: money({ example: 12.5, description: 'Amount in major units.' }),
  currency: text({ example: 'USD' }),
  merchant: text({
    example: 'BLUE KETTLE 0042',
    description: 'The merchant as named in the report or the feed. May be empty.',
  }),
}

/** A refund without a known purchase, in the feed of a linked card or reported by a publisher. */
export const UNMATCHED_REFUND = resource('UnmatchedRefund', {
  refund_id: refundId,
  publisher_id: PUBLISHER_FIELD,
  svc_user_id: id('usr', { property: 'userId', example: 'usr_01kbjyt5v3f4nvj5yq5yfypr9v' }),
  publisher_user_id: text({ example: 'user-1', description: "The publisher's ID for the user." }),
  ...details,
})

/** An unmatched refund whose user is known from the context. */
export const CANDIDATE_REFUND = resource('CandidateRefund', { refund_id: refundId, ...details })

type RefundOrigin = { readonly isReported: boolean }
export type UnmatchedRefund = ResourceRow<typeof UNMATCHED_REFUND> & RefundOrigin
export type CandidateRefund = ResourceRow<typeof CANDIDATE_REFUND> & RefundOrigin
