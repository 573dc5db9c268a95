import type { Reader, Tx } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import type { TermsRefusal } from './errors.ts'
import { insertDocument, listDocuments, type TermsDocument } from './queries.ts'

/**
 * Publishes a document. From requiredFrom on, users who have not accepted it are PENDING until they do.
 * @throws Refusal terms_revision_exists
 */
export async function publishTerms(
  tx: Tx,
  input: Omit<TermsDocument, 'documentId'>,
  now: Date,
): Promise<TermsDocument> {
  const document = await insertDocument(tx, input, now)
  if (document === null) {
    throw new Refusal<TermsRefusal>('terms_revision_exists', `Revision ${input.revision} is published already.`, {
      field: 'revision',
    })
  }
  return document
}

/** The newest document: users may accept it before it is required. @throws Refusal terms_not_published */
export async function newestDocument(reader: Reader): Promise<TermsDocument> {
  const document = (await listDocuments(reader)).at(-1)
  if (document === undefined)
    throw new Refusal<TermsRefusal>('terms_not_published', 'No terms and conditions are published yet.')
  return document
}
