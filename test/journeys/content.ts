import type { Reader } from '../../src/platform/db/database.ts'
import { eventually } from '../support/eventually.ts'

/** A row count and a digest for each table. If they are equal, nothing has changed. */
export type Content = Readonly<Record<string, string>>

/**
 * Columns that record when and how often an item was read or checked. Provider webhooks change them, and may arrive at
 * any time.
 */
const SCHEDULE = /^(sync|synced|check|checked|hinted|heard|last_updated|observed)_/

/** Returns the content once the worker is idle: two consecutive readings are equal, and no work is queued. */
export async function contentAtRest(reader: Reader): Promise<Content> {
  let last = await readContent(reader)
  return eventually(async () => {
    const now = await readContent(reader)
    const atRest = JSON.stringify(now) === JSON.stringify(last) && isWorkedOff(now)
    last = now
    return atRest && now
  })
}

/**
 * Excludes what changes merely because time passes or a request arrives: the heartbeats of running processes, the
 * progress and totals of the hourly ledger verification, the last use of keys and sessions, the counters of failed
 * sign-ins, and passkey challenges.
 */
async function readContent(reader: Reader): Promise<Content> {
  const tables = await reader<{ name: string; columns: string[] }[]>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.tables join information_schema.columns using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name !~ '^(key_holders|ledger_(added_up|cut|days|totals|verification)|sign_in_attempts|passkey_challenges|unverified_journals|verified_.*)$'
    group by table_name order by table_name`
  const content: Record<string, string> = {}
  for (const { name, columns } of tables) {
    const isOfItems = name === 'linker_items' || name === 'links'
    const kept = columns.filter(
      (column) => !/^last_used_(on|at)$/.test(column) && !(isOfItems && SCHEDULE.test(column)),
    )
    const [row] = await reader<{ total: bigint; digest: string }[]>`
      select count(*) as total, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest
      from (select ${reader(kept)} from ${reader(name)}) t`
    content[name] = `${row?.total} rows ${row?.digest}`
  }
  return content
}

function isWorkedOff(content: Content): boolean {
  return ['facts', 'gift_card_queue', 'list_count_deltas', 'ledger_deltas', 'mails'].every((name) =>
    content[name]?.startsWith('0 rows'),
  )
}
