import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { type CardError, type Link, type LinkId, linkColumns } from './queries.ts'

/** The state of a login, partly shown on its cards. */
export type LinkHealth = {
  readonly error: CardError | null
  readonly deadline: Date | null
  /** When the break of the login was announced; null while the login works. */
  readonly breakToldAt: Date | null
  /** When this was observed; null: every observation is newer. */
  readonly observedAt: Date | null
}

export async function findLinkHealth(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  linkId: LinkId,
): Promise<LinkHealth | null> {
  const [row] = await reader<LinkHealth[]>`
    select error, reauthentication_deadline as deadline, break_told_at, observed_at
    from links
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId} and unlinked_at is null`
  return row ?? null
}

export async function markLinkHealth(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  linkId: LinkId,
  { error, deadline, breakToldAt, observedAt }: LinkHealth,
): Promise<Link> {
  const [row] = await tx<[Link]>`
    update links set
      error = ${error}, reauthentication_deadline = ${deadline}, break_told_at = ${breakToldAt}, observed_at = ${observedAt}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
    returning ${linkColumns(tx)}`
  return row
}
