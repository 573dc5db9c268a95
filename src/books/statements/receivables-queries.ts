import type { Reader } from '../../platform/db/database.ts'
import type { Paging } from '../../platform/http/index.ts'
import { pageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Environment } from '../../tenants/publishers/index.ts'

export const RECEIVABLE_SORTS = ['balance', 'brand_uid'] as const
type ReceivableSort = (typeof RECEIVABLE_SORTS)[number]

/** The current debt of an advertiser, in minor units. Negative if it has paid ahead. */
export type ReceivableRow = {
  readonly brandUid: string
  readonly brandName: string | null
  readonly currency: string
  readonly balance: bigint
  /** Number of receivables across all pages. */
  readonly total: number
}

/** Lists the receivables of one publisher, or of all publishers in an environment combined. */
export async function listReceivableRows(
  reader: Reader,
  of: { readonly publisherId: PublisherId } | { readonly environment: Environment },
  paging: Paging<ReceivableSort>,
): Promise<ReceivableRow[]> {
  const publishers =
    'publisherId' in of
      ? reader`publisher_id = ${of.publisherId}`
      : reader`publisher_id in (select publisher_id from publishers where environment = ${of.environment})`
  const sorts = { balance: reader`balance`, brand_uid: reader`brand_uid` }
  const byDefault = { field: 'balance', descending: true } as const
  return reader<ReceivableRow[]>`
    -- all publishers: an advertiser owes for the users of all of them
    select brand_uid, (select name from brands b where b.brand_uid = owed.brand_uid) as brand_name, currency, balance, total
    from (
      select owner as brand_uid, currency, sum(amount)::int8 as balance, (count(*) over ())::int as total
      from (
        select owner, currency, balance as amount from ledger_rollups
        where account = 'advertiser_receivable' and ${publishers}
        union all
        select owner, currency, amount from ledger_deltas where account = 'advertiser_receivable' and ${publishers}
      ) as parts
      group by owner, currency
      having sum(amount) <> 0
    ) as owed
    ${pageClauses(reader, sorts, paging, byDefault, reader`(brand_uid || ' ' || currency)`)}`
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
