import type { Database } from '../../src/platform/db/database.ts'
import { TERMS } from './purchases.ts'
import { JOINED, type Tenant } from './tenant.ts'

// Limits the users inserted per statement, so that no statement holds an entire table's rows in memory.
const AT_ONCE = 100_000

/**
 * Inserts active users, each with a balance and one purchase. Half of the purchases have matured, a quarter are
 * pending, and a quarter are unmatched.
 */
export async function fillUsers(
  db: Database,
  tenant: Tenant,
  count: number,
  say: (message: string) => void,
): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    await insertUsers(db, tenant, from, Math.min(from + AT_ONCE, count) - 1)
    if (count > AT_ONCE) say(`pages: ${Math.min(from + AT_ONCE, count)} of ${count} users`)
  }
  await db.reader`
    insert into list_counts (publisher_id, list, total)
    select publisher_id, 'transactions/' || to_char(authorized_at at time zone 'UTC', 'YYYY-MM-DD') || '/' || status, count(*)
    from transactions
    where publisher_id = ${tenant.publisher.id}
    group by 1, 2
    union all select ${tenant.publisher.id}, 'users', ${count}`
  await db.reader`vacuum analyze users, terms_acceptances, user_balances, transactions`
}

async function insertUsers(
  db: Database,
  { publisher, documentId }: Tenant,
  first: number,
  last: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, email, primary_zip_code, created_at, updated_at)
      select gen_random_uuid(), ${publisher.id}, 'user-' || n, 'user-' || n || '@example.com', '10001', at, at
      from (select n, ${JOINED}::timestamptz + n * interval '1 second' as at from generate_series(${first}::int, ${last}::int) n) as given`
    const fresh = tx`
      from users
      where publisher_id = ${publisher.id} and created_at >= ${JOINED}::timestamptz + ${first}::int * interval '1 second'`
    await tx`
      insert into terms_acceptances (user_id, document_id, accepted_at, publisher_id)
      select user_id, ${documentId}, created_at, ${publisher.id} ${fresh}`
    await tx`
      insert into user_balances (user_id, currency, publisher_id, pending, available, earned_total)
      select user_id, ${publisher.currency}, ${publisher.id}, 350, 1200, 1550 ${fresh}`
    await tx`
      insert into transactions (
        user_id, transaction_id, publisher_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, currency, amount,
        authorized_at, cleared_on, status, status_reason, offer_uid, offer_type, reward_type, terms, gross, user_amount,
        publisher_amount, fee_amount, available_on, earned_at, created_at, updated_at)
      select user_id, gen_random_uuid(), ${publisher.id}, 'CARD', publisher_user_id, case when paid then 'brand-1' end,
        case when paid then 'name' else 'none' end, 'Some Trader', 'SOME TRADER #1234 NEW YORK NY', ${publisher.currency}, 10000,
        created_at, created_at::date, case when place % 4 < 2 then 'EARNED' when paid then 'PENDING' else 'CANCELLED' end,
        case when not paid then 'unmatched' end, case when paid then 'card-1' end, case when paid then 'CARD_LINKED' end,
        case when paid then 'CASHBACK_PERCENTAGE' end, case when paid then ${TERMS}::text::jsonb end, case when paid then 500 else 0 end,
        case when paid then 350 else 0 end, case when paid then 100 else 0 end, case when paid then 50 else 0 end,
        case when paid then created_at::date + 31 end, case when place % 4 < 2 then created_at + interval '31 days' end,
        created_at, created_at
      from (select *, place % 4 < 3 as paid from (select *, row_number() over (order by user_id) as place ${fresh}) as placed) as given
      order by given.created_at`
  })
}
