import { diffMembers, type EventRecord, recordEvents } from '../../../events/index.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { countChanges } from './count-queries.ts'
import { writeTransactions } from './queries.ts'
import type { Change } from './settle.ts'
import { presentTransaction } from './transaction.ts'

/** Writes changed transactions and records their events. */
export async function writeChanges(
  tx: Tx,
  publisher: Publisher,
  changes: readonly Change[],
  publisherUserIds: ReadonlyMap<UserId, string>,
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const events = changes
    .filter((change) => change.isSilent !== true)
    .flatMap((change) => buildEvents(change, publisherUserIds.get(change.after.userId) ?? ''))
  await awaitAll([
    writeTransactions(tx, publisher.id, changes),
    countChanges(tx, publisher.id, changes),
    recordEvents(tx, publisher, events, now),
  ])
}

function buildEvents({ before, after }: Change, publisherUserId: string): EventRecord[] {
  const data = presentTransaction(after, publisherUserId)
  const previous = before && diffMembers(presentTransaction(before, publisherUserId), data)
  const events: EventRecord[] = [
    { type: before === null ? 'transaction.created' : 'transaction.updated', userId: after.userId, data, previous },
  ]
  const takenBack = after.adjusts !== null && after.status === 'EARNED' && after.amounts.user < 0n
  const lost = before !== null && before.amounts.user > 0n && after.amounts.user === 0n
  if (takenBack || lost) events.push({ type: 'reward.reversed', userId: after.userId, data, previous })
  return events
}
