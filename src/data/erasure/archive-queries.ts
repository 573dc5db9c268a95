import type { Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { namesIn, type TableOfUsers } from './user-data.ts'

// Keeps the connection busy without using much memory.
const AT_ONCE = 500

/** Returns the columns of a table that are useful to someone reading the archive. */
export function columnsOf({ kept, hidden = '', changed = {} }: TableOfUsers): string[] {
  const unseen = new Set(['user_id', 'publisher_id', ...namesIn(hidden)])
  return [...namesIn(kept), ...Object.keys(changed)].filter((name) => !unseen.has(name)).sort()
}

/** Yields a user's rows as JSON texts, in batches. */
export async function* readSection(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  name: string,
  table: TableOfUsers,
): AsyncGenerator<string[]> {
  const rows = tx<{ text: string }[]>`
    select row_to_json(shown)::text as text
    from (
      select ${tx(columnsOf(table))} from ${tx(name)}
      where user_id = ${userId} and publisher_id = ${publisherId}
      order by ${tx(namesIn(table.key))}
    ) as shown`.cursor(AT_ONCE)
  for await (const portion of rows) yield portion.map(({ text }) => text)
}
