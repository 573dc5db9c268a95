import type { Reader } from '../../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import { listCardEventIds, listPurchaseKeys } from '../queries.ts'

/** The transactions that these events of a user's cards belong to, by the events' external ids. */
export async function purchasesOfCardEvents(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, TransactionId>> {
  if (externalIds.length === 0) return new Map()
  const wanted = externalIds.map((externalId) => ({ userId, source: 'CARD' as const, externalId }))
  const keys = await listPurchaseKeys(reader, publisherId, wanted)
  return new Map(keys.map((key) => [key.externalId, key.transactionId]))
}

/** The external ids under which a purchase by card is known. */
export async function eventsOfCardPurchase(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  transactionId: TransactionId,
): Promise<string[]> {
  return listCardEventIds(reader, publisherId, userId, transactionId)
}
