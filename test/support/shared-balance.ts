import type { Account } from '../../src/ledger/index.ts'
import type { Reader } from '../../src/platform/db/database.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'

/**
 * Returns the exact balance of a shared account, which is its rollup plus its deltas, in minor units. Debits are
 * positive.
 */
export async function readSharedBalance(
  reader: Reader,
  publisher: Publisher,
  account: Account,
  owner = '',
  currency = publisher.currency,
): Promise<bigint> {
  const [row] = await reader<{ balance: bigint }[]>`
    select (
      coalesce((
        select balance from ledger_rollups
        where publisher_id = ${publisher.id} and account = ${account} and owner = ${owner} and currency = ${currency}), 0)
      + coalesce((
        select sum(amount) from ledger_deltas
        where publisher_id = ${publisher.id} and account = ${account} and owner = ${owner} and currency = ${currency}), 0)
    )::int8 as balance`
  return row?.balance ?? 0n
}
