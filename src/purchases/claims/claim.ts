import Type from 'typebox'
import type { Id, PublisherId, UserId } from '../../platform/ids.ts'
import { day, field, id, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { USER_FIELDS } from '../../users/users/index.ts'
import { CLAIM_KINDS, CLAIM_STATUSES, DECLINE_REASONS, OPENERS } from './rules.ts'

export type ClaimId = Id<'claim'>

export const KIND_DESCRIPTION =
  'missing: a purchase that was not recorded. incorrect: a wrong amount. declined: a purchase that earned nothing. other: anything else.'

export const CLAIM = resource(
  'Claim',
  {
    claim_id: id('clm', { example: 'clm_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    ...USER_FIELDS,
    external_ref: text({ example: 'ticket-4711' }),
    kind: oneOf(CLAIM_KINDS, { example: 'missing', description: KIND_DESCRIPTION }),
    opened_by: oneOf(OPENERS, { example: 'user', description: 'Who opened the claim.' }),
    transaction_uid: id('txn', {
      property: 'transactionId',
      nullable: true,
      example: null,
      description: 'The purchase that the claim refers to, or null if there is none.',
    }),
    brand_uid: text({ nullable: true, example: 'brand-market', description: 'The brand, or null if unknown.' }),
    offer_uid: text({ nullable: true, example: null, description: 'The offer, or null if unknown.' }),
    purchase_date: day({
      nullable: true,
      example: '2026-11-14',
      description: 'Date of the purchase according to the user, yyyy-MM-dd, or null if unknown.',
    }),
    amount: money({
      nullable: true,
      example: 84.5,
      description: 'Amount the user paid, in major units, or null if unknown.',
    }),
    currency: text({ nullable: true, example: 'USD', description: 'ISO 4217 code, or null if there is no amount.' }),
    order_id: text({
      nullable: true,
      example: '1001',
      description: "The merchant's order identifier, or null if unknown.",
    }),
    merchant: text({
      nullable: true,
      example: 'Corner Market',
      description: 'Merchant, as worded by the user or on a receipt, or null if unknown.',
    }),
    status: oneOf(CLAIM_STATUSES, {
      example: 'open',
      description: 'open: awaiting a decision by a person, until the deadline.',
    }),
    reason: oneOf(DECLINE_REASONS, {
      nullable: true,
      example: null,
      description: 'Why the claim was declined, or null if it was not.',
    }),
    reason_text: text({ nullable: true, example: null }),
    granted_transaction_uid: id('txn', {
      property: 'grantedTransactionId',
      nullable: true,
      example: null,
      description: 'Transaction of the source event that grants the claim, or null if there is none.',
    }),
    adjustment_id: id('adj', {
      nullable: true,
      example: null,
      description:
        'Adjustment that grants the claim. While the claim is open, the adjustment still has to be booked by another person.',
    }),
    deadline: instant({
      example: '2026-12-21T10:15:30.000Z',
      description: 'Deadline for deciding the claim, in RFC 3339 format.',
    }),
    version: integer({ example: 1 }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    updated_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    decided_at: instant({
      nullable: true,
      example: null,
      description: 'When the claim was decided, or null while it is open.',
    }),
  },
  {
    publisherId: column<PublisherId>(),
    /** A hash of all the claim's original details, used to recognize a repeated request. */
    inputHash: column<Buffer>(),
    /**
     * True if the person granting the claim also reported the event. An event reported earlier earns its reward
     * regardless of the claim.
     */
    grantedEventIsNew: column<boolean>(),
    /** An operator, `publisher` for a withdrawal, or `laurel` at the deadline. */
    decidedBy: column<string | null>(),
  },
)

export type Claim = ResourceRow<typeof CLAIM>

const SHOWN_AUTHORS: readonly string[] = ['publisher', 'user', 'laurel']

/** Evidence or a remark. Notes are append-only. */
export const NOTE = resource(
  'ClaimNote',
  {
    // Publishers never see which operator wrote a note.
    author: field(
      Type.String({ description: 'Author of the note: publisher, user, operator, or laurel.' }),
      { example: 'user' },
      (author: string) => (SHOWN_AUTHORS.includes(author) ? author : 'operator'),
    ),
    text: text({
      example: 'I paid in the shop on Main Street. The receipt number is 1001.',
      description: 'Evidence or a comment.',
    }),
    at: instant({
      example: '2026-11-21T10:15:30.000Z',
      description: 'When the note was added, in RFC 3339 format.',
    }),
  },
  {
    userId: column<UserId>(),
    noteId: column<Id<'claim-note'>>(),
    claimId: column<ClaimId>(),
    publisherId: column<PublisherId>(),
  },
)

export type ClaimNote = ResourceRow<typeof NOTE>
