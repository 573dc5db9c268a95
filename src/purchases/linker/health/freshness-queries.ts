import type { Reader } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'

type FeedFreshness = {
  readonly linked: number
  readonly readLately: number
  readonly neverRead: number
  readonly oldestReadAt: Date | null
}

/**
 * Counts the feeds of linked logins that have been read since an instant. Scans an index of all logins, which takes
 * about 60 ms per million.
 * @param publisherId null for all publishers
 */
export async function findFeedFreshness(
  reader: Reader,
  publisherId: PublisherId | null,
  since: Date,
): Promise<FeedFreshness> {
  const [row] = await reader<[FeedFreshness]>`
    -- all publishers: all users: the operators' overview
    select count(*)::integer as linked, count(*) filter (where synced_at >= ${since})::integer as read_lately,
      count(*) filter (where synced_at is null)::integer as never_read, min(synced_at) as oldest_read_at
    from linker_items
    ${publisherId === null ? reader`` : reader`where publisher_id = ${publisherId}`}`
  return row
}
