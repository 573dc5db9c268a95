import Type from 'typebox'
import {
  amountField,
  currencyField,
  dayField,
  enumField,
  idField,
  named,
  namedStrictObject,
  pageQuery,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { KIND_DESCRIPTION } from './claim.ts'
import { CLAIM_KINDS, CLAIM_STATUSES, OPENERS } from './rules.ts'

export const ClaimParams = Type.Object({ claim_id: idField('The claim.') })

// Long enough for a letter. Receipts stay with whoever collected them.
const proseField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4_000, format: 'prose', description })

export const NewClaimSchema = namedStrictObject('NewClaim', {
  publisher_user_id: idField('The user.'),
  external_ref: idField('Your reference for the claim, unique per user. A repeat returns the first claim.'),
  kind: enumField(CLAIM_KINDS, KIND_DESCRIPTION),
  opened_by: Type.Optional(named('ClaimAuthor', enumField(OPENERS, 'Who makes the claim. Defaults to user.'))),
  transaction_uid: Type.Optional(
    idField("The user's purchase that the claim is about. Required for incorrect and declined."),
  ),
  brand_uid: Type.Optional(idField('The brand, if known.')),
  offer_uid: Type.Optional(idField('The offer, if known.')),
  purchase_date: Type.Optional(dayField('Day of the purchase, according to the user.')),
  amount: Type.Optional(amountField('Amount the user paid.')),
  currency: Type.Optional(currencyField()),
  order_id: Type.Optional(idField("The merchant's order identifier.")),
  merchant: Type.Optional(textField(255, 'The merchant, as named by the user or on a receipt.')),
  evidence: Type.Optional(proseField('Evidence for the claim; becomes its first note.')),
})

export const ClaimQuery = strictObject({
  publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
  status: Type.Optional(enumField(CLAIM_STATUSES, 'Only claims with this status.')),
  kind: Type.Optional(enumField(CLAIM_KINDS, 'Only claims of this kind, such as missing.')),
  start_date: Type.Optional(dayField('Only claims opened on or after this day.')),
  end_date: Type.Optional(dayField('Last day, inclusive.')),
  ...pageQuery,
})

export const NoteBody = namedStrictObject('NewClaimNote', {
  author: Type.Optional(enumField(OPENERS, 'Author of the note. Defaults to publisher.')),
  text: proseField('Evidence or a comment.'),
})
export const OperatorNoteBody = strictObject({ text: proseField('Text of the note. Visible to the publisher.') })
