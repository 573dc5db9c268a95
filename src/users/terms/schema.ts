import Type, { type Static, type TOptional, type TString } from 'typebox'
import { instantField, namedObject, namedStrictObject, textField } from '../../platform/http/index.ts'
import type { Language } from '../../platform/text/languages.ts'
import type { TermsDocument } from './queries.ts'
import type { CurrentTerms } from './service.ts'

const CHANGE_MAX = 500
const DESCRIPTION = 'Changes since the previous revision, summarized for users in each language.'
const buildTexts = (fieldIn: (language: string) => TOptional<TString>) =>
  ({ en: fieldIn('English'), es: fieldIn('Spanish'), de: fieldIn('German') }) satisfies Record<
    Language,
    TOptional<TString>
  >

/** If a user's language is missing, the user sees the changes in another language. */
export const NewChangesSchema = namedStrictObject(
  'NewTermsChanges',
  buildTexts((language) => Type.Optional(textField(CHANGE_MAX, `Text in ${language}.`))),
  { description: DESCRIPTION },
)
export const ChangesSchema = namedObject(
  'TermsChanges',
  buildTexts((language) => Type.Optional(Type.String({ description: `Text in ${language}.` }))),
  { description: DESCRIPTION },
)

const DocumentSchema = namedObject('TermsDocument', {
  id: Type.Integer({ description: 'ID of the document, used to accept it.' }),
  url: Type.String({ description: 'URL of the document to display to the user.' }),
  revision: Type.String({ description: 'Version of the document.' }),
  required_from: instantField('When users who have not accepted it become PENDING.'),
  changes: Type.Optional(ChangesSchema),
})
const { required_from: _, ...current } = DocumentSchema.properties

export const TermsSchema = namedObject('Terms', {
  ...current,
  announced: Type.Optional(
    Type.Array(DocumentSchema, {
      description:
        'Later revisions, in order, that users may accept before they are required; absent if there are none.',
    }),
  ),
})

export function presentTerms({ current: required, announced }: CurrentTerms): Static<typeof TermsSchema> {
  const { required_from: _, ...shown } = presentDocument(required)
  return { ...shown, ...(announced.length === 0 ? {} : { announced: announced.map(presentDocument) }) }
}

export function presentDocument(document: TermsDocument): Static<typeof DocumentSchema> {
  return {
    id: document.documentId,
    url: document.url,
    revision: document.revision,
    required_from: document.requiredFrom.toISOString(),
    ...(Object.keys(document.changes).length === 0 ? {} : { changes: document.changes }),
  }
}
