import type { Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { listArchivedColumns, type UserTable } from '../tables/index.ts'

// Enough to keep the connection busy without using much memory.
const AT_ONCE = 500

/** Yields a user's rows as JSON strings, in batches. */
export async function* readSection(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  table: UserTable,
): AsyncGenerator<string[]> {
  const rows = tx<{ text: string }[]>`
    select row_to_json(shown)::text as text
    from (
      select ${tx(listArchivedColumns(table))} from ${tx(table.name)}
      where user_id = ${userId} and publisher_id = ${publisherId}
      order by ${tx(table.key)}
    ) as shown`.cursor(AT_ONCE)
  for await (const portion of rows) yield portion.map(({ text }) => text)
}
