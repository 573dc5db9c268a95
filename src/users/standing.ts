import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { listAcceptances, listDocuments, type TermsDocument } from '../terms/index.ts'
import { listDeactivations } from './queries.ts'
import { type AccountStatus, acceptanceHolds, standingAt, type UserHistory } from './rules.ts'

/** The facts about several users' status, in three statements however many they are. */
type Standings = {
  readonly documents: readonly TermsDocument[]
  at(userId: UserId, instant: Date): AccountStatus
  /** Whether the user has accepted this document or a newer one, and has not been deactivated since. */
  hasAccepted(userId: UserId, documentId: number): boolean
}

const nothingKnown: UserHistory = { acceptances: [], deactivations: [] }

export async function standingsOf(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Standings> {
  const documents = await listDocuments(reader)
  const histories = new Map<
    UserId,
    { acceptances: UserHistory['acceptances'][number][]; deactivations: UserHistory['deactivations'][number][] }
  >()
  for (const userId of userIds) histories.set(userId, { acceptances: [], deactivations: [] })
  for (const fact of await listAcceptances(reader, publisherId, userIds))
    histories.get(fact.userId)?.acceptances.push(fact)
  for (const fact of await listDeactivations(reader, publisherId, userIds))
    histories.get(fact.userId)?.deactivations.push(fact)
  return {
    documents,
    hasAccepted: (userId, documentId) => acceptanceHolds(histories.get(userId) ?? nothingKnown, documentId),
    at: (userId, instant) => standingAt(histories.get(userId) ?? nothingKnown, documents, instant),
  }
}
