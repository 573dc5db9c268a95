import type { TermsDocument } from '../terms/index.ts'

export const STATUSES = ['ACTIVE', 'INACTIVE', 'PENDING'] as const
export type AccountStatus = (typeof STATUSES)[number]

/** The acceptances and deactivations that determine a user's status. */
export type UserHistory = {
  readonly acceptances: readonly { readonly documentId: number; readonly acceptedAt: Date }[]
  readonly deactivations: readonly { readonly from: Date; readonly until: Date | null }[]
}

/**
 * Returns a user's status at an instant: INACTIVE while deactivated; ACTIVE once the terms required at that instant, or
 * newer ones, have been accepted since the last reactivation, if any; otherwise PENDING. Acceptances and deactivations
 * take effect at the start of their second, because callers often know times only to the second.
 */
export function deriveStatusAt(history: UserHistory, documents: readonly TermsDocument[], at: Date): AccountStatus {
  const happened = (fact: Date): boolean => Math.floor(fact.getTime() / 1000) * 1000 <= at.getTime()
  if (history.deactivations.some(({ from, until }) => happened(from) && (until === null || !happened(until))))
    return 'INACTIVE'
  const reactivatedMs = Math.max(
    0,
    ...history.deactivations.map(({ until }) => (until !== null && happened(until) ? until.getTime() : 0)),
  )
  const required = documents.findLastIndex((document) => happened(document.requiredFrom))
  const accepted = history.acceptances.some(
    ({ documentId, acceptedAt }) =>
      findRank(documents, documentId) >= required && happened(acceptedAt) && acceptedAt.getTime() >= reactivatedMs,
  )
  return accepted ? 'ACTIVE' : 'PENDING'
}

/** Returns true if the document or a newer one has been accepted since the last reactivation, if any. */
export function isAcceptanceValid(
  history: UserHistory,
  documents: readonly TermsDocument[],
  documentId: number,
): boolean {
  const rank = findRank(documents, documentId)
  const reactivatedMs = Math.max(0, ...history.deactivations.map(({ until }) => until?.getTime() ?? 0))
  return history.acceptances.some(
    (one) => findRank(documents, one.documentId) >= rank && one.acceptedAt.getTime() >= reactivatedMs,
  )
}

/** Later documents in the list supersede earlier ones. */
function findRank(documents: readonly TermsDocument[], documentId: number): number {
  return documents.findIndex((document) => document.documentId === documentId)
}
