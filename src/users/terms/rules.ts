import type { PublisherId } from '../../platform/ids.ts'
import type { TermsDocument } from './queries.ts'

/** Selects the documents that bind a publisher's users, its own last, in the order of `listDocuments`. */
export function selectBinding(all: readonly TermsDocument[], publisherId: PublisherId): TermsDocument[] {
  return [...all.filter((one) => one.publisherId === null), ...all.filter((one) => one.publisherId === publisherId)]
}

/**
 * Returns true if the document is required at an instant. Compares whole seconds, because callers often know times only
 * to the second.
 */
function isRequired({ requiredFrom }: Pick<TermsDocument, 'requiredFrom'>, at: Date): boolean {
  return Math.floor(requiredFrom.getTime() / 1000) * 1000 <= at.getTime()
}

/** Returns a document's index in the list, or -1 if it is absent. Later documents supersede earlier ones. */
export function findRank(documents: readonly TermsDocument[], documentId: number): number {
  return documents.findIndex((document) => document.documentId === documentId)
}

/** Returns the rank of the document that must be accepted at an instant; -1 if there is none. */
export function findRequiredRank(documents: readonly TermsDocument[], at: Date): number {
  return documents.findLastIndex((document) => isRequired(document, at))
}

/**
 * Returns the document that a publisher's users must accept now, and those announced after it. Before any document is
 * required, the first one is current.
 */
export function selectTermsAt(
  documents: readonly TermsDocument[],
  at: Date,
): { readonly current: TermsDocument | null; readonly announced: readonly TermsDocument[] } {
  const rank = Math.max(0, findRequiredRank(documents, at))
  return { current: documents[rank] ?? null, announced: documents.slice(rank + 1) }
}

/**
 * Returns the newest document that a user has accepted, and the required documents published after it. If the user has
 * accepted none, the list is empty, because every document is new to them.
 */
export function findNewerThanAccepted(
  documents: readonly TermsDocument[],
  acceptedIds: readonly number[],
  at: Date,
): { readonly accepted: TermsDocument | null; readonly newer: readonly TermsDocument[] } {
  const rank = documents.findLastIndex(({ documentId }) => acceptedIds.includes(documentId))
  const accepted = documents[rank] ?? null
  return { accepted, newer: accepted === null ? [] : documents.slice(rank + 1, findRequiredRank(documents, at) + 1) }
}
