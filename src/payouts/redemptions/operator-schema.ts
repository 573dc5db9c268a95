import Type from 'typebox'
import {
  currencyField,
  dayField,
  enumField,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { oneOf } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../tenants/access/index.ts'
import { PAYOUT_FORMATS } from './files/payout-file.ts'
import type { CreatedFile } from './payouts/payout-files.ts'
import { PAYOUT_FILE } from './payouts/stored-file.ts'
import { REDEMPTION } from './redemption.ts'

export const RedemptionParams = Type.Object({ redemption_id: idField('The redemption.') })
export const FileParams = Type.Object({ file_id: idField('The file.') })
export const DeclineBody = strictObject({ reason: textField(500, 'Reason. Visible to the publisher.') })
export const AnswerBody = namedStrictObject('BankAnswer', {
  content: Type.String({ minLength: 1, maxLength: 1_000_000, description: "The bank's response file, as text." }),
})
export const NewFileBody = namedStrictObject('NewPayoutFile', {
  publisher_id: idField('The publisher (pub_…).'),
  format: enumField(PAYOUT_FORMATS),
  currency: Type.Optional(currencyField("Currency of the redemptions; defaults to the publisher's default currency.")),
  pay_on: Type.Optional(
    dayField('Day the money should arrive, from today to a year ahead. Defaults to the next business day.'),
  ),
})

export const OPERATOR_REDEMPTION = resource('OperatorRedemption', {
  publisher_id: PUBLISHER_FIELD,
  environment: oneOf(['sandbox', 'production'], {
    joined: true,
    example: 'production',
    description: 'No real money moves in a sandbox.',
  }),
  ...REDEMPTION.fields,
})
/** Example values for a redemption that awaits approval. */
export const waiting = { status: 'requested', approvals_needed: 2, version: 1 } as const

export const MadeFileSchema = namedObject('CreatedPayoutFile', {
  ...PAYOUT_FILE.schema.properties,
  pay_on_closed: nullable(
    Type.String({
      description:
        'Why pay_on is not a business day, such as `a Sunday`, in which case banks pay on the next one. Null if it is a business day.',
    }),
  ),
  left: Type.Array(
    Type.Object({ redemption_id: Type.String(), reason: Type.String({ description: 'Human-readable explanation.' }) }),
    { description: 'Redemptions that this format cannot pay. They stay approved.' },
  ),
})

export function presentMade({ file, closed, left }: CreatedFile) {
  const shown = left.map(({ redemptionId, reason }) => ({ redemption_id: encodeId('rdm', redemptionId), reason }))
  return { ...PAYOUT_FILE.present(file), pay_on_closed: closed, left: shown }
}
