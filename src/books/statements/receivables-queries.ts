import type { Reader } from '../../platform/db/database.ts'
import { idField } from '../../platform/http/index.ts'
import { type OperatorList, parsePublisherId } from '../../tenants/access/index.ts'
import type { ReceivableRow } from './receivable.ts'

/**
 * The amounts that advertisers owe for one publisher's users, or for those of all production publishers combined,
 * largest first.
 */
export const RECEIVABLE_LIST: OperatorList<ReceivableRow> = {
  table: 'owed',
  id: 'receivableId',
  from: (reader, { publisher_id }) => {
    const publisherId = publisher_id === undefined ? null : parsePublisherId(String(publisher_id))
    const publishers =
      publisherId === null
        ? reader`publisher_id in (select publisher_id from publishers where environment = 'production')`
        : reader`publisher_id = ${publisherId}`
    return reader`(
      -- all publishers: an advertiser owes for the users of all of them
      select md5(owner || ' ' || currency)::uuid as receivable_id, ${publisherId}::uuid as publisher_id,
        owner as brand_uid, currency, sum(amount)::int8 as balance
      from (
        select owner, currency, balance as amount from ledger_rollups
        where account = 'advertiser_receivable' and ${publishers}
        union all
        select owner, currency, amount from ledger_deltas where account = 'advertiser_receivable' and ${publishers}
      ) as parts
      group by owner, currency
      having sum(amount) <> 0
    )`
  },
  columns: (reader) => reader`
    owed.receivable_id, owed.publisher_id, owed.brand_uid, owed.currency, owed.balance,
    (select name from brands b where b.brand_uid = owed.brand_uid) as brand_name`,
  sorts: { '-balance': 'integer', balance: 'integer', brand_uid: 'text', '-brand_uid': 'text' },
  filters: {
    publisher_id: {
      parameter: idField(
        'Only this publisher (pub_…), which may be a sandbox. By default, all production publishers combined.',
      ),
      // The query above already filters by publisher.
      where: (reader: Reader) => reader`true`,
    },
  },
}

type LastStatement = { readonly party: string; readonly currency: string; readonly document: string }

/** Lists these advertisers' statements for the last month closed in the books. */
export async function listLastStatements(
  reader: Reader,
  books: string,
  brandUids: readonly string[],
): Promise<LastStatement[]> {
  return reader<LastStatement[]>`
    -- all publishers: advertisers have one statement for those of production
    select party, currency, document from statements
    where books = ${books} and kind = 'advertiser' and party = any(${brandUids as string[]}::text[])
      and month = (select max(month) from closings where books = ${books})`
}
