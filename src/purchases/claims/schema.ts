import Type, { type Static } from 'typebox'
import {
  amountField,
  currencyField,
  dayField,
  enumOf,
  idField,
  named,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { Claim, ClaimNote } from './claim.ts'
import { CLAIM_KINDS, CLAIM_STATUSES, DECLINE_REASONS, OPENERS } from './rules.ts'

const KIND =
  'missing: a purchase that was not recorded. incorrect: a wrong amount. declined: a purchase that earned nothing. other: anything else.'

export const ClaimParams = Type.Object({ claim_id: idField('The claim.') })

// Enough for a letter. Receipts stay with whoever collected them.
const proseField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4_000, format: 'prose', description })

export const NewClaimSchema = namedStrictObject('NewClaim', {
  publisher_user_id: idField('The user.'),
  external_ref: idField('Your reference for the claim, unique per user. A repeat returns the first claim.'),
  kind: enumOf(CLAIM_KINDS, KIND),
  opened_by: Type.Optional(named('ClaimAuthor', enumOf(OPENERS, 'Who makes the claim. Defaults to user.'))),
  transaction_uid: Type.Optional(
    idField("The user's purchase that the claim is about. Required for incorrect and declined."),
  ),
  brand_uid: Type.Optional(idField('The brand, if known.')),
  offer_uid: Type.Optional(idField('The offer, if known.')),
  purchase_date: Type.Optional(dayField('When the user bought, as they say.')),
  amount: Type.Optional(amountField('What they paid.')),
  currency: Type.Optional(currencyField()),
  order_id: Type.Optional(idField("The merchant's order identifier.")),
  merchant: Type.Optional(textField(255, 'The merchant, as named by the user or on a receipt.')),
  evidence: Type.Optional(proseField('Evidence for the claim; becomes its first note.')),
})

export const ClaimQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
  status: Type.Optional(enumOf(CLAIM_STATUSES)),
  kind: Type.Optional(enumOf(CLAIM_KINDS, KIND)),
  start_date: Type.Optional(dayField('First day of opening, inclusive.')),
  end_date: Type.Optional(dayField('Last day, inclusive.')),
  ...pageQuery,
})

export const NoteBody = namedStrictObject('NewClaimNote', {
  author: Type.Optional(enumOf(OPENERS, 'Author of the note. Defaults to publisher.')),
  text: proseField('Evidence or a comment.'),
})
export const OperatorNoteBody = strictObject({ text: proseField('Text of the note. Visible to the publisher.') })

const uid = (description: string) => nullable(Type.String({ description }))

export const ClaimSchema = namedObject('Claim', {
  claim_id: Type.String(),
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  external_ref: Type.String(),
  kind: enumOf(CLAIM_KINDS, KIND),
  opened_by: enumOf(OPENERS, 'Who opened the claim.'),
  transaction_uid: uid('The purchase that the claim refers to, or null if there is none.'),
  brand_uid: uid('The brand, or null if unknown.'),
  offer_uid: uid('The offer, or null if unknown.'),
  purchase_date: uid('Date of the purchase according to the user, yyyy-MM-dd, or null if unknown.'),
  amount: nullable(Type.Number({ description: 'Amount the user paid, in major units, or null if unknown.' })),
  currency: uid('ISO 4217 code, or null if there is no amount.'),
  order_id: uid("The merchant's order identifier, or null if unknown."),
  merchant: uid('Merchant, as worded by the user or on a receipt, or null if unknown.'),
  status: enumOf(CLAIM_STATUSES, 'open: awaiting a decision by a person, until the deadline.'),
  reason: nullable(enumOf(DECLINE_REASONS, 'Why the claim was declined, or null if it was not.')),
  reason_text: Type.Union([Type.String(), Type.Null()]),
  granted_transaction_uid: uid('Transaction of the source event that grants the claim, or null if there is none.'),
  adjustment_id: uid(
    'Adjustment that grants the claim. While the claim is open, the adjustment still has to be booked by another person.',
  ),
  deadline: Type.String({ description: 'Deadline for deciding the claim, in RFC 3339 format.' }),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  decided_at: nullable(Type.String({ description: 'When the claim was decided, or null while it is open.' })),
})
export type ShownClaim = Static<typeof ClaimSchema>

export function presentClaim(row: Claim, publisherUserId: string): ShownClaim {
  const { transactionId, grantedTransactionId: granted, adjustmentId, amount, currency } = row
  return {
    claim_id: encodeId('clm', row.claimId),
    publisher_user_id: publisherUserId,
    svc_user_id: encodeId('usr', row.userId),
    external_ref: row.externalRef,
    kind: row.kind,
    opened_by: row.openedBy,
    transaction_uid: transactionId === null ? null : encodeId('txn', transactionId),
    brand_uid: row.brandUid,
    offer_uid: row.offerUid,
    purchase_date: row.purchaseDate,
    amount: amount === null || currency === null ? null : toJsonNumber(amount, currency),
    currency,
    order_id: row.orderId,
    merchant: row.merchant,
    status: row.status,
    reason: row.reason,
    reason_text: row.reasonText,
    granted_transaction_uid: granted === null ? null : encodeId('txn', granted),
    adjustment_id: adjustmentId === null ? null : encodeId('adj', adjustmentId),
    deadline: row.deadline.toISOString(),
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}

export const NoteSchema = namedObject('ClaimNote', {
  author: Type.String({ description: 'Author of the note: publisher, user, operator, or laurel.' }),
  text: Type.String({ description: 'Evidence or a comment.' }),
  at: Type.String({ description: 'When the note was added, in RFC 3339 format.' }),
})

const AUTHORS: readonly string[] = ['publisher', 'user', 'laurel']

/** Publishers never see which operator wrote a note. */
export function presentNote({ author, text, at }: ClaimNote): Static<typeof NoteSchema> {
  return { author: AUTHORS.includes(author) ? author : 'operator', text, at: at.toISOString() }
}

export const claimExample: ShownClaim = {
  claim_id: 'clm_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_user_id: 'user-1',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  external_ref: 'ticket-4711',
  kind: 'missing',
  opened_by: 'user',
  transaction_uid: null,
  brand_uid: 'brand-market',
  offer_uid: null,
  purchase_date: '2026-11-14',
  amount: 84.5,
  currency: 'USD',
  order_id: '1001',
  merchant: 'Corner Market',
  status: 'open',
  reason: null,
  reason_text: null,
  granted_transaction_uid: null,
  adjustment_id: null,
  deadline: '2026-12-21T10:15:30.000Z',
  version: 1,
  created_at: '2026-11-21T10:15:30.000Z',
  updated_at: '2026-11-21T10:15:30.000Z',
  decided_at: null,
}
export const noteExample: Static<typeof NoteSchema> = {
  author: 'user',
  text: 'I paid in the shop on Main Street. The receipt has the number 1001.',
  at: '2026-11-21T10:15:30.000Z',
}
