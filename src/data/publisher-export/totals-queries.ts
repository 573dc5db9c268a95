import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { listComparedColumns, type RegisteredTable } from '../tables/index.ts'
import { isSealed } from './lines.ts'
import { matchesPublisher } from './scope-queries.ts'

/** The number of rows, and an order-independent checksum: the sum of the first 60 bits of each row's SHA-256. */
export type ContentTotal = { readonly rows: number; readonly sum: string }

// The leading bytes hold the wrapped data key, which differs between installations. The sealed content does not.
const WRAPPING_BYTES = 65

export async function readContent(
  reader: Reader,
  table: RegisteredTable,
  publisherId: PublisherId,
  side: 'source' | 'target',
): Promise<ContentTotal> {
  const columns = listComparedColumns(table)
    .map((column) =>
      isSealed(column)
        ? reader`substring(${reader(column)} from ${WRAPPING_BYTES + 1}) as ${reader(column)}`
        : reader`${reader(column)}`,
    )
    .reduce((all, one) => reader`${all}, ${one}`)
  // all publishers: matchesPublisher names the publisher
  const [row] = await reader<[ContentTotal]>`
    select count(*)::float8 as rows,
      coalesce(sum(('x' || left(encode(sha256(convert_to(${toOneLine(reader)}, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as sum
    from (
      select ${columns} from ${reader(table.name)} where ${matchesPublisher(reader, table, publisherId, side)}
    ) as shown`
  return row
}

/** Returns SQL for a row as single-line JSON. Line breaks inside json values become spaces. */
export const toOneLine = (reader: Reader) => reader`translate(row_to_json(shown)::text, E'\\n\\r', '  ')`

/** Returns the totals that people check after a move, by name. Amounts are in minor units. */
export async function readMoney(reader: Reader, publisherId: PublisherId): Promise<Record<string, string>> {
  const rows = await reader<{ name: string; total: string }[]>`
    -- all users: totals of a publisher
    select 'users' as name, count(*)::text as total from users where publisher_id = ${publisherId}
    union all
    select 'cards', count(*)::text from cards where publisher_id = ${publisherId}
    union all
    select concat_ws(' ', 'account', account, currency, v.side), v.total
    from (
      select account, currency, coalesce(sum(amount) filter (where amount > 0), 0) as debits,
        coalesce(-sum(amount) filter (where amount < 0), 0) as credits, sum(amount) as balance
      from postings where publisher_id = ${publisherId}
      group by account, currency
    ) as a
    cross join lateral (values ('debits', debits::text), ('credits', credits::text), ('balance', balance::text)) as v (side, total)
    union all
    select concat_ws(' ', 'balances', currency, v.kind), v.total
    from (
      select currency, sum(pending) as pending, sum(available) as available, sum(held) as held, sum(debt) as debt
      from user_balances where publisher_id = ${publisherId}
      group by currency
    ) as b
    cross join lateral (values
      ('pending', pending::text), ('available', available::text), ('held', held::text), ('debt', debt::text)) as v (kind, total)
    union all
    select concat_ws(' ', 'transactions', status, currency, v.what), v.total
    from (
      select status, currency, count(*) as count, sum(user_amount) as rewards
      from transactions where publisher_id = ${publisherId}
      group by status, currency
    ) as t
    cross join lateral (values ('count', count::text), ('rewards', rewards::text)) as v (what, total)
    union all
    select concat_ws(' ', 'redemptions', status, currency, v.what), v.total
    from (
      select status, currency, count(*) as count, sum(amount) as amount
      from redemptions where publisher_id = ${publisherId}
      group by status, currency
    ) as r
    cross join lateral (values ('count', count::text), ('amount', amount::text)) as v (what, total)
    order by 1`
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]))
}
