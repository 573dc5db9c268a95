import type { Reader } from '../../platform/db/database.ts'
import { enumField } from '../../platform/http/index.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { equals, type OperatorList, publisherFilter } from '../../tenants/access/index.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import type { BrokenLogin } from './broken-login.ts'
import { CARD_ERRORS } from './queries.ts'

/** All publishers' broken logins, newest first. */
export const BROKEN_LOGINS: OperatorList<BrokenLogin> = {
  table: 'links',
  id: 'linkId',
  columns: (reader) => reader`
    links.link_id, links.publisher_id, links.user_id, links.institution_name, links.error, links.linked_at,
    links.break_told_at as broken_since, links.reauthentication_deadline, ${selectPublisherUserId(reader, 'links')},
    array(
      select card_id from cards c
      where c.user_id = links.user_id and c.link_id = links.link_id and c.unlinked_at is null
      order by c.card_id
    ) as card_ids`,
  only: (reader) => reader`links.error is not null and links.unlinked_at is null`,
  sorts: { '-linked_at': 'instant', linked_at: 'instant' },
  filters: {
    publisher_id: { ...publisherFilter.publisher_id, unindexed: true },
    error: { ...equals('error', enumField(CARD_ERRORS, 'Only logins with this error.')), unindexed: true },
  },
}

/** Counts the broken logins and returns when the oldest break began. */
export function countBrokenLogins(reader: Reader): Promise<WaitingCount> {
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
