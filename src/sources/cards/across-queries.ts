import type { Reader } from '../../platform/db/database.ts'
import { type Walk, type Walked, walk } from '../../platform/db/keyset.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import type { CardError, CardId } from './queries.ts'

type BrokenLogin = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly publisherUserId: string
  readonly cardIds: readonly CardId[]
  readonly institutionName: string
  readonly error: CardError
  readonly linkedAt: Date
  /** When the user was asked to sign in again; null if they were not asked. */
  readonly brokenSince: Date | null
  readonly reauthenticationDeadline: Date | null
}

/** Walks the broken logins of all publishers in the order they were linked. */
export async function walkBrokenLogins(
  reader: Reader,
  { publisherId, error }: { readonly publisherId: PublisherId | null; readonly error: CardError | null },
  paging: Walk,
): Promise<Walked<BrokenLogin>> {
  const isLookedFor = publisherId !== null || error !== null
  return walk<BrokenLogin>(
    reader,
    {
      columns: reader`
        l.publisher_id, l.user_id, l.institution_name, l.error, l.linked_at, l.break_told_at as broken_since,
        l.reauthentication_deadline,
        array(
          select card_id from cards c
          where c.user_id = l.user_id and c.link_id = l.link_id and c.unlinked_at is null
          order by c.card_id
        ) as card_ids,
        (select publisher_user_id from users u where u.user_id = l.user_id and u.publisher_id = l.publisher_id)
          as publisher_user_id`,
      table: 'links',
      alias: 'l',
      id: reader`l.link_id`,
      key: { column: reader`l.linked_at`, type: 'instant' },
      indexed: reader`l.error is not null and l.unlinked_at is null`,
      others: !isLookedFor
        ? null
        : reader`
          ${publisherId === null ? reader`` : reader`and l.publisher_id = ${publisherId}`}
          ${error === null ? reader`` : reader`and l.error = ${error}`}`,
    },
    paging,
  )
}

/** Counts the broken logins, oldest link first. */
export function brokenLogins(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: the operators' desk
      select coalesce(break_told_at, observed_at, linked_at) as since from links
      where error is not null and unlinked_at is null
      order by linked_at
      limit ${limit}`,
  )
}
