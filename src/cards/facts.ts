import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { listCardSpans } from './queries.ts'

/** From when until when purchases on this account count. A card that was linked again has one fact for each of its ids. */
export type CardFact = { readonly accountId: string; readonly linkedAt: Date; readonly unlinkedAt: Date | null }

/** The card facts of several users in one statement; a user without cards has none. */
export async function cardFactsOf(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Map<UserId, CardFact[]>> {
  const facts = new Map<UserId, CardFact[]>()
  for (const { userId, accountId, linkedAt, unlinkedAt } of await listCardSpans(reader, publisherId, userIds)) {
    const known = facts.get(userId) ?? []
    known.push({ accountId, linkedAt, unlinkedAt })
    facts.set(userId, known)
  }
  return facts
}
