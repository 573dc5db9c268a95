import type { PublisherId } from '../platform/ids.ts'
import type { TermsDocument } from './queries.ts'

/** Those of all documents that bind the users of a publisher, its own last, in the order of listDocuments. */
export function bindingOn(all: readonly TermsDocument[], publisherId: PublisherId): TermsDocument[] {
  return [...all.filter((one) => one.publisherId === null), ...all.filter((one) => one.publisherId === publisherId)]
}

/** A document is required from the beginning of its second: callers often know times only to the second. */
function isRequired({ requiredFrom }: Pick<TermsDocument, 'requiredFrom'>, at: Date): boolean {
  return Math.floor(requiredFrom.getTime() / 1000) * 1000 <= at.getTime()
}

/** The place of a document in the list, of which later ones cover earlier ones; -1 if it is not in it. */
export function rankOf(documents: readonly TermsDocument[], documentId: number): number {
  return documents.findIndex((document) => document.documentId === documentId)
}

/** The rank of the document that must be accepted at an instant; -1 when none must. */
export function requiredRank(documents: readonly TermsDocument[], at: Date): number {
  return documents.findLastIndex((document) => isRequired(document, at))
}

/**
 * What the users of a publisher must accept now, and what they will have to: those that no required document covers.
 * Before the first one is required, it is what there is to accept.
 */
export function termsAt(
  documents: readonly TermsDocument[],
  at: Date,
): { readonly current: TermsDocument | null; readonly announced: readonly TermsDocument[] } {
  const rank = Math.max(0, requiredRank(documents, at))
  return { current: documents[rank] ?? null, announced: documents.slice(rank + 1) }
}

/**
 * The newest document that a user has accepted, and the required ones published after it. If they have accepted none,
 * the list is empty, because everything is new to them.
 */
export function newerThanAccepted(
  documents: readonly TermsDocument[],
  acceptedIds: readonly number[],
  at: Date,
): { readonly accepted: TermsDocument | null; readonly newer: readonly TermsDocument[] } {
  const rank = documents.findLastIndex(({ documentId }) => acceptedIds.includes(documentId))
  const accepted = documents[rank] ?? null
  return { accepted, newer: accepted === null ? [] : documents.slice(rank + 1, requiredRank(documents, at) + 1) }
}
