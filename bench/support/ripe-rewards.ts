import type { Database } from '../../src/platform/db/database.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import { BRANDS } from './catalog.ts'

/**
 * Inserts cleared purchases with their accruals as intake leaves them, all past their refund period. Each is worth 500
 * cents: 350 for the user, 100 for the publisher, and a fee of 50.
 */
export async function addRipeRewards(db: Database, publisher: Publisher, perUser: number): Promise<void> {
  await db.transaction(async (tx) => {
    // The rows are consistent by construction, and checking each reference would take longer than everything else.
    await tx`set local session_replication_role = replica`
    await tx`
      insert into transactions (
        user_id, transaction_id, publisher_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, account_id,
        currency, amount, authorized_at, cleared_on, status, offer_uid, offer_type, reward_type, terms, gross, user_amount,
        publisher_amount, fee_amount, available_on, matures_at, created_at, updated_at)
      select user_id, gen_random_uuid(), ${publisher.id}, 'CARD', 'purchase-' || n, 'brand-' || n % ${BRANDS}::int, 'name', 'Some Trader ' || n % ${BRANDS}::int,
        'SOME TRADER #1234 NEW YORK NY', 'account-' || n % 1000, ${publisher.currency}, 10000, at, at::date, 'PENDING', 'card-' || n % ${BRANDS}::int,
        'CARD_LINKED', 'CASHBACK_PERCENTAGE',
        jsonb_build_object('offerUid', 'card-' || n % ${BRANDS}::int, 'brandUid', 'brand-' || n % ${BRANDS}::int, 'offerType', 'CARD_LINKED',
          'rewardType', 'CASHBACK_PERCENTAGE', 'currency', 'USD', 'feePpm', 100000, 'sharePpm', 200000, 'minSpend', '1000', 'maxSpend', '20000',
          'refundPeriodDays', 30, 'oneTimeUse', false,
          'groups', json_build_array(json_build_object('name', null, 'ratePpm', 50000, 'amount', null, 'minAmount', null, 'maxAmount', null))),
        500, 350, 100, 50, at::date + 31, (at::date + 31)::timestamptz, at, at
      from (
        select user_id, n, ${RIPE_SINCE}::timestamptz + n * interval '5 seconds' as at
        from (
          select user_id, turn * count(*) over (partition by turn) + row_number() over (partition by turn order by user_id) - 1 as n
          from users cross join generate_series(0, ${perUser - 1}::int) turn
          where publisher_id = ${publisher.id}
        ) as numbered
      ) as bought
      order by n`
    await tx`
      insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts, owners,
        amounts)
      select user_id, transaction_id, publisher_id, 'accrual', transaction_id, 1, created_at, currency,
        '{advertiser_receivable,user_pending,publisher_pending,fee_pending}', array[brand_uid, '', '', ''],
        array[gross, -user_amount, -publisher_amount, -fee_amount]
      from transactions where publisher_id = ${publisher.id}`
    await tx`
      update user_balances as b set pending = owed.amount, earned_total = owed.amount
      from (select user_id, sum(user_amount) as amount from transactions where publisher_id = ${publisher.id} group by user_id) as owed
      where b.publisher_id = ${publisher.id} and b.user_id = owed.user_id`
  })
  await db.reader`vacuum analyze transactions, journals, user_balances`
}

// Early enough that even the last reward is ripe.
const RIPE_SINCE = new Date('2026-01-02T00:00:00Z')
