import { bookedAdjustments, DIFFERENCES_MAX, type Difference } from '../ledger/index.ts'
import type { Reader } from '../platform/database.ts'

/** Compares each adjustment with its journal: none while it is proposed or when it was declined. */
export async function verifyAdjustments(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: all users: the operator's proof over all adjustments
    select 'adjustment_posted' as check, 'adjustment ' || coalesce(a.adjustment_id, b.cause_id) as where,
      coalesce(a.expected, 'nothing') as expected, coalesce(b.booked, 'nothing') as found
    from (
      select user_id, adjustment_id, case status when 'booked' then concat_ws(' ',
        case kind when 'write_off' then 'write_off clawback_loss'
          else 'adjustment ' || case paid_by when 'service' then 'goodwill' else 'publisher_payable' end end,
        amount, currency) end as expected
      from adjustments
    ) as a
    full join (${bookedAdjustments(reader)}) as b on b.user_id = a.user_id and b.cause_id = a.adjustment_id
    where a.expected is distinct from b.booked
    limit ${DIFFERENCES_MAX}`
}
