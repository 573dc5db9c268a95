import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { listAcceptances, listDocuments, type TermsDocument } from '../terms/index.ts'
import { listDeactivations } from './queries.ts'
import { type AccountStatus, acceptanceHolds, statusAt, type UserHistory } from './rules.ts'

/** The statuses of several users, from three statements however many they are. */
type UserStatuses = {
  readonly documents: readonly TermsDocument[]
  at(userId: UserId, instant: Date): AccountStatus
  /** Whether the user has accepted this document or a newer one, and has not been deactivated since. */
  hasAccepted(userId: UserId, documentId: number): boolean
}

const noHistory: UserHistory = { acceptances: [], deactivations: [] }

export async function statusesOf(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<UserStatuses> {
  const documents = await listDocuments(reader)
  const histories = new Map<
    UserId,
    { acceptances: UserHistory['acceptances'][number][]; deactivations: UserHistory['deactivations'][number][] }
  >()
  for (const userId of userIds) histories.set(userId, { acceptances: [], deactivations: [] })
  for (const one of await listAcceptances(reader, publisherId, userIds))
    histories.get(one.userId)?.acceptances.push(one)
  for (const one of await listDeactivations(reader, publisherId, userIds))
    histories.get(one.userId)?.deactivations.push(one)
  return {
    documents,
    hasAccepted: (userId, documentId) => acceptanceHolds(histories.get(userId) ?? noHistory, documentId),
    at: (userId, instant) => statusAt(histories.get(userId) ?? noHistory, documents, instant),
  }
}
