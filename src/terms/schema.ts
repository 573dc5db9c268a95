import Type, { type Static } from 'typebox'
import type { TermsDocument } from './queries.ts'

export const TermsSchema = Type.Object({
  id: Type.Integer({ description: 'Identifier of the document; used when accepting.' }),
  url: Type.String({ description: 'Where the document is hosted, to be displayed to the user.' }),
  revision: Type.String({ description: 'Version of the terms being acknowledged.' }),
})

export function presentDocument(document: TermsDocument): Static<typeof TermsSchema> {
  return { id: document.documentId, url: document.url, revision: document.revision }
}
