import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Language } from '../../platform/text/languages.ts'
import { nowOfPublisher } from '../../tenants/publishers/index.ts'

export type TermsDocument = {
  readonly documentId: number
  /** The publisher whose users the document binds; null for the users of all publishers without terms of their own. */
  readonly publisherId: PublisherId | null
  readonly url: string
  readonly revision: string
  readonly requiredFrom: Date
  /** The changes since the previous revision, in the operator's words. */
  readonly changes: TermsChanges
}
export type TermsChanges = Readonly<Partial<Record<Language, string>>>
type Acceptance = { readonly userId: UserId; readonly documentId: number; readonly acceptedAt: Date }

/**
 * Lists the few documents that bind a publisher's users. The publisher's own documents come last and take precedence
 * over the service's.
 */
export async function listDocuments(reader: Reader, publisherId: PublisherId | null): Promise<TermsDocument[]> {
  return reader<TermsDocument[]>`
    select document_id, publisher_id, url, revision, required_from, changes
    from terms_documents
    where publisher_id is null or publisher_id = ${publisherId}
    order by publisher_id nulls first, document_id`
}

/** Lists the documents of the service and of every publisher, oldest first. */
export async function listAllDocuments(reader: Reader): Promise<TermsDocument[]> {
  // all publishers: the operator's list
  return reader<TermsDocument[]>`
    select document_id, publisher_id, url, revision, required_from, changes from terms_documents order by document_id`
}

/** @returns null if the revision already exists */
export async function insertDocument(
  tx: Tx,
  document: Omit<TermsDocument, 'documentId'>,
  now: Date,
): Promise<TermsDocument | null> {
  const [row] = await tx<TermsDocument[]>`
    insert into terms_documents (publisher_id, url, revision, required_from, changes, published_at)
    values (
      ${document.publisherId}, ${document.url}, ${document.revision}, ${document.requiredFrom},
      ${tx.json(document.changes)}, ${now}
    )
    on conflict do nothing
    returning document_id, publisher_id, url, revision, required_from, changes`
  return row ?? null
}

/** Lists the publishers whose users a document will bind once it is required. */
export async function listBound(
  reader: Reader,
  publisherId: PublisherId | null,
  requiredFrom: Date,
): Promise<PublisherId[]> {
  // all publishers: the service's terms bind those without their own
  const rows = await reader<{ publisherId: PublisherId }[]>`
    select publisher_id from publishers p
    where ${
      publisherId === null
        ? reader`not exists (
            select 1 from terms_documents d
            where d.publisher_id = p.publisher_id and d.required_from <= ${requiredFrom}
          )`
        : reader`publisher_id = ${publisherId}`
    }
    order by publisher_id`
  return rows.map((row) => row.publisherId)
}

export async function insertRollouts(
  tx: Tx,
  { documentId, requiredFrom }: TermsDocument,
  publisherIds: readonly PublisherId[],
): Promise<void> {
  await tx`
    insert into terms_rollouts (publisher_id, document_id, required_from)
    select publisher_id, ${documentId}, ${requiredFrom} from unnest(${publisherIds as PublisherId[]}::uuid[]) as given (publisher_id)`
}

type Rollout = {
  readonly documentId: number
  readonly requiredFrom: Date
  readonly afterCreatedAt: Date | null
  readonly afterUser: UserId | null
}

/** Lists publishers with an unfinished rollout that is due by the publisher's own clock. */
export async function listRolloutPublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  // all publishers: the worker's list
  const rows = await reader<{ publisherId: PublisherId }[]>`
    select distinct r.publisher_id from terms_rollouts r join publishers p using (publisher_id)
    where r.required_from <= ${nowOfPublisher(reader, realNow)} and p.moves_at is null`
  return rows.map((row) => row.publisherId)
}

/** Locks and returns the next rollout that is due; null if there is none. */
export async function lockRollout(tx: Tx, publisherId: PublisherId, now: Date): Promise<Rollout | null> {
  const [row] = await tx<Rollout[]>`
    select document_id, required_from, after_created_at, after_user from terms_rollouts
    where publisher_id = ${publisherId} and required_from <= ${now}
    order by required_from, document_id
    limit 1
    for update`
  return row ?? null
}

export async function advanceRollout(
  tx: Tx,
  publisherId: PublisherId,
  { documentId, afterCreatedAt, afterUser }: Rollout,
): Promise<void> {
  await tx`
    update terms_rollouts set after_created_at = ${afterCreatedAt}, after_user = ${afterUser}
    where publisher_id = ${publisherId} and document_id = ${documentId}`
}

export async function deleteRollout(tx: Tx, publisherId: PublisherId, documentId: number): Promise<void> {
  await tx`delete from terms_rollouts where publisher_id = ${publisherId} and document_id = ${documentId}`
}

export async function insertAcceptance(tx: Tx, publisherId: PublisherId, acceptance: Acceptance): Promise<void> {
  await tx`insert into terms_acceptances ${tx({ publisherId, ...acceptance })}`
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

type AcceptedDocument = Pick<TermsDocument, 'documentId' | 'url' | 'revision'> & Pick<Acceptance, 'acceptedAt'>

/** Lists a user's acceptances, oldest first. */
export async function listAccepted(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
): Promise<AcceptedDocument[]> {
  return reader<AcceptedDocument[]>`
    select document_id, d.url, d.revision, a.accepted_at
    from terms_acceptances a
    join terms_documents d using (document_id)
    where a.publisher_id = ${publisherId} and a.user_id = ${userId}
    order by a.accepted_at, document_id`
}
