import type { Database } from '../platform/database.ts'
import { foldListCounts } from '../platform/list-counts.ts'

// Any constant will do: the lock keeps two folders from competing for the same rows.
const FOLDER_LOCK = 7_265_002

/** Moves waiting deltas into rollups and totals. One folder at a time; the others find the lock taken and leave. */
export async function foldDeltas(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${FOLDER_LOCK}) as taken`
    if (lock?.taken !== true) return false
    await foldListCounts(tx)
    await tx`
      -- all publishers: the folder empties the whole queue
      with taken as (delete from ledger_deltas returning publisher_id, account, owner, currency, amount)
      insert into ledger_rollups as r (publisher_id, account, owner, currency, balance)
      select publisher_id, account, owner, currency, sum(amount)::int8
      from taken
      group by publisher_id, account, owner, currency
      order by publisher_id, account, owner, currency
      on conflict (publisher_id, account, owner, currency) do update set balance = r.balance + excluded.balance`
    return false
  })
}
