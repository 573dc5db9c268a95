import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { listUserNames } from './queries.ts'

type OfUser = { readonly publisherId: PublisherId; readonly userId: UserId }

/** Returns the publishers' own IDs for the users of these rows, with one query per publisher. */
export async function readUserNames(reader: Reader, rows: readonly OfUser[]): Promise<ReadonlyMap<UserId, string>> {
  const byPublisher: Map<PublisherId, OfUser[]> = Map.groupBy(rows, ({ publisherId }) => publisherId)
  const names = await Promise.all(
    [...byPublisher].map(([publisherId, of]) =>
      listUserNames(reader, publisherId, [...new Set(of.map(({ userId }) => userId))]),
    ),
  )
  return new Map(names.flatMap((one) => [...one]))
}
