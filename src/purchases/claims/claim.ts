import type { Id, PublisherId } from '../../platform/ids.ts'
import { day, from, id, instant, integer, joined, money, oneOf, orNull, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { CLAIM_KINDS, CLAIM_STATUSES, DECLINE_REASONS, OPENERS } from './rules.ts'

export type ClaimId = Id<'claim'>

export const KIND =
  'missing: a purchase that was not recorded. incorrect: a wrong amount. declined: a purchase that earned nothing. other: anything else.'

export const CLAIM = resource('Claim', {
  claim_id: id<'claim'>('clm', 'clm_01kbjyt5v3f4nvj5yq5yfypr9v'),
  publisher_user_id: joined(text('user-1')),
  svc_user_id: from('userId', id<'user'>('usr', 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha')),
  external_ref: text('ticket-4711'),
  kind: oneOf(CLAIM_KINDS, 'missing', KIND),
  opened_by: oneOf(OPENERS, 'user', 'Who opened the claim.'),
  transaction_uid: orNull(
    from(
      'transactionId',
      id<'transaction'>('txn', null, 'The purchase that the claim refers to, or null if there is none.'),
    ),
  ),
  brand_uid: orNull(text('brand-market', 'The brand, or null if unknown.')),
  offer_uid: orNull(text(null, 'The offer, or null if unknown.')),
  purchase_date: orNull(
    day('2026-11-14', 'Date of the purchase according to the user, yyyy-MM-dd, or null if unknown.'),
  ),
  amount: orNull(money(84.5, 'Amount the user paid, in major units, or null if unknown.')),
  currency: orNull(text('USD', 'ISO 4217 code, or null if there is no amount.')),
  order_id: orNull(text('1001', "The merchant's order identifier, or null if unknown.")),
  merchant: orNull(text('Corner Market', 'Merchant, as worded by the user or on a receipt, or null if unknown.')),
  status: oneOf(CLAIM_STATUSES, 'open', 'open: awaiting a decision by a person, until the deadline.'),
  reason: orNull(oneOf(DECLINE_REASONS, null, 'Why the claim was declined, or null if it was not.')),
  reason_text: orNull(text(null)),
  granted_transaction_uid: orNull(
    from(
      'grantedTransactionId',
      id<'transaction'>(
        'txn',
        null,
        'Transaction of the source event that grants the claim, or null if there is none.',
      ),
    ),
  ),
  adjustment_id: orNull(
    id<'adjustment'>(
      'adj',
      null,
      'Adjustment that grants the claim. While the claim is open, the adjustment still has to be booked by another person.',
    ),
  ),
  deadline: instant('2026-12-21T10:15:30.000Z', 'Deadline for deciding the claim, in RFC 3339 format.'),
  version: integer(1),
  created_at: instant('2026-11-21T10:15:30.000Z'),
  updated_at: instant('2026-11-21T10:15:30.000Z'),
  decided_at: orNull(instant(null, 'When the claim was decided, or null while it is open.')),
})

export type Claim = ResourceRow<typeof CLAIM> & {
  readonly publisherId: PublisherId
  /** Hash of everything the claim was opened with, used to recognize a repeat. */
  readonly inputHash: Buffer
  /** True if the person granting the claim also reported the event. Events reported earlier earn on their own. */
  readonly grantedEventIsNew: boolean
  /** An operator, `publisher` for a withdrawal, or `laurel` at the deadline. */
  readonly decidedBy: string | null
}

/** Evidence or a remark. Notes are append-only. */
export type ClaimNote = Pick<Claim, 'userId' | 'claimId'> & {
  readonly noteId: Id<'claim-note'>
  /** `publisher`, `user`, `laurel` or an operator. */
  readonly author: string
  readonly text: string
  readonly at: Date
}
