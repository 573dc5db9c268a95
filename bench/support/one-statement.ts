import type { Tx } from '../../src/platform/db/database.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'

/**
 * Writes the rows that maturing writes, but in a single statement: no round trips, no decisions, and no debt repayment.
 * The ids in the events are plain UUIDs, because SQL cannot produce our own format.
 */
export async function matureInOneStatement(tx: Tx, publisher: Publisher, now: Date): Promise<void> {
  await tx`
    with due as materialized (
      select t.*, gen_random_uuid() as journal_id, u.publisher_user_id
      from transactions t
      join users u on u.user_id = t.user_id
      where t.publisher_id = ${publisher.id} and t.status = 'PENDING' and t.matures_at <= ${now}
    ),
    marked as (
      update transactions as t set
        status = 'EARNED', earned_at = ${now}, matures_at = null, version = t.version + 1, updated_at = ${now}
      from due
      where t.user_id = due.user_id and t.transaction_id = due.transaction_id and t.publisher_id = ${publisher.id}
    ),
    journalled as (
      insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts,
        owners, amounts)
      select user_id, journal_id, publisher_id, 'maturity', transaction_id, version + 1, matures_at, currency, posted.accounts,
        array_fill(''::text, array[cardinality(posted.accounts)]), posted.amounts
      from due
      cross join lateral (
        select array_agg(account) as accounts, array_agg(amount) as amounts
        from (values
          ('user_pending', user_amount), ('user_available', -user_amount),
          ('publisher_pending', publisher_amount), ('publisher_payable', -publisher_amount),
          ('fee_pending', fee_amount), ('fee_earned', -fee_amount)
        ) as posting (account, amount)
        where posting.amount <> 0
      ) as posted
    ),
    summed as (
      select sum(publisher_amount) as publisher_amount, sum(fee_amount) as fee_amount from due
    ),
    shared as (
      insert into ledger_deltas (publisher_id, account, owner, currency, amount)
      select ${publisher.id}, delta.account, '', ${publisher.currency}, delta.amount
      from summed
      cross join lateral (values
        ('publisher_pending', publisher_amount), ('publisher_payable', -publisher_amount),
        ('fee_pending', fee_amount), ('fee_earned', -fee_amount)
      ) as delta (account, amount)
    ),
    credited as (
      update user_balances as b set pending = b.pending - owed.amount, available = b.available + owed.amount
      from (select user_id, sum(user_amount) as amount from due group by user_id) as owed
      where b.user_id = owed.user_id and b.publisher_id = ${publisher.id} and b.currency = ${publisher.currency}
    ),
    recorded as (
      insert into events (user_id, event_id, publisher_id, type, stored_data, previous, created_at)
      select user_id, gen_random_uuid(), publisher_id, recorded.type, ${shownTransaction(tx, now)}, '{"status":"PENDING"}', ${now}
      from due
      cross join (values ('transaction.updated'), ('reward.available')) as recorded (type)
      returning publisher_id, user_id, event_id, type
    )
    insert into event_queue (publisher_id, user_id, event_id, type)
    select publisher_id, user_id, event_id, type from recorded`
}

/** Returns a transaction as it is stored in an event: the values of shape 1, without their field names. */
function shownTransaction(tx: Tx, now: Date) {
  return tx`json_build_array(
    1, transaction_id, publisher_user_id, user_id, source, external_id, authorized_at, 'EARNED', status_reason, brand_uid,
    merchant_name, merchant_descriptor, order_id, account_id, amount / 100.0, refunded / 100.0, currency, offer_uid, offer_type,
    reward_type, user_amount / 100.0, user_discount / 100.0, publisher_amount / 100.0, cleared_on, available_on, adjusts,
    version + 1, created_at, ${now}::timestamptz)`
}
