import type postgres from 'postgres'
import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { EventType } from '../record.ts'
import { findPosition } from '../stored-data.ts'

type EventsQuery = postgres.PendingQuery<postgres.Row[]>
type Asked = {
  /** The period on the publisher's clock: `from` is inclusive, `until` exclusive. */
  readonly from: Date
  readonly until: Date
  readonly types: readonly EventType[]
  /** The member that identifies an event's subject, such as `transaction_uid`. */
  readonly member: string
}

/**
 * SQL query for announced objects: `key`, the object's ID; `data`, the stored data of its newest event;
 * `missing_versions`, the number of versions missing between its first and last event; and `versions`, the number of
 * announced versions, or null if the first one was not announced. Omits erased users, because their events no longer
 * contain the objects.
 */
export function selectAnnounced(reader: Reader, publisherId: PublisherId, asked: Asked): EventsQuery {
  return reader`
    with said as (${eventsWith(reader, publisherId, asked)})
    select distinct on (name) name as key, data,
      (max(version) over things - min(version) over things + 1 - count(*) over things)::int as missing_versions,
      (case when min(version) over things = 1 then count(*) over things end)::int as versions
    from said
    where name is not null
    window things as (partition by name)
    order by name, version desc`
}

/** SQL query for every announced version. `key` is the object's ID and the version in six digits. */
export function selectAnnouncedVersions(reader: Reader, publisherId: PublisherId, asked: Asked): EventsQuery {
  return reader`
    with said as (${eventsWith(reader, publisherId, asked)})
    select name || ' ' || lpad(version::text, 6, '0') as key, data
    from said
    where name is not null
    order by name, version`
}

const eventsWith = (
  reader: Reader,
  publisherId: PublisherId,
  { from, until, types, member }: Asked,
): EventsQuery => reader`
  -- all users: those of one publisher
  select ${selectMember(reader, member)} collate "C" as name, coalesce(${selectMember(reader, 'version')}, '1')::int as version,
    stored_data::text as data
  from events
  where publisher_id = ${publisherId} and created_at >= ${from} and created_at < ${until}
    and type = any(${types as string[]}::text[])
    and not exists (select 1 from erasures e where e.user_id = events.user_id and e.publisher_id = events.publisher_id)`

/** SQL for a member of an event's data, as text. */
export const selectMember = (reader: Reader, member: string): EventsQuery => reader`
  case json_typeof(stored_data) when 'array' then stored_data ->> ${findPosition(member)}::int else stored_data ->> ${member}::text end`
