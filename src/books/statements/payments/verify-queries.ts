import { DIFFERENCES_MAX, type Difference, selectBookedPayments } from '../../../ledger/index.ts'
import type { Reader, SqlPart } from '../../../platform/db/database.ts'

/** Selects the bookings that the payments require, with the columns of `selectBookedPayments`. */
export const selectPaymentsToBook = (reader: Reader): SqlPart => reader`
  -- all publishers: the operator's proof over all payments
  select publisher_id, payment_id, created_at, currency,
    case party when 'advertiser' then 'advertiser_receivable' when 'publisher' then 'publisher_payable'
      when 'payouts' then 'payout_clearing' else 'fee_earned' end || ' ' || owner as account,
    case direction when 'received' then amount else -amount end as amount
  from payments`

/** Returns the payments that differ from their journals. */
export async function verifyPayments(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: the operator's proof over all payments
    select 'payment_posted' as check, 'payment ' || coalesce(p.payment_id, b.cause_id) as where,
      coalesce(nullif(concat_ws(' ', p.account, p.amount, p.currency), ''), 'nothing') as expected,
      coalesce(nullif(concat_ws(' ', b.account, b.amount, b.currency), ''), 'nothing') as found
    from (${selectPaymentsToBook(reader)}) as p
    full join (${selectBookedPayments(reader)}) as b on b.publisher_id = p.publisher_id and b.cause_id = p.payment_id
    where (p.account, p.amount, p.currency) is distinct from (b.account, b.amount, b.currency)
    limit ${DIFFERENCES_MAX}`
}
