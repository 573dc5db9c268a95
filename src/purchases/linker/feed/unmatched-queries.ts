import type { Day } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import { type OperatorList, publisherFilter } from '../../../tenants/access/index.ts'
import { selectPublisherUserId } from '../../../users/users/index.ts'
import { selectOpenRefunds } from '../../transactions/index.ts'
import type { CandidateRefund, UnmatchedRefund } from './unmatched-refund.ts'

// The ids of feed rows are arbitrary text from the provider, but paging requires a UUID.
const orphans = (reader: Reader) => reader`(
  -- all publishers: all users: operators decide on every refund
  select publisher_id, user_id, bought_on::timestamp at time zone 'UTC' as since,
    md5(user_id::text || row_id)::uuid as place_id, row_id as refund_id, false as is_reported, bought_on as date, amount,
    currency, coalesce((
      select substr(key, 6) from unnest(merchant_keys) with ordinality as keys (key, position)
      where starts_with(key, 'name:') order by position limit 1
    ), '') as merchant
  from feed_rows where is_orphan)`

const reported = (reader: Reader) => reader`(
  select publisher_id, user_id, since, transaction_id as place_id, transaction_id::text as refund_id,
    true as is_reported, (occurred_at at time zone 'UTC')::date as date, amount, currency, merchant
  from ${selectOpenRefunds(reader)} as refunds)`

const columns = (table: string) => (reader: Reader) =>
  reader`
  publisher_id, user_id, place_id, refund_id, is_reported, date, amount, currency, merchant,
  ${selectPublisherUserId(reader, table)}`

/** The unmatched refunds of all publishers, longest waiting first. */
export const UNMATCHED_REFUNDS: OperatorList<UnmatchedRefund & { readonly placeId: string }> = {
  table: 'orphans',
  from: orphans,
  id: 'placeId',
  columns: columns('orphans'),
  sorts: { since: 'instant' },
  filters: publisherFilter,
  mergedWith: { table: 'reported', from: reported, id: 'placeId', columns: columns('reported') },
}

/** Lists a user's unmatched refunds within a range of days, starting with those closest to the given day. */
export async function listUnmatchedByUser(
  reader: Reader,
  publisherId: PublisherId,
  { userId, day, from, until, limit }: { userId: UserId; day: Day; from: Day; until: Day; limit: number },
): Promise<CandidateRefund[]> {
  return reader<CandidateRefund[]>`
    select refund_id, is_reported, date, amount, currency, merchant
    from (select * from ${orphans(reader)} as orphans union all select * from ${reported(reader)} as reported) as refunds
    where publisher_id = ${publisherId} and user_id = ${userId} and date >= ${from} and date < ${until}
    order by abs(date - ${day}::date), date, refund_id
    limit ${limit}`
}
