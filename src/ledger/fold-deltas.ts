import type { Database } from '../platform/db/database.ts'
import { foldListCounts } from '../platform/db/list-counts.ts'

// An arbitrary lock ID. The lock keeps two processes from folding the same rows.
const FOLD_LOCK = 7_265_002

/**
 * Folds deltas into rollups and list counts. Only one process folds at a time; any other finds the lock taken and
 * returns.
 * @returns false, because one pass folds all deltas
 */
export async function foldDeltas(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as taken`
    if (lock?.taken !== true) return false
    await foldListCounts(tx)
    await tx`
      -- all publishers: the whole queue is folded
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
