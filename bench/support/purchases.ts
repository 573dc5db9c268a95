import type { Database } from '../../src/platform/db/database.ts'
import { JOINED, type Tenant } from './tenant.ts'

// Limits the purchases inserted per statement, so that no statement holds an entire table's rows in memory.
const AT_ONCE = 100_000
const BRANDS = 2_000

type Purchases = { readonly count: number; readonly users: number; readonly secondsApart: number }

/**
 * Inserts purchases in chronological order, spread over the tenant's users, with every column that intake fills. Half
 * have matured (half of those are partially refunded), a quarter are pending, and a quarter match no brand.
 */
export async function addPurchases(
  db: Database,
  tenant: Tenant,
  purchases: Purchases,
  say: (done: number) => void,
): Promise<void> {
  for (let from = 0; from < purchases.count; from += AT_ONCE) {
    const until = Math.min(from + AT_ONCE, purchases.count)
    await insertPurchases(db, tenant, purchases, { first: from, last: until - 1 })
    say(until)
  }
  await db.reader`vacuum analyze users, transactions`
}

async function insertPurchases(
  db: Database,
  { publisher }: Tenant,
  { users, secondsApart }: Purchases,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      with buyers as materialized (
        select user_id, row_number() over (order by publisher_user_id) - 1 as place from users where publisher_id = ${publisher.id}
      ),
      bought as (
        select n, n % 4 as kind, n % ${BRANDS}::int as brand, ${JOINED}::timestamptz + n * ${secondsApart}::int * interval '1 second' as at
        from generate_series(${first}::int, ${last}::int) as n
      )
      insert into transactions (
        user_id, transaction_id, publisher_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, account_id,
        currency, amount, refunded, authorized_at, cleared_on, status, status_reason, offer_uid, offer_type, reward_type, terms, gross,
        user_amount, publisher_amount, fee_amount, available_on, earned_at, version, created_at, updated_at)
      select user_id, gen_random_uuid(), ${publisher.id}, 'CARD', 'purchase-' || n, case when kind < 3 then 'brand-' || brand end,
        case when kind < 3 then 'name' else 'none' end, 'Some Trader ' || brand, 'SOME TRADER ' || brand || ' #1234, NEW YORK NY',
        'account-' || place, ${publisher.currency}, 10000 + n % 5000, case when kind = 1 then 1250 else 0 end, at, at::date + 1,
        (array['EARNED', 'EARNED', 'PENDING', 'CANCELLED'])[kind + 1], case when kind = 3 then 'unmatched' end,
        case when kind < 3 then 'card-' || brand end, case when kind < 3 then 'CARD_LINKED' end,
        case when kind < 3 then 'CASHBACK_PERCENTAGE' end, case when kind < 3 then ${TERMS}::text::jsonb end,
        case when kind < 3 then 515 else 0 end, case when kind < 3 then 361 else 0 end, case when kind < 3 then 103 else 0 end,
        case when kind < 3 then 51 else 0 end, case when kind < 3 then at::date + 32 end,
        case when kind < 2 then at + interval '32 days' end, case when kind < 2 then 2 else 1 end, at + interval '4.217 seconds',
        at + case when kind < 2 then interval '32 days' else interval '4.217 seconds' end
      from bought join buyers on place = n * 7919::int8 % ${users}::int
      order by n`
  })
}

/** The frozen terms of a purchase rewarded by an offer in the benchmark catalog. */
export const TERMS = JSON.stringify({
  offerUid: 'card-1',
  brandUid: 'brand-1',
  offerType: 'CARD_LINKED',
  rewardType: 'CASHBACK_PERCENTAGE',
  currency: 'USD',
  groups: [{ name: null, ratePpm: 50_000, amount: null, minAmount: null, maxAmount: null }],
  feePpm: 100_000,
  sharePpm: 200_000,
  minSpend: null,
  maxSpend: null,
  refundPeriodDays: 30,
  oneTimeUse: false,
  newCustomerDays: null,
})
