import { awaitAll, type Reader } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { listAcceptances, listDocuments, type TermsDocument } from '../terms/index.ts'
import { listDeactivations } from './queries.ts'
import { type AccountStatus, deriveStatusAt, isAcceptanceValid, type UserHistory } from './rules.ts'

/** The statuses of several users, loaded with three statements regardless of the number of users. */
type UserStatuses = {
  readonly documents: readonly TermsDocument[]
  at(userId: UserId, instant: Date): AccountStatus
  /** Returns true if the user has accepted this document or a newer one and has not been deactivated since. */
  hasAccepted(userId: UserId, documentId: number): boolean
}

export async function readStatuses(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<UserStatuses> {
  const [documents, accepted, deactivated] = await awaitAll([
    listDocuments(reader, publisherId),
    listAcceptances(reader, publisherId, userIds),
    listDeactivations(reader, publisherId, userIds),
  ])
  const acceptances = Map.groupBy(accepted, ({ userId }) => userId)
  const deactivations = Map.groupBy(deactivated, ({ userId }) => userId)
  const toHistory = (userId: UserId): UserHistory => ({
    acceptances: acceptances.get(userId) ?? [],
    deactivations: deactivations.get(userId) ?? [],
  })
  return {
    documents,
    hasAccepted: (userId, documentId) => isAcceptanceValid(toHistory(userId), documents, documentId),
    at: (userId, instant) => deriveStatusAt(toHistory(userId), documents, instant),
  }
}
