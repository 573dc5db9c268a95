import Type, { type Static } from 'typebox'
import { instantField, namedObject } from '../platform/http/index.ts'
import type { TermsDocument } from './queries.ts'
import type { CurrentTerms } from './service.ts'

const DocumentSchema = namedObject('TermsDocument', {
  id: Type.Integer({ description: 'Identifier of the document; used when accepting.' }),
  url: Type.String({ description: 'Where the document is hosted, to be displayed to the user.' }),
  revision: Type.String({ description: 'Version of the terms being acknowledged.' }),
  required_from: instantField('The instant from which users who have not accepted it are PENDING.'),
})
const { required_from: _, ...current } = DocumentSchema.properties

export const TermsSchema = namedObject('Terms', {
  ...current,
  announced: Type.Optional(
    Type.Array(DocumentSchema, {
      description:
        'Later revisions, in order, which users may accept before they are required; absent if there are none.',
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
  }
}
