import { listLinks } from '../../cards/index.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { forgetCursors } from '../item-queries.ts'

/**
 * Requests a read from the beginning of the feeds of a user's logins, of all or of those at one institution. Known rows
 * change nothing; missing rows count as removed. Returns the number of feeds.
 */
export async function rescan(
  deps: Pick<LinkerDeps, 'db' | 'clock'>,
  publisher: Publisher,
  userId: UserId,
  institutionId: string | null,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const links = (await listLinks(tx, publisher, userId)).map(({ link }) => link)
    const meant = links.filter((link) => institutionId === null || link.institutionId === institutionId)
    return forgetCursors(tx, publisher.id, meant, deps.clock.now())
  })
}
