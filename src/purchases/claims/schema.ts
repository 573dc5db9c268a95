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
  'missing: a purchase that is not there. incorrect: a wrong amount. declined: a purchase that earned nothing. other: anything else.'

export const ClaimParams = Type.Object({ claim_id: idField('The claim.') })

// Enough for a letter. Receipts stay with whoever collected them.
const proseField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4_000, format: 'prose', description })

export const NewClaimSchema = namedStrictObject('NewClaim', {
  publisher_user_id: idField('The user.'),
  external_ref: idField('Your reference for the claim, unique for the user: a repeat returns the first.'),
  kind: enumOf(CLAIM_KINDS, KIND),
  opened_by: Type.Optional(named('ClaimAuthor', enumOf(OPENERS, 'Who says it; user by default.'))),
  transaction_uid: Type.Optional(
    idField('The purchase that it is about, of this user; needed for incorrect and declined.'),
  ),
  brand_uid: Type.Optional(idField('The brand, if known.')),
  offer_uid: Type.Optional(idField('The offer, if known.')),
  purchase_date: Type.Optional(dayField('When the user bought, as they say.')),
  amount: Type.Optional(amountField('What they paid.')),
  currency: Type.Optional(currencyField()),
  order_id: Type.Optional(idField("The merchant's order.")),
  merchant: Type.Optional(textField(255, 'The merchant, in the words of the user or of a receipt.')),
  evidence: Type.Optional(proseField('What shows it; the first note of the claim.')),
})

export const ClaimQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's identifier for the user.")),
  status: Type.Optional(enumOf(CLAIM_STATUSES)),
  kind: Type.Optional(enumOf(CLAIM_KINDS, KIND)),
  start_date: Type.Optional(dayField('First day of opening, inclusive.')),
  end_date: Type.Optional(dayField('Last day, inclusive.')),
  ...pageQuery,
})

export const NoteBody = namedStrictObject('NewClaimNote', {
  author: Type.Optional(enumOf(OPENERS, 'Whose words these are; publisher by default.')),
  text: proseField('Evidence or a remark.'),
})
export const OperatorNoteBody = strictObject({ text: proseField('Text of the note. Visible to the publisher.') })

const uid = (description: string) => nullable(Type.String({ description }))

export const ClaimSchema = namedObject('Claim', {
  claim_id: Type.String(),
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  external_ref: Type.String(),
  kind: enumOf(CLAIM_KINDS, KIND),
  opened_by: enumOf(OPENERS, 'Who says it.'),
  transaction_uid: uid('The purchase that it is about; null: none is there.'),
  brand_uid: uid('The brand; null: not known.'),
  offer_uid: uid('The offer; null: not known.'),
  purchase_date: uid('When the user bought, as they say, yyyy-MM-dd; null: not known.'),
  amount: nullable(Type.Number({ description: 'What they paid, in major units; null: not known.' })),
  currency: uid('ISO 4217 code; null: without an amount.'),
  order_id: uid("The merchant's order; null: not known."),
  merchant: uid('The merchant, in the words of the user or of a receipt; null: not known.'),
  status: enumOf(CLAIM_STATUSES, 'open: a person decides until the deadline.'),
  reason: nullable(enumOf(DECLINE_REASONS, 'Why it was declined; null: it was not.')),
  reason_text: Type.Union([Type.String(), Type.Null()]),
  granted_transaction_uid: uid('The transaction of the source event that grants it; null: none does.'),
  adjustment_id: uid('The adjustment that grants it. While the claim is open, another person must book it first.'),
  deadline: Type.String({ description: 'By when it must be decided; RFC 3339.' }),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  decided_at: nullable(Type.String({ description: 'When it was decided; null: it is open.' })),
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
  author: Type.String({ description: 'Whose words these are: publisher, user, operator, or laurel.' }),
  text: Type.String({ description: 'Evidence or a remark.' }),
  at: Type.String({ description: 'When it was added; RFC 3339.' }),
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
