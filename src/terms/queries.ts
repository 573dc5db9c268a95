import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'

export type TermsDocument = {
  readonly documentId: number
  readonly url: string
  readonly revision: string
  readonly requiredFrom: Date
}
type Acceptance = { readonly userId: UserId; readonly documentId: number; readonly acceptedAt: Date }

/** All documents, oldest first. They are few, and the same for every publisher. */
export async function listDocuments(reader: Reader): Promise<TermsDocument[]> {
  return reader<TermsDocument[]>`
    select document_id, url, revision, required_from
    from terms_documents
    order by document_id`
}

/** Null when the revision exists already. */
export async function insertDocument(
  tx: Tx,
  document: Omit<TermsDocument, 'documentId'>,
  now: Date,
): Promise<TermsDocument | null> {
  const [row] = await tx<TermsDocument[]>`
    insert into terms_documents (url, revision, required_from, published_at)
    values (${document.url}, ${document.revision}, ${document.requiredFrom}, ${now})
    on conflict do nothing
    returning document_id, url, revision, required_from`
  return row ?? null
}

export async function insertAcceptance(tx: Tx, publisherId: PublisherId, acceptance: Acceptance): Promise<void> {
  await tx`
    insert into terms_acceptances (user_id, document_id, accepted_at, publisher_id)
    values (${acceptance.userId}, ${acceptance.documentId}, ${acceptance.acceptedAt}, ${publisherId})`
}

export async function listAcceptances(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Acceptance[]> {
  return reader<Acceptance[]>`
    select user_id, document_id, accepted_at
    from terms_acceptances
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
    order by user_id, accepted_at, document_id`
}
