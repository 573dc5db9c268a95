import Type from 'typebox'
import { namedObject, namedStrictObject, patternField, textField } from '../../../platform/http/index.ts'
import { boolean, instant, integer, oneOf, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'

const WORDING_LENGTH_MAX = 2_000
const AGREED = 'Whether the user agreed to marketing email.'

export const NewChoiceSchema = namedStrictObject('NewMarketingChoice', {
  agreed: Type.Boolean({ description: AGREED }),
  wording: textField(WORDING_LENGTH_MAX, 'The exact text the user read.'),
  language: patternField('^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', 'a language tag', {
    examples: ['de-CH'],
    description: 'The language of the text, such as en or de-CH.',
  }),
})

export const CHOICE = resource('MarketingChoice', {
  agreed: boolean({ example: true, description: AGREED }),
  wording: text({
    example: 'Acorn Pay may send me email about offers and news.',
    description: 'The text the user read.',
  }),
  language: text({ example: 'en', description: 'The language of the text.' }),
  via: oneOf(['portal', 'api'], {
    example: 'api',
    description: 'Where the user made the choice: in the portal, or on your own pages.',
  }),
  chosen_at: instant({ example: '2026-11-21T10:15:30.000Z', description: 'When the user chose; RFC 3339.' }),
  version: integer({ example: 1, description: 'Version number of the choice; the highest one applies.' }),
})

/** A user's choice about marketing email. */
export type MarketingChoice = ResourceRow<typeof CHOICE>

export const ChoiceOfEventSchema = namedObject('MarketingChoiceOfUser', {
  svc_user_id: Type.String(),
  publisher_user_id: Type.String(),
  ...CHOICE.schema.properties,
})
