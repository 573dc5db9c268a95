import Type, { type Static } from 'typebox'
import { enumField, namedObject, namedStrictObject, patternField, textField } from '../../../platform/http/index.ts'
import type { MarketingChoice } from './queries.ts'

const WORDING_LENGTH_MAX = 2_000
const agreed = Type.Boolean({ description: 'Whether the user agreed to marketing e-mail.' })

export const NewChoiceSchema = namedStrictObject('NewMarketingChoice', {
  agreed,
  wording: textField(WORDING_LENGTH_MAX, 'The exact text the user read.'),
  language: patternField('^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', 'a language tag', {
    examples: ['de-CH'],
    description: 'The language of the text, such as en or de-CH.',
  }),
})

export const ChoiceSchema = namedObject('MarketingChoice', {
  agreed,
  wording: Type.String({ description: 'The text the user read.' }),
  language: Type.String({ description: 'The language of the text.' }),
  via: enumField(['portal', 'api'], 'Where the user made the choice: in the portal, or on your own pages.'),
  chosen_at: Type.String({ description: 'When the user chose; RFC 3339.' }),
  version: Type.Integer({ description: 'Version number of the choice; the highest one applies.' }),
})

export const ChoiceOfEventSchema = namedObject('MarketingChoiceOfUser', {
  svc_user_id: Type.String(),
  publisher_user_id: Type.String(),
  ...ChoiceSchema.properties,
})

export function presentChoice({ chosenAt, ...choice }: MarketingChoice): Static<typeof ChoiceSchema> {
  return { ...choice, chosen_at: chosenAt.toISOString() }
}
