import { bookedPayments, DIFFERENCES_MAX, type Difference } from '../../ledger/index.ts'
import type { Reader } from '../../platform/database.ts'

/** Compares each payment with its journal. */
export async function verifyPayments(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: the operator's proof over all payments
    select 'payment_posted' as check, 'payment ' || coalesce(p.payment_id, b.cause_id) as where,
      coalesce(p.expected, 'nothing') as expected, coalesce(b.booked, 'nothing') as found
    from (
      select publisher_id, payment_id, concat_ws(' ',
        case party when 'advertiser' then 'advertiser_receivable' when 'publisher' then 'publisher_payable'
          when 'payouts' then 'payout_clearing' else 'fee_earned' end || ' ' || owner,
        case direction when 'received' then amount else -amount end, currency) as expected
      from payments
    ) as p
    full join (${bookedPayments(reader)}) as b on b.publisher_id = p.publisher_id and b.cause_id = p.payment_id
    where p.expected is distinct from b.booked
    limit ${DIFFERENCES_MAX}`
}
